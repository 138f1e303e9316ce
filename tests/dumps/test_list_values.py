"""The table values: elements of containers, and values of a type, against what the programs know."""

import collections
import pathlib
import re

from executables import built_from, dump_of, exe_of, files, truth_of
from harness import ONE, answer, equal, run, test

CORNER = ["go1.19-corner", "go1.27-corner"]
SMALL = ["go1.19.8-small", "go1.22.12-small", "go1.24.4-small-386", "go1.24.4-small-s390x", "go1.27.3-small"]


def values(name, of, *more):
    return answer("list", "values", dump_of(name), of, "--exe", exe_of(name), *more)


@test(each=CORNER)
def each_entry_of_a_map_once(name):
    """Whatever the order, the size and the kind of its keys and values; empty slots and those left behind do not count."""
    rows = values(name, "main.noscanMap", "--sort", "key")
    equal([(row["key"], row["value"]) for row in rows], [(7 * i, f"[{i} 0 0 0]") for i in range(20000)], "noscanMap")
    equal(rows[10]["name"], "main.noscanMap[70]", "its path")
    wide = values(name, "main.wideMap", "--columns", "key,object,address,bytes,.A.N,.A.Name")
    equal({row["key"]: row[".A.N"] for row in wide}, {i: i for i in range(2000)}, "wideMap")
    equal({(row["bytes"], row[".A.Name"], row["object"] == row["address"]) for row in wide}, {(256, "wide", True)}, "parts")
    equal({row["key"] for row in values(name, "main.holeMap")}, set(range(0, 4000, 5)), "holeMap")
    equal({row["key"] for row in values(name, "main.setMap")}, {f"s{i}" for i in range(3000)}, "setMap")
    equal(values(name, "main.emptyMap"), [], "emptyMap")
    told = {row["name"]: row for row in truth_of(name)["maps"]}
    growing = values(name, "main.growing", "--columns", "key,.N")
    equal({row["key"]: row[".N"] for row in growing}, {i: i for i in range(told["growing"]["entries"])}, "growing")
    equal(len(growing), told["growing"]["entries"], "each once")
    mixed = values(name, "main.ifaceMap")
    equal((len(mixed), len({row["key"] for row in mixed})), (4000, 4000), "ifaceMap")
    equal(len({row["address"] for row in values(name, "main.syncMap")}), 2000, "syncMap")


@test(each=CORNER, builds=["gcc"])
def names_lead_back(name):
    """The path of a value, also behind one that was left out, opens the page of the value."""
    for of in ("main.noscanMap", "type=[4]uint64", "main.bytesMap[*]", "main.generic[*].Val.N"):
        for row in values(name, of, "--limit", "2"):
            page = answer("show", dump_of(name), row["name"], "--exe", exe_of(name))
            equal((page["address"], page["type"], page["name"]), (row["address"], row["type"], row["name"]), of)


@test(each=CORNER)
def values_of_a_type(name):
    """Those that maps hold, whether in their slots or as objects of their own."""
    by_map = {row["address"]: row["value"] for row in values(name, "main.wideMap")}
    by_type = {row["address"]: row["value"] for row in values(name, "type=main.Wide")}
    equal(by_type, by_map, "main.Wide")
    for of, said in (("type=main.Wide", True), ("main.wideMap", False)):
        note = run("list", "values", dump_of(name), of, "--exe", exe_of(name), "--limit", "1", expect=0).err
        equal("Local variables on stacks are not counted." in note, said, note)
    arrays = values(name, "type=[4]uint64")
    equal(collections.Counter(row["key"] is not None for row in arrays)[True], 20000, "[4]uint64")
    result = run("list", "objects", dump_of(name), "type=[4]uint64", "--exe", exe_of(name), expect=0)
    assert "values elsewhere have it: see values type=[4]uint64" in result.err, result
    result = run("list", "objects", dump_of(name), "type=[4]uint64", "--exe", exe_of(name), "--group", "size", expect=0)
    assert "see values type=[4]uint64" in result.err, result


def first_numbers(dump, exe, of):
    rows = answer("list", "values", dump, f"type={of}", "--exe", exe)
    return rows, collections.Counter(int(re.search(r" N:(\d+)", row["value"])[1]) for row in rows)


