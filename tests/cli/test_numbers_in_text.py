"""Numbers and dates in text on the command line: what is read, what is said, and the options that overrule it."""

import pytest

ROWS = [
    ("1.234,56", "7 %", "31.01.2024", "p"),
    ("12,50", "12 %", "01.02.2024", "q"),
    ("3,75", "9 %", "24.12.2023", "p"),
]


@pytest.fixture
def german(tmp_path):
    path = tmp_path / "german.csv"
    path.write_text("\n".join(["amount;share;since;y", *(";".join(row) for row in ROWS)]))
    return str(path)


@pytest.mark.parametrize("engine", ["memory", "stream"])
def test_what_was_understood_is_said(fewest, german, engine):
    answer = fewest("select", german, "--target", "y", "--engine", engine)
    assert "Columns of text were read as what they mean: 'amount' (numbers with ',' before the decimals)" in answer.err
    assert "'since' (dates (day, month, year), as days since 1970-01-01)" in answer.err


def test_kinds_and_signs_overrule_it(fewest, german):
    kept = fewest("sufficient", german, "--target", "y", "--features", "since", "--kind", "since=nominal")
    assert "'since' (dates" not in kept.err
    forced = fewest("sufficient", german, "--target", "y", "--features", "amount", "--decimal", ".", "--thousands", ",")
    assert "'amount' (numbers" not in forced.err
    assert "decimal='x' is not known" in fewest("select", german, "--target", "y", "--decimal", "x").err


def test_a_model_of_german_numbers_predicts_from_american_ones(fewest, german, tmp_path):
    american = tmp_path / "american.csv"
    american.write_text('amount,share,since,y\n"1,234.56",7%,2024-01-31,p\n12.50,12%,2024-02-01,q\n')
    model = str(tmp_path / "model")
    assert fewest("train", german, "--target", "y", "-o", model, "--exact-values").code == 0
    answer = fewest("predict", model, str(american))
    assert answer.out.split() == ["row,predicted", "0,p", "1,q"]
