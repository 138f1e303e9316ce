"""Maps, slices and channels, each one row with all that it consists of."""

import random
import re

from executables import dump_of, exe_of, truth_of
from harness import DUMPS, ONE, answer, equal, oracle, run, stored, test, unpacked

CORNER = ["go1.19-corner", "go1.27-corner"]


def collections(name, *argument):
    return answer("list", "collections", dump_of(name), *argument, "--exe", exe_of(name))


def by_address(rows):
    return {row["address"]: row for row in rows}


def display(name):
    return name.replace("interface {}", "any").replace("[]uint8", "[]byte")


@test(each=CORNER, builds=["gcc"])
def maps_have_their_entries_and_their_place(name):
    rows = by_address(collections(name, "map"))
    for told in truth_of(name)["maps"]:
        row = rows[told["addr"]]
        got = row["length"], row["type"], row["name"]
        equal(got, (told["entries"], display(told["type"]), f"main.{told['name']}"), told["name"])
        assert row["capacity"] >= row["length"] and row["retained_bytes"] >= row["bytes"], row


@test(each=CORNER, builds=["gcc"])
def slices_have_their_length_and_room(name):
    rows = by_address(collections(name, "slice"))
    slices = [told for told in truth_of(name)["objects"] if told["type"].startswith("[]")]
    assert len(slices) > 50
    for told in slices:
        row = rows[told["addr"]]
        equal((row["length"], row["capacity"]), (told["len"], told["cap"]), told["name"])
        equal(row["type"], display(told["type"]), told["name"])
    arrays = [told for told in truth_of(name)["objects"] if told["name"].startswith("arrays ")]
    for told in arrays:
        row = rows[told["addr"]]
        equal((row["length"], row["type"]), (None, told["type"]), f"{told['name']}, of no slice")


@test
def what_was_shrunk_keeps_its_room():
    rows = {row["name"]: row for row in collections("go1.19-drift-3")}
    counts = truth_of("go1.19-drift")["dumps"][2]["counts"]
    history, shrunk, sessions = (rows[f"main.{name}"] for name in ("history", "shrunk", "sessions"))
    got = history["length"], history["capacity"], history["bytes"] - history["waste_bytes"]
    equal(got, (counts["history_len"], counts["history_cap"], 8 * counts["history_len"]), "history")
    equal(shrunk["length"], counts["shrunk"], "entries of main.shrunk")
    equal(sessions["length"], counts["sessions"], "entries of main.sessions")
    assert shrunk["waste_bytes"] > 0.99 * shrunk["bytes"], shrunk


@test(builds=["gcc"])
def the_maps_of_a_real_program():
    rows = by_address(collections("raftkv-go1.19", "map"))
    data = [row for row in rows.values() if row["name"].endswith(".FSM.Data")]
    equal([row["length"] for row in data], [12000] * 3, "entries of KV.Data")
    for question in truth_of("raftkv-go1.19")["questions"]:
        right = question["answer"]
        if isinstance(right, dict) and right["type"].startswith("map["):
            row = rows[right["block"]]
            equal(row["retained_bytes"], right["retained_bytes"], question["question"])
            equal(row["type"], display(right["type"]), question["question"])


@test(each=DUMPS)
def the_dump_alone_tells_how_long_maps_and_channels_are(name):
    """A map and a channel of the program; whatever there is has each object once. Those of
    Go 1.3 and maps of Go 1.4 do not tell themselves."""
    rows = answer("list", "collections", dump_of(name))
    found, told = by_address(rows), truth_of(name)
    assert sum(row["parts"] for row in rows) <= len(oracle(name).distance)
    assert sum(row["bytes"] for row in rows) <= oracle(name).reachable_bytes()
    assert all(row["capacity"] is None or row["length"] is None or row["length"] <= row["capacity"]
               for row in rows)
    if "Objects" in told:
        row = found.get(told["Objects"]["map_cache"]["addr"])
        assert row or re.match(r"go1\.[34]", name), "main.gCache"
        if row:
            equal((row["kind"], row["length"]), ("map", told["CacheCount"]), "main.gCache")
        row = found.get(told["Objects"]["chan_buf"]["addr"])
        assert row or name.startswith("go1.3"), "main.gChanBuf"
        if row:
            equal((row["kind"], row["length"]), ("chan", len(told["ChanBuffered"])), "main.gChanBuf")


@test
def only_what_is_asked_for():
    kinds = {"map", "slice", "chan"}
    whole = collections("go1.24.4-small")
    for kind in kinds:
        equal(by_address(collections("go1.24.4-small", kind)),
              by_address(row for row in whole if row["kind"] == kind), kind)
    result = run("list", "collections", dump_of("go1.24.4-small"), "list", expect=2)
    assert "map, slice, chan or sync.Map" in result.err, result


@test(each=[ONE, "go1.26.10-server"], builds=["gcc"])
def a_name_is_the_same_alone_and_among_others(name):
    """What is said up to an object is kept for what is named later."""
    find = oracle(name).dump.find
    rows = [row for row in answer("list", "collections", unpacked(name), "--exe", exe_of(name))
            if row["name"] and find(int(row["address"], 16)) is not None]
    for row in random.Random(name).sample(rows, 25):
        alone = answer("path", unpacked(name), row["address"], "--exe", exe_of(name))
        equal(row["name"], alone[0][0]["path"], row["address"])


@test
def types_count_the_entries_of_a_trie():
    """Each node of one points to the node above it: the one that none is above has all entries. The program has made
    4,000 handles of texts and 4,000 of structs."""
    case = [stored(f"cases4/unique-dump-1.25/{name}") for name in ("app.dump", "app")]
    types = {row["type"]: row["entries"] for row in answer("list", "types", case[0], "--exe", case[1])}
    whole = {row["type"]: row["length"] for row in answer("list", "collections", case[0], "--exe", case[1])}
    for of in ("string", "main.address"):
        equal((types[f"unique.indirect[{of}]"], whole[f"unique.canonMap[{of}]"]), (4000, 4000), of)
