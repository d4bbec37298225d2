"""The pages as a reader meets them: in a browser, on a phone, in the dark, by keyboard and on paper."""

from pathlib import Path

import numpy as np
import pytest

from fewest import MinFeatures, ReliefF, WeightedGreedy, compare, make_learner, make_report
from fewest.datasets import load_votes
from fewest.papers.results import page as experiment_page
from fewest.report.render import write_page
from fewest.report.sections import description_section

CONTRAST = (Path(__file__).parent / "contrast.js").read_text(encoding="utf-8")
PAGES = ("exact", "greedy", "relevance", "company", "learner", "comparison", "experiment")


SVG = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1h7v7z"/></svg>'
EXPERIMENT = {
    "experiment": "toy", "claim": "Squares grow.", "source": "Nobody (1900)", "scale": "small", "version": "0",
    "command": "fewest reproduce toy", "verdict": "not decided", "words": "does not hold",
    "checks": [
        {"statement": "4 < 9", "verdict": "holds", "measured": "", "reason": "", "counts": True, "reading": None},
        {"statement": "9 < 16", "verdict": "not decided", "measured": "9 ± 8", "reason": "Few.", "counts": True,
         "reading": None, "times_the_runs": 3.0},
        {"statement": "8 is nearly 9", "verdict": "does not hold", "measured": "0.89", "reason": "", "counts": True,
         "reading": {"threshold": 0.9, "unit": "shares", "verdicts": [
             {"threshold": 0.8, "verdict": "holds"}, {"threshold": 0.9, "verdict": "does not hold"}]}},
        {"statement": "1 is odd", "verdict": "does not hold", "measured": "", "reason": "", "counts": False,
         "reading": None},
    ],
    "looks": [{"runs": 10, "undecided": [{"statement": "9 < 16", "runs": 30}]}],
    "comparisons": [
        {"quantity": "3 squared", "published": 9.0, "ours": 9, "error": None, "verdict": "agrees", "note": ""}
    ],
    "assumptions": ["Numbers are numbers."], "rows": [{"n": n, "square": n * n, "odd": n % 2 == 1} for n in range(30)],
}  # fmt: skip


DESCRIPTION = {
    "scores": [
        {"feature": "measurement number 7", "is_selected": True, "bits": 60.5, "probability": 1.0},
        {"feature": "measurement number 9", "is_selected": False, "bits": -2.0, "probability": 0.2},
        {"feature": "measurement number 8", "is_selected": False, "bits": -9.0, "probability": 0.001},
    ],
    "alternatives": [
        {"features": ["measurement number 7"], "probability": 0.8},
        {"features": ["measurement number 7", "measurement number 9"], "probability": 0.2},
    ],
}


def in_company():
    """Return two features that matter together, a copy of one of them, two of noise, and gaps."""
    rng = np.random.default_rng(1)
    X = rng.integers(0, 3, (200, 5)).astype(float)
    y = (X[:, 0] + X[:, 3]) % 3
    X[:, 4] = 2 - X[:, 0]
    X[y == 1, 1] = np.nan
    return X, y


