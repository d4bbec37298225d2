"""How ``select`` and ``sufficient`` compare rows: by margin, and with a tolerance."""

import json

import numpy as np
import pytest

MEASURED = "width,height,kind\n0.0,1,a\n0.1,2,b\n0.2,1,a\n0.3,2,b\n0.4,1,a\n0.5,2,b\n"


def test_tolerance_leaves_some_pairs(fewest):
    done = fewest("select", "fewest:votes", "-t", "party", "--tolerance", "0.01", "--format", "json")
    answer = json.loads(done.out)
    assert done.code == 0
    assert (len(answer["features"]), answer["is_minimal"], answer["tolerance"]) == (3, True, 0.01)
    assert answer["n_uncovered"] <= 0.01 * answer["n_pairs"]


def test_tolerance_by_cross_validation_says_what_it_chose(fewest):
    done = fewest("select", "fewest:votes", "-t", "party", "--tolerance", "cv")
    assert "1 of 16 features" in done.out
    assert "physician-fee-freeze" in done.out


def test_a_tolerance_corrected_for_chance(fewest, tmp_path):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (300, 8))
    y = X[:, 2] ^ X[:, 5] ^ (rng.random(300) < 0.1)
    data = tmp_path / "noisy.csv"
    lines = [",".join(map(str, [*row, label])) for row, label in zip(X.tolist(), y.tolist(), strict=True)]
    data.write_text("\n".join(["a,b,c,d,e,f,g,h,y", *lines]))
    corrected = [str(data), "-t", "y", "--tolerance", "0.6", "--criterion", "chance"]
    done = fewest("select", *corrected, "--format", "json")
    answer = json.loads(done.out)
    assert (done.code, answer["features"], answer["is_minimal"]) == (0, ["c", "f"], True)
    assert (answer["criterion"], answer["tolerance"]) == ("chance", 0.6)
    assert "at most 60% of what chance would leave are allowed" in fewest("select", *corrected).out
    refused = fewest("select", *corrected, "--certificate", str(tmp_path / "proof.json"))
    assert (refused.code, "criterion='chance' counts otherwise" in " ".join(refused.err.split())) == (2, True)
    other = fewest("select", *corrected, "--method", "sg")
    assert (other.code, "--criterion is for --method min-features only" in " ".join(other.err.split())) == (2, True)


def test_percent_is_a_fraction(fewest):
    as_percent = fewest("select", "fewest:votes", "-t", "party", "-m", "sg", "--tolerance", "1%", "--format", "json")
    as_fraction = fewest("select", "fewest:votes", "-t", "party", "-m", "sg", "--tolerance", "0.01", "--format", "json")
    assert json.loads(as_percent.out)["features"] == json.loads(as_fraction.out)["features"]


@pytest.mark.parametrize("method", ["min-features", "focus1", "focus2", "wg"])
def test_margin_makes_numbers_mean_something(fewest, tmp_path, method):
    data = tmp_path / "measured.csv"
    data.write_text(MEASURED)
    done = fewest("select", str(data), "-t", "kind", "-m", method, "--margin", "0.5", "--format", "json")
    assert json.loads(done.out)["features"] == ["height"]


def test_a_certificate_with_margins_is_verified(fewest, tmp_path):
    data, certificate = tmp_path / "measured.csv", tmp_path / "proof.json"
    data.write_text(MEASURED)
    options = ["-t", "kind", "--margin", "width=0.5", "--margin", "height=10%"]
    fewest("select", str(data), *options, "--certificate", str(certificate))
    assert json.loads(certificate.read_text())["margins"] == pytest.approx({"width": 0.5, "height": 0.1})
    done = fewest("verify", str(certificate), str(data))
    assert (done.code, done.out.count("true")) == (0, 5)
    tampered = json.loads(certificate.read_text())
    tampered["margins"]["height"] = 5
    certificate.write_text(json.dumps(tampered))
    assert fewest("verify", str(certificate), str(data)).code == 1


def test_sufficient_by_margin(fewest, tmp_path):
    data = tmp_path / "measured.csv"
    data.write_text(MEASURED)
    assert fewest("sufficient", str(data), "-t", "kind", "--features", "width").code == 0
    assert fewest("sufficient", str(data), "-t", "kind", "--features", "width", "--margin", "0.2").code == 1