@test(builds=["gcc"])
def values_in_variables_and_whole_arrays():
    """In variables, in static values behind them, as arrays that are objects or elements of a slice of arrays: each
    value once, whatever else leads to it. A slice of as many elements is no array."""
    dump, exe, told = built_from(pathlib.Path(__file__).with_name("valueplaces.go"))
    for of, numbers in told.items():
        rows, found = first_numbers(dump, exe, of)
        equal(found, collections.Counter(numbers), of)
        for row in rows:
            if row["object"] is None:
                page = answer("list", "fields", dump, row["name"], "--exe", exe)
                assert page and page[0]["text"], row
            elif not re.match(r"main.g(Part|Wide|Rows)", row["name"]) or (of[0] == "[" and "gRows" in row["name"]):
                # no element of an array of arrays, and no pointer into the middle
                page = answer("show", dump, row["name"], "--exe", exe)
                equal(page["address"], row["address"], row["name"])
                assert page["type"] in (of, "[]main.mark"), page  # an object that is an array
    odd = answer("list", "values", dump, "type=[3]uint64", "--exe", exe)
    equal([(row["name"], row["value"]) for row in odd], [("main.gOdd", "[11 12 13]")], "in a slot for four")
    lacking = run("list", "values", dump, "type=[4]int64", "--exe", exe).err
    assert "1 variable with such values is not counted: the dump lacks the bytes" in lacking, lacking
    opened = run("-e", "values type=main.mark; filter name = main.gOne; wait all; follow; wait all; screen", dump,
                 "--exe", exe, "--size", "80x24", expect=0).out
    assert "fields of main.gOne" in opened and '"made"' in opened, opened


@test(each=CORNER, builds=["gcc"])
def elements_of_slices(name):
    """Up to their lengths; [*] stands for all elements."""
    lengths = {row["name"]: row["len"] for row in truth_of(name)["objects"]}
    equal(len(values(name, "main.exact4097")), 4097, "exact4097")
    texts = values(name, "main.strs[*]")
    equal(len(texts), sum(length for at, length in lengths.items() if at.startswith("strs ")), "strs")
    equal([(row["key"], row["value"], row["type"]) for row in texts[:3]],
          [(0, "str0", "string"), (0, "str0", "string"), (1, "str1", "string")], "strs")
    equal([row["value"] for row in values(name, "main.generic[*].Key")], [f"g{i}" for i in range(200)], "fields")
    equal(len(values(name, "main.bytesMap[*]")), sum(i % 100 for i in range(3000)), "bytes of the values of a map")


@test(each=CORNER, builds=["gcc"])
def fields_are_columns(name):
    where = ("--where", "key >= 100 and .A.N < 110")
    rows = values(name, "main.wideMap", *where, "--columns", "key,.A.N,.Pad[3],len(.Pad)", "--sort", "-key")
    equal(rows, [{"key": n, ".A.N": n, ".Pad[3]": 0, "len(.Pad)": 30} for n in range(109, 99, -1)], "columns")
    groups = values(name, "main.wideMap", "--group", ".A.Name,sum(.A.N)")
    equal([(row["value"], row["count"], row["bytes"], row["sum(.A.N)"]) for row in groups],
          [("wide", 2000, 2000 * 256, sum(range(2000)))], "groups")
    result = run("list", "values", dump_of(name), "main.wideMap", "--exe", exe_of(name), "--columns", ".Nope", expect=2)
    assert "has .Nope" in result.err and ".Pad" in result.err, result


@test(each=SMALL)
def maps_and_channels_of_each_machine(name):
    rows = values(name, "main.gMapIntInt")
    equal({row["key"]: row["value"] for row in rows}, {i: i * i for i in range(100)}, "gMapIntInt")
    rows = values(name, "main.gMapIntInt", "--where", "value > 2500", "--sort", "value")
    equal([row["value"] for row in rows], [i * i for i in range(51, 100)], "numbers are numbers")
    rows = values(name, "main.gMapStruct")
    equal({(row["key"], row["value"]) for row in rows}, {(f"[{i} {-i}]", f"v{i}") for i in range(100)}, "gMapStruct")
    pointers = [row["value"].split()[0] for row in values(name, "main.gChanBuf")]
    equal(pointers, truth_of(name)["ChanBuffered"], "gChanBuf")


@test
def what_leads_to_no_values():
    dump, exe = files(ONE)[0], files(ONE)[1:]
    for of, status, words in (
            ("main.nope", 1, "is no address, variable"), ("main.gMapIntInt[*].X", 1, "main.gMapIntInt[*] (int) has no such"),
            ("main.gMapIntInt[*][*]", 1, "main.gMapIntInt[*] has no elements"), ("main.gMapIntInt[*", 1, "has no such key"),
            ("[*]", 1, "no address"), ("main.gMapIntInt" + "[*]" * 9, 1, "Too many [*]"), ("type=", 0, "no values of type"),
            ("type=main.Nope", 0, "no values of type main.Nope"), ("0x1", 1, "No object"), ("goroutine 1", 1, "Name a map")):
        result = run("list", "values", dump, of, *exe, expect=None)
        assert words in result.err and not result.out.strip(), (of, result)
    result = run("list", "values", dump, "0xc000193140", expect=None)
    assert "--exe FILE" in result.err and result.status, result
