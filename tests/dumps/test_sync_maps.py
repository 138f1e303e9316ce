"""What is in maps of package sync: of tries against a walk over the dump in Python, of all against
a program that is built here, where there is a Go compiler, and tells what it has put into them."""

import pathlib
import re
import subprocess
import tempfile

from executables import built_from, dump_of, exe_of, files
from harness import ONE, answer, equal, oracle, run, stored, test

SOURCE = pathlib.Path(__file__).with_name("syncmaps.go")
GLOBALS = ["gRead", "gNew", "gBoth", "gMany", "gEmptied"]


def built():
    return built_from(SOURCE)


def pairs(rows):
    """Key -> address of the value; every key stands there once."""
    entries = [(row["name"], row["target"]) for row in rows if (row["name"] or "").startswith("[")]
    found = {re.fullmatch(r'\["(.*)"\]', name)[1]: value for name, value in entries}
    equal(len(found), len(entries), "keys")
    return found


def shown(address):
    dump, exe, _ = built()
    return answer("show", dump, address, "--exe", exe)["fields"]


def page_of(variable):
    """The object that has all entries of a global: of two maps, the one with what is new."""
    dump, exe, _ = built()
    roots = [root for root in answer("list", "roots", dump, "--exe", exe)
             if root["name"] == f"main.{variable}"]
    new = [root for root in roots if root["type"].startswith("map[")]
    return (new or roots)[0]["target"]


@test(each=GLOBALS)
def a_variable_has_all_its_entries(name):
    dump, exe, told = built()
    rows = answer("list", "fields", dump, f"main.{name}", "--exe", exe)
    equal(pairs(rows), told[name], f"entries of main.{name}")
    shown = run(dump, exe, "-e", f"goto main.{name}", expect=0).out
    assert f"entries of main.{name} " in shown, shown


@test(each=GLOBALS)
def entries_of_a_global(name):
    told = built()[2]
    equal(pairs(shown(page_of(name))), told[name], f"entries of main.{name}")


@test
def entries_of_an_object():
    told = built()[2]
    rows = shown(told["heap"])
    equal(pairs(rows), told["gHeap"], "entries of *main.gHeap")
    values = {row["text"] for row in rows if row["name"] == '["key-003"]'}
    equal(values, {f"*main.item {told['gHeap']['key-003']}  {{N:3 Next:nil}}"}, "its text")


@test
def entries_of_a_field():
    told = built()[2]
    rows = shown(told["holder"])
    equal([row["name"] for row in rows[:3]], ["Name", "Cache", "After"], "fields")
    equal(rows[1]["text"], "map, 6 entries", "text of the field")
    got = {row["name"]: row["target"] for row in rows[3:]}
    equal(got, {f'Cache["{key}"]': value for key, value in told["Cache"].items()}, "its entries")


@test
def page_of_an_object_with_a_map():
    """Its fields first, then what is in the map, which leads on to the values."""
    dump, exe, told = built()
    with tempfile.TemporaryFile("w+") as steps:
        steps.write(f"wait all\nobject {told['holder']}\nkeys G\nscreen\n")
        steps.seek(0)
        screen = run("--script", "-", "--exe", exe, dump, stdin=steps, expect=0).out
    assert re.search(r" ENTRIES +6 entries", screen), screen
    for key in ("key-000", "key-005"):
        assert f'Cache["{key}"]  any  ' in screen, screen


@test(each=["gRead", "gNew", "gBoth", "gMany", "gHeap", "Cache"], builds=["gcc"])
def paths_name_the_key(name):
    dump, exe, told = built()
    variable = "main.gHolder.Cache" if name == "Cache" else f"main.{name}"
    for key, address in list(told[name].items())[:10]:
        equal(set(paths_to(dump, address, "--exe", exe)), {f'{variable}["{key}"]'}, "paths to it")


def trie_words(graph, address):
    """The four words of each entry under a node: two interfaces, of the key and of the value."""
    dump = graph.dump
    obj = dump.objects[dump.find(address)]
    data, found = obj.data[obj.header:], []

    def word(at):
        return int.from_bytes(data[at:at + 8], "little")

    if data[0]:
        found.append([word(at) for at in range(16, 48, 8)])
        below = [word(8)]
    else:
        below = [word(at) for at in range(24, 24 + 16 * 8, 8)]
    for child in below:
        found += trie_words(graph, child) if child else []
    return found


TRIES = [
    (ONE, "internal/godebug.cache"),
    ("go1.26.10-server", "encoding/json.encoderCache"),
    ("go1.26.10-server", "encoding/json.fieldCache"),
    ("go1.26.10-server", "reflect.ptrMap"),
]


def root_of(name, variable):
    for root in answer("list", "roots", *files(name)):
        if root["name"].startswith(variable):
            return root["target"]
    raise AssertionError(f"there is no root {variable}")


def paths_to(*arguments):
    return [path[0]["path"] for path in answer("path", *arguments)]


@test(each=TRIES, builds=["gcc"])
def entries_of_a_trie(name_and_variable):
    name, variable = name_and_variable
    top = root_of(name, variable)
    rows = answer("show", dump_of(name), top, "--exe", exe_of(name))["fields"]
    got = [int(row["target"], 16) for row in rows if (row["name"] or "").startswith("[")]
    want = [words[3] for words in trie_words(oracle(name), int(top, 16))]
    assert want
    equal(got, want, f"values of {variable}")


