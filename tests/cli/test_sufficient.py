import json


def test_yes(fewest, weather):
    run = fewest("sufficient", weather, "--target", "play", "--features", "windy")
    assert (run.code, run.out) == (0, "Yes: no two rows of different play agree on windy.\n")


def test_no_with_two_rows_that_prove_it(fewest, weather):
    run = fewest("sufficient", weather, "--target", "play", "--features", "outlook,humidity")
    assert run.code == 1
    assert run.out.splitlines() == [
        "No: 1 pair of rows agrees on outlook, humidity but not on play. For example:",
        "",
        "            row 1  row 3",
        "  play      no     yes",
        "  outlook   rain   rain",
        "  humidity  80     80",
    ]


def test_json(fewest, weather):
    run = fewest("sufficient", weather, "-t", "play", "--features", "o*", "--format", "json")
    result = json.loads(run.out)
    assert (run.code, result["is_sufficient"], result["n_uncovered"]) == (1, False, 2)
    assert result["features"] == ["outlook"]
    assert result["witness"]["classes"] == ["no", "yes"]
    assert result["witness"]["values"] == {"outlook": ["sunny", "sunny"]}


def test_contradictions_make_every_subset_insufficient(fewest, write):
    write("noisy.csv", "a,class\n0,x\n0,y\n1,z\n")
    run = fewest("sufficient", "noisy.csv", "-t", "class", "--features", "a")
    assert run.code == 1
    assert "1 pair of rows agrees on a but not on class. 1 of them no feature separates." in run.out


def test_quoted_names_and_unknown_names(fewest, write):
    write("comma.csv", '"a,b",c,class\n0,1,x\n1,1,y\n')
    assert fewest("sufficient", "comma.csv", "-t", "class", "--features", '"a,b"').code == 0
    run = fewest("sufficient", "comma.csv", "-t", "class", "--features", "d")
    assert run.code == 2
    assert "There is no column 'd'" in run.err