def test_a_certificate_with_a_tolerance_is_verified(fewest, tmp_path):
    certificate = tmp_path / "proof.json"
    options = ("--tolerance", "0.02", "--no-validation", "--certificate", str(certificate))
    assert fewest("select", "fewest:votes", "-t", "party", *options).code == 0
    done = fewest("verify", str(certificate), "fewest:votes")
    assert done.code == 0
    assert "than the tolerance allows" in done.out
    tampered = json.loads(certificate.read_text()) | {"tolerance": 0.001}
    certificate.write_text(json.dumps(tampered))
    assert fewest("verify", str(certificate), "fewest:votes").code == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--tolerance", "many"], "no fraction"),
        (["--tolerance", "2"], "no fraction"),
        (["--margin", "far"], "no distance"),
        (["--margin", "0.5", "--margin", "party=2"], "names no column"),
        (["--margin", "immigration=2"], "'immigration' is"),
    ],
)
def test_mistakes_are_explained(fewest, options, message):
    done = fewest("select", "fewest:votes", "-t", "party", *options)
    assert done.code == 2
    assert message in done.err
    assert "Traceback" not in done.err


@pytest.fixture
def petals(tmp_path):
    """Two measurements, of which one tells the kind, and noise."""
    rng = np.random.default_rng(0)
    length = rng.normal(3, 1, 200).round(3)
    width = rng.normal(1, 0.3, 200).round(3)
    kinds = np.where(length > 3.2, "large", "small")
    lines = [f"{a},{b},{k}" for a, b, k in zip(length, width, kinds, strict=True)]
    (tmp_path / "petals.csv").write_text("\n".join(["length,width,kind", *lines]))
    return "petals.csv"


def test_bins_select_the_number_that_tells_the_class(fewest, petals):
    done = fewest("select", petals, "-t", "kind", "--bins", "--explain", "--format", "json")
    answer = json.loads(done.out)
    assert answer["features"] == ["length"]
    assert {value[0] for value in answer["explanation"][0]["values"]} == {"<", ">"}
    assert [note.partition(" right")[0] for note in answer["notes"]] == ["length alone predicts kind"]


def test_bins_are_part_of_a_model(fewest, petals, tmp_path):
    trained = fewest("train", petals, "-t", "kind", "--bins", "--show", "-o", "petals.model")
    assert (trained.code, "length?\n├── <= 3." in trained.out) == (0, True)
    assert trained.err.count("fewest: ") == trained.err.count("fewest: note: length alone predicts kind right") == 1
    (tmp_path / "new.csv").write_text("length,width\n-50,1\n99,1\n3.1,one\n")
    done = fewest("predict", "petals.model", "new.csv")
    assert done.code == 2
    assert "'width'" in done.err
    (tmp_path / "new.csv").write_text("width,length\n1,-50\n1,99\n1,\n")
    done = fewest("predict", "petals.model", "new.csv")
    assert (done.code, done.out.splitlines()[:3]) == (0, ["row,predicted", "0,small", "1,large"])
    assert done.err == ""  # no number is new to an interval


def test_a_tolerance_needs_a_selection(fewest, petals):
    done = fewest("train", petals, "-t", "kind", "--tolerance", "0.1")
    assert done.code == 2
    assert "--select" in done.err


def test_selection_with_tolerance_before_learning(fewest):
    done = fewest("train", "fewest:votes", "-t", "party", "--select", "sg", "--tolerance", "0.01", "--format", "json")
    assert len(json.loads(done.out)["selected"]) < 5


def test_no_feature_is_needed_or_none_helps(fewest, write):
    write("two.csv", "a,c\n1,x\n2,y\n")
    assert "the tolerance allows every pair" in fewest("select", "two.csv", "-t", "c", "--tolerance", "1").out
    write("same.csv", "a,c\n1,x\n1,y\n")
    done = fewest("select", "same.csv", "-t", "c", "--tolerance", "0.5", "--keep-all")
    assert (done.code, "No feature separates any" in done.out) == (1, True)


def test_a_certificate_carries_intervals(fewest, petals, tmp_path):
    fewest("select", petals, "-t", "kind", "--bins", "--certificate", "proof.json")
    proof = json.loads((tmp_path / "proof.json").read_text())
    assert any(proof["cuts"].values())
    run = fewest("verify", "proof.json", petals)
    assert (run.code, "FALSE" in run.out) == (0, False)
    proof["cuts"] = {name: [] for name in proof["cuts"]}
    (tmp_path / "proof.json").write_text(json.dumps(proof))
    assert fewest("verify", "proof.json", petals).code == 1
    proof["cuts"] = {"nothing": [1.0]}
    (tmp_path / "proof.json").write_text(json.dumps(proof))
    run = fewest("verify", "proof.json", petals)
    assert (run.code, "cuts are not those of its columns" in run.err) == (2, True)