@test(builds=["gcc"])
def entries_of_a_canonical_map():
    """Package unique has a trie of its own from Go 1.25 on; its entries have keys only."""
    name = "go1.26.10-server"
    rows = answer("list", "objects", *files(name), "--parts", "--where", 'type ~ "unique"')
    [top] = [row["address"] for row in rows if row["type"].startswith("unique.canonMap[")]
    [node] = [row["address"] for row in rows if row["type"].startswith("unique.indirect[")]
    entries = len(trie_words(oracle(name), int(node, 16)))
    assert entries
    found = [row for row in rows if row["type"].startswith(("unique.entry[", "unique.node["))]
    equal({row["type"].split("[")[0] for row in found}, {"unique.entry"}, "types of its nodes")
    equal(len(found), entries, "entries")
    maps = answer("list", "collections", *files(name), "sync.Map")
    equal([row["length"] for row in maps if row["address"] == top], [entries], "its length")


@test(each=TRIES, builds=["gcc"])
def a_type_has_the_entries_of_its_tries(name_and_variable):
    name, variable = name_and_variable
    top = root_of(name, variable)
    entries = len(trie_words(oracle(name), int(top, 16)))
    [row] = answer("list", "objects", *files(name), f"object={top}")
    [kind] = [kind for kind in answer("list", "types", *files(name)) if kind["type"] == row["type"]]
    assert kind["entries"] >= entries, (kind, entries)


@test(each=TRIES[1:], builds=["gcc"])
def the_place_of_the_values_of_a_trie(name_and_variable):
    """Like that of the values of a map; nodes and entries of the trie are not named."""
    name, variable = name_and_variable
    words = trie_words(oracle(name), int(root_of(name, variable), 16))
    rows = answer("list", "objects", *files(name), f"at={variable}[*]")
    values = {oracle(name).dump.find(word[3]) for word in words}
    found = {oracle(name).dump.find(int(row["address"], 16)) for row in rows}
    assert found and found <= values, (found, values)  # some values are nearer to another root
    assert not [row for row in rows if row["type"].startswith("internal/sync.")], rows
    parts = [row for row in answer("list", "objects", *files(name), f"at={variable}", "--parts")
             if row["type"].startswith("internal/sync.entry[")]
    equal(len(parts), len(words), "entries that are parts of the map")


@test(each=["gHeap", "Cache"], builds=["gcc"])
def the_place_of_what_an_object_holds(name):
    """In a map of package sync that is an object, or a field of one."""
    dump, exe, told = built()
    place = {"gHeap": "main.gHeap", "Cache": "main.gHolder.Cache"}[name]
    rows = [row for at in (f"at={place}[*]", f"at={place}.dirty[*]")
            for row in (answer("list", "objects", dump, at, "--exe", exe)
                        if run("list", "objects", dump, at, "--exe", exe).status == 0 else [])]
    equal({row["type"] for row in rows}, {"main.item"}, "types")
    equal({row["address"] for row in rows}, set(told[name].values()), "values")


@test(each=[ONE, *(f"{ONE}-{kind}" for kind in ("386", "mips", "s390x", "pie"))], builds=["gcc"])
def paths_through_a_trie_name_the_key(name):
    """Of the settings of GODEBUG, whose names are those of $GOROOT/src/internal/godebugs."""
    top = root_of(name, "internal/godebug.cache")
    found = pairs(answer("show", dump_of(name), top, "--exe", exe_of(name))["fields"])
    assert {"asynctimerchan", "httpmuxgo121", "tlsmlkem"} <= set(found), found
    for key, address in list(found.items())[:8]:
        paths = paths_to(dump_of(name), address, "--exe", exe_of(name))  # some are in a variable, too
        assert f'internal/godebug.cache["{key}"]' in paths, (key, paths)


@test
def entries_of_a_trie_have_their_keys_below_owners():
    top = root_of(ONE, "internal/godebug.cache")
    keys = set(pairs(answer("show", dump_of(ONE), top, "--exe", exe_of(ONE))["fields"]))
    rows = answer("list", "owners", *files(ONE), "--depth", "6", "--columns", "name,type,count")
    names = [row["name"] for row in rows if row["type"] == "internal/sync.entry[any,any]" and row["count"] == 1]
    told = {re.fullmatch(r'\s*\["(.*)"\]  sync\.entry\[any,any\]', name)[1] for name in names}
    assert len(told) > 20 and told <= keys, told - keys
    assert not [row["name"] for row in rows if ".children[" in row["name"]]


@test
def a_map_retains_what_would_be_lost_without_its_words():
    """Of two maps neither holds the entries alone, both together do."""
    import godump
    import graph

    dump, exe, _ = built()
    heap = graph.Graph(godump.read(godump.load(dump)))
    sizes = subprocess.run(["nm", "-S", exe], capture_output=True, text=True, check=True).stdout
    sizes = {int(at, 16): int(size, 16) for at, size in re.findall(r"^(\w+) (\w+) [bBdD] main\.g", sizes, re.M)}
    rows = answer("list", "collections", dump, "sync.Map", "--exe", exe)
    compared = [row for row in rows if int(row["address"], 16) in sizes]
    assert len(compared) >= 4, rows
    for row in compared:
        start = int(row["address"], 16)
        others = [root for root in heap.roots if not 0 <= root.address - start < sizes[start]]
        equal(row["retained_bytes"], heap.lost(roots=others)[0], row["name"])


@test
def a_map_in_a_variable_without_a_name_retains_its_entries():
    """6.1 MB in 1,800 entries, of a struct that the linker calls nothing."""
    rows = answer("list", "collections", stored("cases/syncmap-1.22/app.dump"), "sync.Map", "--exe", stored("cases/syncmap-1.22/app"))
    [row] = [row for row in rows if row["name"] == "main.p.deleted"]
    assert row["length"] == 1800 and 6270000 <= row["retained_bytes"] <= 6530000, row