@pytest.fixture(scope="session")
def pages(tmp_path_factory):
    """Write a page of every kind."""
    folder = tmp_path_factory.mktemp("pages")
    votes, party = load_votes(return_X_y=True)
    make_report(MinFeatures().fit(votes, party), votes, party).save(folder / "exact.html")
    make_report(WeightedGreedy().fit(votes, party), votes, party).save(folder / "greedy.html")
    make_report(make_learner("ID3").fit(votes, party)[-1], votes, party).save(folder / "learner.html")
    rng = np.random.default_rng(0)
    import pyarrow

    columns = {f"measurement number {j}": rng.normal(size=80) for j in range(60)}
    columns["<script>alert(1)</script>"] = rng.choice(["low & slow", "high", "<b>"], 80)
    classes = (columns["measurement number 7"] > 0).astype(str)
    wide = pyarrow.table(columns)
    make_report(ReliefF().fit(wide, classes), wide, classes).save(folder / "relevance.html")
    compared = compare(wide, classes, methods=["wg", "relieff", "tolerant"], learners=["tree"], n_repeats=1)
    further = [description_section(DESCRIPTION, "2 of 61 features describe the classes best.")]
    write_page(compared.page(further=further), folder / "comparison.html")
    make_report(ReliefF(n_features_to_select=2).fit(*in_company()), *in_company()).save(folder / "company.html")
    (folder / "experiment.html").write_text(experiment_page(EXPERIMENT, SVG), encoding="utf-8")
    return {name: folder / f"{name}.html" for name in PAGES}


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize(("width", "scheme"), [(1100, "light"), (390, "dark")])
def test_pages_fit_their_window_and_can_be_read(pages, visit, name, width, scheme):
    page = visit(pages[name], width, scheme)
    open_all(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(CONTRAST) == []
    assert page.locator("#answer .headline").is_visible()


@pytest.mark.parametrize("name", ["relevance", "company"])
def test_names_beside_bars_are_not_cut_into_letters_on_a_phone(pages, visit, name):
    page = visit(pages[name], 390)
    widths = [one.bounding_box()["width"] for one in page.locator(".bars .name").all()]
    assert len(widths) > 1
    assert min(widths) >= 8 * 16


def open_all(page):
    for summary in page.locator("details:not([open]) > summary").all()[::-1]:
        summary.click()
    assert page.locator("details:not([open])").count() == 0


@pytest.mark.parametrize("name", PAGES)
def test_every_section_opens_and_shows_something(pages, visit, name):
    page = visit(pages[name])
    open_all(page)
    for section in page.locator("details.section").all():
        assert section.locator(".body").bounding_box()["height"] > 20
        assert section.locator(".body").inner_text().strip() or section.locator("figure svg").count()


def column(page, number):
    return page.locator(f"table.sortable#table-all-features tbody tr:visible td:nth-child({number})").all_inner_texts()


def test_a_table_sorts_by_mouse_and_by_keyboard(pages, visit):
    page = visit(pages["relevance"])
    heading = page.locator("#table-all-features thead th", has_text="relevance")
    relevance = [float(text.replace("−", "-")) for text in column(page, 3)]
    assert len(relevance) == 61
    heading.locator("button").click()
    assert heading.get_attribute("aria-sort") == "descending"
    page.keyboard.press("Enter")  # the button has the focus
    assert heading.get_attribute("aria-sort") == "ascending"
    assert [float(text.replace("−", "-")) for text in column(page, 3)] == sorted(relevance)
    page.locator("#table-all-features thead button", has_text="feature").click()
    names = column(page, 1)
    assert names[:3] == ["<script>alert(1)</script>", "measurement number 0", "measurement number 1"]
    assert names.index("measurement number 9") < names.index("measurement number 10")  # numbers within names count


def test_a_table_filters(pages, visit):
    page = visit(pages["relevance"])
    page.get_by_label("Filter the table").fill("NUMBER 5")
    assert len(column(page, 1)) == 11
    assert page.locator("#table-all-features-count").inner_text() == "11 of 61 shown"
    page.get_by_label("Filter the table").fill("")
    assert len(column(page, 1)) == 61


def test_probabilities_of_a_description_are_drawn(pages, visit):
    section = visit(pages["comparison"]).locator("#which-few-features-and-how-sure")
    widths = [bar.bounding_box()["width"] for bar in section.locator(".track i").all()]
    assert widths[1] == pytest.approx(0.2 * widths[0], rel=0.05)
    assert section.locator(".bars li.kept").inner_text().split("\n")[0].startswith("measurement number 7")
    assert "20%: measurement number 7, measurement number 9" in section.inner_text()


def test_a_link_opens_what_it_points_to(pages, visit):
    page = visit(pages["exact"])
    section = page.locator("details.section", has=page.locator("h2", has_text="The data"))
    assert section.get_attribute("open") is None
    page.get_by_role("navigation").get_by_role("link", name="The data").click()
    page.wait_for_function("document.getElementById('the-data').open")
    assert "435 rows, 16 features" in section.inner_text()


def test_every_control_is_reached_by_keyboard(pages, visit):
    page = visit(pages["comparison"])
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the answer"
    controls = page.locator("summary, thead button, input, nav a").count()
    seen = set()
    for _ in range(controls + 30):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("[...document.querySelectorAll('*')].indexOf(document.activeElement)"))
    reached = page.evaluate(
        "seen => [...document.querySelectorAll('summary, thead button, input, nav a')].filter(e => e.checkVisibility())"
        ".every(e => seen.includes([...document.querySelectorAll('*')].indexOf(e)))",
        list(seen),
    )
    assert reached


