"""Names with keys of maps: told where all objects of a row are in one entry, written as Go's %q does, and accepted where
a name is asked for; against a program that is built here, where there is a Go compiler."""

import json
import pathlib

from executables import built_from
from harness import answer, equal, run, test

PROGRAM = pathlib.Path(__file__).with_name("keys.go")


def asked(*words):
    dump, exe, _ = built_from(PROGRAM)
    return answer(*words[:2], dump, *words[2:], "--exe", exe)


def counted(place):
    dump, exe, _ = built_from(PROGRAM)
    result = run("list", "objects", dump, f"at={place}", "--json", "--exe", exe)
    return len(json.loads(result.out)) if result.status == 0 else None


@test(builds=["gcc"])
def where_tells_the_entry_that_all_are_in():
    names = {(row["name"], row["count"]) for row in asked("list", "where", "--depth", "9") if row["name"]}
    for wanted in (('["bucket-37"].Rest', 1), ('["bucket-41"]', 1), (".Meta", 100)):
        assert wanted in names, (wanted, sorted(names, key=str)[:80])
    assert not any("bucket-" in name and count == 100 for name, count in names)


@test(builds=["gcc"])
def owners_tell_the_entry_that_all_are_in():
    names = [row["name"] for row in asked("list", "owners", "--depth", "3")]
    (shared,) = [name for name in names if "shared with" in name and "bucket-53" in name]
    place, _, other = shared.partition(", shared with ")
    assert place.endswith('["bucket-53"][*]') and {place.partition("[")[0], other} == {"main.gShared", "main.gSecond"}
    equal(counted(place), 700, place)
    assert any('["bucket-41"][*]' in name and "5,000 × main.part" in name for name in names), names[:30]
    assert any("[*]  100 × main.bucket" in name for name in names), names[:30]


@test(builds=["gcc"])
def a_place_is_accepted_with_its_keys():
    for place, count in (('main.gBuckets["bucket-37"].Rest[*]', 5000), ('main.gLists["bucket-41"][*]', 5000),
                         ("main.gBuckets[*].Meta", 100), ('main.gBuckets["bucket-07"].Meta', 1),
                         ('main.gBuckets["bucket-07"].Meta.Parts', 1), ('main.gBuckets["bucket-07"].Meta.Parts[*]', 2),
                         ('main.gBuckets["bucket-07"].Meta.Parts[1]', 1), ('main.gBuckets[*].Meta.Parts[*]', 200),
                         ('main.gBuckets["bucket-07"].Meta.Parts[2]', None), ('main.gBuckets["bucket-xx"].Meta', None),
                         ('main.gBuckets["bucket-07"].Rest[*]', None)):
        equal(counted(place), count, place)
    (row,) = asked("list", "retained-set", 'at=main.gBuckets["bucket-37"].Rest[*]')
    equal((row["name"], row["count"]), ("main.part", 5000), "what they retain")


@test(builds=["gcc"])
def the_only_key_is_named_and_accepted():
    """An object that only a key of a map leads to is called the same by where, show and at=."""
    dump, exe, _ = built_from(PROGRAM)
    single, pair = f'"single, {1:080d}"', f'{{Name:"pair, {2:020d}" N:3}}'
    rows = asked("list", "where", "--depth", "9")
    named = {row["name"]: row for row in rows if row["name"]}
    (pointer,) = [row["address"] for row in asked("list", "objects", "at=main.gPointer[*] key")]
    for variable, step in (("gSingle", f" key [{single}]"), ("gPair", f" key [{pair}].Name"),
                           ("gPointer", f" key [{pointer}]")):
        place = f"main.{variable}{step}"
        assert step in named, (step, sorted(named))
        equal((named[step]["count"], named[step]["expression"]), (1, place), place)
        equal([row["address"] for row in asked("list", "objects", f"at={place}")], [named[step]["example"]], place)
        equal(answer("show", dump, place, "--exe", exe)["address"], named[step]["example"], place)
    for place, count in (("main.gMaps[*][*] key", 51), (f'main.gMaps[0] key ["inner, 0, {0:080d}"]', 1),
                         (f'main.gMaps[1] key ["inner, 1, {7:080d}"]', 1), ("main.gMaps[1][*] key", 50),
                         (f'main.gMaps[*] key ["inner, 1, {7:080d}"]', 1),
                         (f'main.gMaps[0] key ["inner, 1, {7:080d}"]', None), ("main.gSingle key", None)):
        equal(counted(place), count, place)


@test(builds=["gcc"])
def a_key_is_written_as_go_does_and_accepted():
    dump, exe, told = built_from(PROGRAM)
    fields = asked("list", "fields", "main.gOdd")
    equal({row["name"] for row in fields}, {f"[{key}]" for key in told.values()}, "the names of entries")
    address = {row["name"]: row["object"] for row in fields}
    for key in told.values():
        name = f"main.gOdd[{key}]"
        for found in (answer("show", dump, name, "--exe", exe)["address"],
                      answer("path", dump, name, "--exe", exe)[0][-1]["address"],
                      *[row["address"] for row in asked("list", "objects", f"at={name}")]):
            equal(found, address[f"[{key}]"], name)
        equal(counted(name), 1, name)
