"""Names of places: where all that is at one has the same key of a map, or the same index, the name has it, against a
program that is built here, where there is a Go compiler."""

import pathlib

from executables import built_from, dump_of, exe_of
from harness import answer, equal, run, test

SOURCE, LIST = (pathlib.Path(__file__).with_name(name) for name in ("onekey.go", "onelist.go"))


def placed(dump, exe, place):
    return answer("list", "objects", dump, f"at={place}", "--exe", exe)


@test(builds=["gcc"])
def an_entry_that_all_are_in_is_named():
    dump, exe, told = built_from(SOURCE)
    rows = {row["name"]: row for row in answer("list", "findings", dump, "--exe", exe) if row["kind"] == "place"}
    for place in told:
        name = place["Name"]
        assert name in rows, (name, list(rows))
        equal((rows[name]["count"], rows[name]["what"]), (place["Count"], f"{place['Count']:,} × main.part"), name)
        equal({row["type"] for row in placed(dump, exe, name)}, {"main.part"}, name)
        equal(len(placed(dump, exe, name)), place["Count"], f"{name}, as it is printed")
    spread = placed(dump, exe, 'main.gBuckets[*].Parts[*]')
    equal(len(spread), told[0]["Count"], "with any key")
    equal(len(placed(dump, exe, 'main.gSpread["bucket-01"].Parts[*]')), 40, "one key of many")
    for wrong in ('main.gBuckets["bucket-01"].Parts[*]', "main.gWindow[20].Parts[*]", 'main.gSpread["bucket-99"].Parts[*]'):
        assert "no such place" in run("list", "objects", dump, f"at={wrong}", "--exe", exe, expect=2).err, wrong


@test(builds=["gcc"])
def a_long_list_in_the_only_entry_is_walked_once():
    """Each of its nodes is on the path to all those behind it."""
    dump, exe, nodes = built_from(LIST)
    rows = answer("list", "findings", dump, "--exe", exe)
    equal([(row["name"], row["count"]) for row in rows if row["kind"] == "place"], [('main.lists["only"] > main.node', nodes)], "places")


@test(builds=["gcc"])
def no_key_is_told_where_none_may_be():
    dump, exe, _ = built_from(SOURCE)
    text = run("list", "findings", dump, "--exe", exe, "--hide", expect=0).out
    assert "uploads" not in text and "main.gBuckets[key].Parts[*]" in text, text


@test(each=["go1.24.4-small", "go1.19-corner", "go1.27-corner"], builds=["gcc"])
def places_of_findings_are_accepted(name):
    places = [row["name"] for row in answer("list", "findings", dump_of(name), "--exe", exe_of(name)) if row["kind"] == "place"]
    for place in places:
        equal(len(placed(dump_of(name), exe_of(name), place)) > 0, True, place)