def test_pictures_have_words(pages, visit):
    page = visit(pages["comparison"])
    open_all(page)
    unnamed = page.locator("svg:not([aria-label]), [role=img]:not([aria-label]), [role=region]:not([aria-label])")
    assert unnamed.count() == 0
    labels = [picture.get_attribute("aria-label") for picture in page.locator("svg[role=img]").all()]
    assert labels[0].startswith("ROC curve, area 1.000")
    assert any(label.startswith("Accuracy of every method") for label in labels)
    assert any(label.startswith("A tree that joins features") for label in labels)
    assert any(label.startswith("How the values of each class are spread") for label in labels)


def test_paper_shows_closed_sections_and_closes_them_again(pages, visit):
    page = visit(pages["exact"])
    page.evaluate("window.onbeforeprint = () => { window.heights = "
                  "[...document.querySelectorAll('details.section .body')].map(e => e.offsetHeight) }")  # fmt: skip
    n_closed = page.locator("details:not([open])").count()
    document = page.pdf(format="A4")
    assert document.startswith(b"%PDF")
    assert n_closed == 3  # missing values, the data, how the page was made
    assert min(page.evaluate("window.heights")) > 20
    page.wait_for_function("n => document.querySelectorAll('details:not([open])').length == n", arg=n_closed)


def test_paper_is_light_and_no_table_runs_off_it(pages, visit, tmp_path):
    X, y = in_company()
    methods = ["wg", "sg", "mig", "univariate", "information", "mrmr", "l1"]
    compare(X, y, methods=methods, n_repeats=1).save(tmp_path / "methods.html")
    for path in (tmp_path / "methods.html", *pages.values()):
        page = visit(path, 718, "dark")  # A4 less its margins
        page.emulate_media(media="print")
        ends = "[...document.querySelectorAll('table')].map(e => e.getBoundingClientRect().right)"
        assert max(page.evaluate(ends)) <= 718, path.name
        assert page.evaluate("getComputedStyle(document.body).color") == "rgb(29, 35, 39)"


def test_a_notebook_shows_the_page_in_a_frame_of_its_height(pages, visit, tmp_path):
    votes, party = load_votes(return_X_y=True)
    report = make_report(WeightedGreedy().fit(votes, party), votes, party)
    notebook = tmp_path / "notebook.html"
    notebook.write_text(f"<!doctype html><title>cell</title><body>{report._repr_html_()}", encoding="utf-8")
    page = visit(notebook)
    page.wait_for_function("document.querySelector('iframe').getBoundingClientRect().height > 1000")
    assert "features separate the classes" in page.frame_locator("iframe").locator("#answer").inner_text()


def test_company_is_drawn(pages, visit):
    page = visit(pages["company"])
    open_all(page)
    redundancy = page.locator("details.s-redundancy")
    scores = ReliefF().fit(*in_company()).scores_  # of copies they differ by rounding, and the greater comes first
    copies = "x0 x4" if scores[0] >= scores[4] else "x4 x0"
    assert redundancy.locator(".groups li").all_inner_texts() == [f"{copies} copies of each other"]
    assert redundancy.locator("svg path.branch").count() == 4
    pair = page.locator("details.s-interactions table.cells").first
    assert pair.locator("tbody tr").count() == 3
    assert page.locator("#table-missing tbody tr").count() == 1
    assert page.locator("#table-missing tbody td").all_inner_texts()[:3] == ["·", "100.0%", "·"]
