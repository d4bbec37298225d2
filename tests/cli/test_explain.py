import json

TABLE = "id,outlook,humidity,windy,play\n" + "\n".join(
    f"r{i:02},{'sunny' if i % 3 else 'rain'},{60 + i},{'yes' if i % 2 else 'no'},{'yes' if i % 3 and i % 2 else 'no'}"
    for i in range(24)
)


def test_a_row_by_number(fewest, write):
    write("weather.csv", TABLE)
    run = fewest("explain", "weather.csv", "--target", "play", "--row", "1")
    assert run.code == 0
    lines = run.out.splitlines()
    assert lines[:6] == [
        "Row 1 has play yes, and no row of another play shares these values:",
        "",
        "  outlook  sunny",
        "  windy    yes",
        "",
        "7 other rows of play yes share them. No fewer features would do.",
    ]
    assert "id" in run.err  # it names the rows, and is left out


def test_a_row_by_its_values_and_as_json(fewest, write):
    write("weather.csv", TABLE)
    run = fewest("explain", "weather.csv", "-t", "play", "--where", "id=r00", "--nearest", "2", "--format", "json")
    result = json.loads(run.out)
    assert (result["row"], result["label"], result["features"]) == (0, "no", ["windy"])
    assert result["alternatives"] == [["windy"], ["outlook"]]
    assert result["n_sharing_alternatives"] == [11, 7]
    assert len(result["nearest"]) == 2
    several = fewest("explain", "weather.csv", "-t", "play", "--where", "windy=yes")
    assert several.code == 2
    assert "12 rows have windy=yes: 1, 3, 5" in several.err
    none = fewest("explain", "weather.csv", "-t", "play", "--where", "windy=maybe")
    assert (none.code, "No row has windy=maybe" in none.err) == (2, True)


def test_a_new_row_from_a_file(fewest, write):
    write("weather.csv", TABLE)
    write("new.csv", "windy,outlook,humidity\nno,sunny,61\nyes,sunny,70\n")
    run = fewest("explain", "weather.csv", "-t", "play", "--new", "new.csv", "--row", "1")
    assert run.code == 0
    assert "The new row has play yes, and no row of another play shares these values:" in run.out
    assert "The new row has no play; the nearest rows have yes." in run.err
    past = fewest("explain", "weather.csv", "-t", "play", "--new", "new.csv", "--row", "2")
    assert (past.code, "has 2 rows, counted from 0" in past.err) == (2, True)


def test_a_twin_of_another_class_is_a_negative_finding(fewest, write):
    write("noisy.csv", "a,b,class\n0,0,x\n0,0,y\n1,0,y\n0,1,x\n")
    run = fewest("explain", "noisy.csv", "-t", "class", "--row", "0", "--keep-all")
    assert run.code == 1
    assert "row 1 is alike in every feature but has another class." in run.out


def test_which_row_must_be_said_once(fewest, write):
    write("weather.csv", TABLE)
    nothing = fewest("explain", "weather.csv", "-t", "play")
    assert (nothing.code, "No row was named" in nothing.err) == (2, True)
    twice = fewest("explain", "weather.csv", "-t", "play", "--row", "1", "--where", "windy=yes")
    assert (twice.code, "--where names the row already" in twice.err) == (2, True)
    beyond = fewest("explain", "weather.csv", "-t", "play", "--row", "24")
    assert (beyond.code, "There is no row 24" in beyond.err) == (2, True)
