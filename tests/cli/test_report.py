import numpy as np
import pytest


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("select", "--method", "min-features"), "Why no fewer will do"),
        (("select", "--method", "wg"), "how many pairs of rows of different play still look alike"),
        (("select", "--method", "focus1"), "The search, subset size by subset size"),
        (("rank", "--method", "relieff", "--n-features-to-select", "1"), "How relevant every feature is"),
        (("wrap", "--method", "ordered-fs", "--estimator", "nb"), "For every number of features the best subset"),
        (("train",), "The tree"),
        (("train", "--learner", "cfp"), "vote counts"),
    ],
)
def test_a_report_has_the_answer_and_its_reasons(fewest, weather, tmp_path, arguments, said):
    command, *options = arguments
    run = fewest(command, weather, "--target", "play", *options, "--report", "page.html")
    assert run.code == 0, run.err
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert said in page
    assert "windy" in page
    assert f"fewest {command} weather.csv --target play" in page
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".part"] == []


def test_a_report_goes_into_a_page(fewest, weather):
    run = fewest("select", weather, "--target", "play", "--report", "page.pdf")
    assert run.code == 2
    assert "Let its name end in .html" in run.err


def test_a_report_needs_a_folder_that_exists(fewest, weather):
    run = fewest("train", weather, "--target", "play", "--report", "nowhere/page.html")
    assert (run.code, run.out) == (2, "")
    assert "its folder does not exist" in run.err


def test_what_the_exact_search_notes_stands_in_its_section(fewest, write, tmp_path):
    rows = [f"{k % 2},{k % 3},{'yes' if k % 2 else 'no'}" for k in range(24)]
    write("data.csv", "\n".join(["a,b,class", *rows, "0,0,yes"]) + "\n")
    run = fewest("report", "data.csv", "--target", "class", "-o", "page.html")
    assert run.code == 0, run.err
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    before, section = page.split("<h2>The fewest that tell every two rows apart</h2>")
    assert "alike in every feature but not in class" in section
    assert "alike in every feature" not in before


def test_one_page_about_a_table(fewest, tmp_path):
    assert fewest("generate", "parity", "--rows", "60", "--irrelevant", "3", "-o", "parity.csv").code == 0
    run = fewest("report", "parity.csv", "--target", "class", "-o", "page.html")
    assert run.code == 0, run.err
    assert run.out.startswith("page.html: Use ")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    titles = ("The methods side by side", "How relevant every feature is", "Why no fewer will do", "The data")
    for title in (*titles, "Which few features, and how sure"):
        assert f"<h2>{title}</h2>" in page


def written(rng_rows, decimal, thousands, date):
    lines = ["tenure;charge;since;town;noise;churned"]
    for tenure, charge, (year, month, day), town, noise, label in rng_rows:
        number = f"{charge:,.2f}".translate(str.maketrans({",": thousands, ".": decimal}))
        lines.append(f"{tenure};{number};{date.format(y=year, m=month, d=day)};{town};{noise};{label}")
    return "\n".join(lines) + "\n"


def test_german_and_american_spellings_give_the_same_answer(fewest, tmp_path):
    rng = np.random.default_rng(0)
    tenure, charge = rng.integers(1, 72, 120), (1000 + 900 * rng.random(120)).round(2)
    labels = np.where((tenure < 30) & (charge > 1300), "yes", "no")
    dates = [(2023, int(month), int(day)) for month, day in rng.integers((1, 13), (13, 29), (120, 2))]
    towns, noise = rng.integers(0, 60, 120), rng.integers(0, 9, 120)
    rows = list(zip(tenure, charge, dates, [f"t{k}" for k in towns], noise, labels, strict=True))
    answers, pages = [], []
    for name, *spelling in (
        ("german", ",", ".", "{d:02d}.{m:02d}.{y}"),
        ("american", ".", ",", "{m:02d}/{d:02d}/{y}"),
    ):
        (tmp_path / f"{name}.csv").write_text(written(rows, *spelling))
        run = fewest("report", f"{name}.csv", "-t", "churned", "-o", f"{name}.html")
        assert run.code == 0, run.err
        answers.append(run.out.partition(": ")[2])
        pages.append((tmp_path / f"{name}.html").read_text(encoding="utf-8"))
    assert answers[0] == answers[1]
    assert "of 5 features" in answers[0]
    for page, sign in zip(pages, (",", "."), strict=True):
        assert "These columns of text were read otherwise" in page
        assert "as days since 1970-01-01" in page
        assert f"numbers with &#39;{sign}&#39; before the decimals" in page
        assert ", p &lt; 0.001" in page  # beside the relevance of what decides
