"""Values that are parts of objects: entries of maps, elements and fields, against what the programs know."""

from executables import dump_of, exe_of, files
from harness import ONE, answer, equal, run, test

CORNER = ["go1.19-corner", "go1.27-corner"]
SMALL = ["go1.19.8-small", "go1.22.12-small", "go1.24.4-small-386", "go1.24.4-small-s390x", "go1.27.3-small"]


def shown(name, path, *more):
    return answer("show", dump_of(name), path, "--exe", exe_of(name), *more)


@test(each=CORNER)
def an_entry_of_a_map_is_a_page(name):
    """main.noscanMap[7 * i] is [i 0 0 0], in the middle of a bucket or group."""
    for i in (0, 1, 777, 19999):
        path = f"main.noscanMap[{7 * i}]"
        page = shown(name, path)
        equal((page["type"], page["size"], page["name"]), ("[4]uint64", 32, path), path)
        equal([row["text"] for row in page["fields"]], [str(i), "0", "0", "0"], path)
        equal([row["offset"] for row in page["fields"]], [0, 8, 16, 24], path)
        whole = page["object"]
        equal(int(whole["address"], 16) + page["offset"], int(page["address"], 16), "its place")
        assert page["offset"] + 32 <= whole["size"] and "map[uint64][4]uint64" in whole["type"], whole
        by_place = shown(name, f"{whole['address']}({hex(page['offset'])} [4]uint64)".replace("(", "(+"))
        equal(by_place, page, "the same by its place")
        equal(answer("list", "fields", *files(name)[:1], path, *files(name)[1:]), page["fields"], "its fields")


@test(each=CORNER, builds=["gcc"])
def an_element_of_an_entry(name):
    page = shown(name, "main.noscanMap[70][0]")
    equal((page["type"], page["text"], page["size"]), ("uint64", "10", 8), "an element")
    page = shown(name, "main.noscanMap key [70]")
    equal((page["type"], page["text"], page["name"]), ("uint64", "70", "main.noscanMap key [70]"), "a key")


@test(each=CORNER, builds=["gcc"])
def what_is_a_whole_object_stays_one(name):
    """Values of more than 128 bytes have objects of their own, and so do those that pointers lead to."""
    page = shown(name, "main.wideMap[17]")
    equal((page["type"], page["size"], page["distance"] > 0), ("main.Wide", 256, True), "a wide value")
    page = shown(name, "main.bigMap[\"key-00017\"]")
    equal((page["type"], page["fields"][0]["text"]), ("main.Val", "17"), "a pointer")
    page = shown(name, "main.wideMap[17].Pad[3]")
    equal((page["type"], page["text"], page["object"]["type"]), ("uint64", "0", "main.Wide"), "a part of one")


@test(each=SMALL, builds=["gcc"])
def values_of_basic_types(name):
    for i in (0, 7, 99):
        page = shown(name, f"main.gMapIntInt[{i}]")
        equal((page["type"], page["text"], page["name"]), ("int", str(i * i), f"main.gMapIntInt[{i}]"), i)


@test(builds=["gcc"])
def what_is_no_such_value():
    corner, exe = files(CORNER[0])[0], files(CORNER[0])[1:]
    for path, words in (("main.noscanMap[8]", "has no such key"), ("main.noscanMap[7][4]", "has no such element"),
                        ("main.noscanMap[7].X", "has no such field"), ("main.wideMap[17].B", "is nil")):
        result = run("show", corner, path, *exe, expect=None)
        assert words in result.err and not result.out, result
    page = shown(CORNER[0], "main.noscanMap[7]")
    address, offset = page["object"]["address"], page["offset"]
    for step in (f"(+{hex(offset)} [5]uint64)", f"(+{hex(offset + 4)} [4]uint64)", "(+0xffffffffffff int)", "(+0x8 int",
                 "(+0x8 )", f"(+{hex(offset)} [4]uint64"):
        result = run("show", corner, address + step, *exe, expect=None)
        assert result.err and not result.out, result
