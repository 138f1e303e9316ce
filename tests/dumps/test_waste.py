"""Memory that is kept and not used, and what keeps it."""

import re
from collections import Counter

from executables import files, graph_with_exe, truth_of
import harness
from harness import answer, equal, run, test
import writer

THIRD = ["go1.19-drift-3", "go1.27-drift-3"]
CORNER = ["go1.19-corner", "go1.27-corner"]
OTHERS = ["go1.24.4-small", "go1.24.4-small-mips", "go1.26.10-server", "raftkv-go1.19"]


def pinned(name):
    return answer("list", "pinned", *files(name))


def windows(rows, size, used):
    return sorted(row["address"] for row in rows if (row["size"], row["used_bytes"]) == (size, used))


@test(each=THIRD)
def small_windows_of_large_arrays(name):
    rows, told = pinned(name), truth_of(name[:-2])["dumps"][2]
    blocks = windows(rows, 262144, 32)
    equal(len(blocks), told["counts"]["windows"], "blocks of which 32 bytes are used")
    into = sorted(int(at, 16) for at in told["objects"]["window of 32 bytes into 262144"])
    begin = sorted(int(at, 16) for at in blocks)
    # The n-th window of a phase begins 1,000 n bytes into its block.
    equal(Counter(at - max(b for b in begin if b <= at) for at in into), Counter([0, 1000, 2000, 3000] * 3),
          "where the windows are in their blocks")
    texts = windows(rows, 65536, 10)
    equal(len(texts), told["counts"]["tokens"], "texts of which 10 bytes are used")
    by = {row["address"]: row for row in rows}
    equal(sorted(by[at]["name"] for at in blocks), sorted(f"main.windows[{n}]" for n in range(12)), "names")
    equal(sorted(by[at]["name"] for at in texts), sorted(f"main.tokens[{n}]" for n in range(12)), "names")
    history = [row for row in rows if row["name"] == "main.history"]
    equal([row["used_bytes"] for row in history], [8 * told["counts"]["history_len"]], "main.history")


@test(each=THIRD + CORNER + OTHERS, builds=["gcc"])
def what_is_not_used_is_all_the_rest(name):
    """Whatever points there is counted, by another reader: none is left whose length is not known."""
    rows, graph = pinned(name), graph_with_exe(name)
    reachable = graph.distance
    roots = Counter(root.target for root in graph.roots)
    for row in rows:
        obj = graph.dump.find(int(row["address"], 16))
        equal(row["size"], graph.dump.objects[obj].size, "size")
        equal(row["used_bytes"] + row["wasted_bytes"], row["size"], f"used and not used of {row}")
        holders = sum(holder in reachable for holder, _ in graph.referrers[obj]) + roots[obj]
        equal(row["holders"], holders, f"holders of {row}")


@test(each=CORNER, builds=["gcc"])
def slices_that_use_all_of_their_room(name):
    rows = {row["address"] for row in pinned(name)}
    full = [told["addr"] for told in truth_of(name)["objects"]
            if told["type"].startswith("[]") and told["len"] == told["cap"]]
    assert len(full) > 50 and not rows & set(full), rows & set(full)


@test
def a_variable_whose_length_is_lost_tells_none():
    """The goroutines of /leak keep 10,000 bytes each, by a slice whose capacity is not kept."""
    for table in ("pinned", "slack"):
        rows = answer("list", table, *files("go1.26.10-server"))
        assert rows and not [row for row in rows if row["name"].endswith(" big")], table


def slack(name):
    return {row["name"]: row for row in answer("list", "slack", *files(name))}


@test(each=THIRD)
def room_that_nothing_is_in(name):
    rows, counts = slack(name), truth_of(name[:-2])["dumps"][2]["counts"]
    history, shrunk = rows["main.history"], rows["main.shrunk"]
    equal((history["length"], history["capacity"], history["wasted_bytes"]),
          (counts["history_len"], counts["history_cap"], 8 * (counts["history_cap"] - counts["history_len"])),
          "main.history")
    equal((shrunk["length"], shrunk["type"]), (counts["shrunk"], "map[int]*main.Record"), "main.shrunk")
    # It had 20,000 entries, each of a number and a pointer.
    assert shrunk["capacity"] >= 20000 and shrunk["wasted_bytes"] >= 16 * 19990, shrunk
    windows = rows["main.windows[*]"]
    equal((windows["count"], windows["length"], windows["capacity"]),
          (counts["windows"], 32 * 12, 12 * 262144), "main.windows")


@test(each=THIRD + CORNER + OTHERS, builds=["gcc"])
def places_are_the_sum_of_what_is_there(name):
    places = answer("list", "slack", *files(name))
    found = answer("list", "collections", *files(name))
    for kind in ("map", "slice", "chan"):
        both = [[row for row in rows if row["kind"] == kind] for rows in (places, found)]
        waste = sum(row["wasted_bytes"] for row in both[0]), sum(row["waste_bytes"] or 0 for row in both[1])
        equal(waste[0], waste[1], f"bytes of each {kind}")
        equal(sum(row["count"] for row in both[0]), sum((row["waste_bytes"] or 0) > 0 for row in both[1]), kind)


@test
def the_title_has_the_sum():
    wasted = sum(row["wasted_bytes"] for row in answer("list", "slack", *files("go1.24.4-small")))
    screen = run("-e", "slack; wait all; screen", *files("go1.24.4-small")).out
    assert f"unused capacity: {wasted / 1024:.1f} KB" in screen, (wasted, screen)


@test(builds=["gcc"])
def what_pools_keep_for_later():
    """Without its pools a dump has that much less."""
    pools = [row for row in slack("go1.26.10-server").values() if row["kind"] == "sync.Pool"]
    assert {"net/http.copyBufPool.victim", "fmt.ppFree.local"} <= {row["name"] for row in pools}
    graph = graph_with_exe("go1.26.10-server")
    for row in pools[:4]:
        array = graph.dump.find(int(row["address"], 16))
        equal(row["wasted_bytes"], graph.size(graph.gone(without={array}) - {array}), row["name"])


@test(each=[f"go1.{minor}-drift-{phase}" for minor in (19, 27) for phase in (1, 2, 3)], builds=["gcc"])
def finalizers_that_can_never_run(name):
    rows = answer("list", "cycles", *files(name))
    counts = truth_of(name[:-2])["dumps"][int(name[-1]) - 1]["counts"]
    equal(len(rows), counts["finalizer_cycles"], "objects that lead to themselves")
    # A Cycle is a pointer and 100 bytes, in a slot of 112; each holds itself and the other one.
    got = {(row["type"], row["retained_bytes"], row["chain"], row["function"]) for row in rows}
    equal(got, {("main.Cycle", 224, 1, "main.grow.func2")}, "what they are")
    equal(len({row["cycle"] for row in rows}), len(rows), "cycles")


@test
def finalizers_that_can_run_are_no_cycles():
    for name in OTHERS:
        equal(answer("list", "cycles", *files(name)), [], name)


def selves(held):
    """Five objects with finalizers, each of which points into itself."""
    oblet, large = 128 << 10, 320 << 10
    objects = [(64, 0, 0), (64, 8, 32), (large, 16, oblet - 8), (large, 2 * oblet + 8, 2 * oblet + 16),
               (large, large - 8, 0)]
    out, at = [writer.HEADER, writer.params("go1.24.4")], writer.HEAP
    begin = []
    for size, pointer, to in objects:
        contents = bytearray(size)
        contents[pointer:pointer + 8] = writer.words(at + to)
        out.append(writer.record(1, at, bytes(contents), [pointer]))
        begin.append(at)
        at += large
    out += [writer.record(7, at, writer.HEAP + 0x3F00000, 0x401000, 0x490000, 0x490000) for at in begin]
    out += [writer.record(12, writer.DATA, writer.words(*begin) if held else b"", range(0, 40, 8) if held else []),
            writer.record(13, writer.DATA + 0x1000, b"", []), writer.memstats(5, 3 * large + 128), writer.record(0)]
    return b"".join(out), [f"{address:#x}" for address in begin]


@test(each=[True, False])
def what_points_to_itself_is_no_cycle(held):
    """The collector skips pointers to what it scans, 128 KB at a time: with Go 1.19 to 1.27 the finalizers of
    small objects that point to themselves run, and that of 320 KB whose last word points to its first does not."""
    dump, begin = selves(held)
    path = harness.write_once(harness.UNPACKED / f"selves-{held}.dump", lambda: dump)
    equal([row["address"] for row in answer("list", "cycles", path)], begin[4:], "that can never run")
    alive = {row["address"] for row in answer("list", "objects", path) if row["reachable"]}
    equal(alive, set(begin if held else begin[4:]), "reachable")


@test(each=THIRD + ["go1.24.4-small", "go1.26.10-server"], builds=["gcc"])
def equal_strings_are_equal(name):
    """By another reader: as many objects have these contents, and they take as much."""
    graph = graph_with_exe(name)
    alike = {}
    for row in answer("list", "duplicates", *files(name)):
        obj, length = graph.dump.find(int(row["address"], 16)), row["length"]
        if length not in alike:
            alike[length] = Counter()
            for id in graph.distance:
                other = graph.dump.objects[id]
                if other.size >= length and not graph.references[id]:
                    alike[length][bytes(other.data[other.header : other.header + length])] += 1
        object = graph.dump.objects[obj]
        assert 2 <= row["count"] <= alike[length][bytes(object.data[object.header : object.header + length])], row
        equal(row["wasted_bytes"] is None, row["kind"] == "buffer", "of buffers, one copy would not do")
        assert row["kind"] == "buffer" or row["wasted_bytes"] >= (row["count"] - 1) * min(length, object.size), row


@test(each=THIRD)
def one_of_what_is_equal(name):
    rows = answer("list", "duplicates", *files(name))
    counts = truth_of(name[:-2])["dumps"][2]["counts"]
    zeros = {(row["length"], row["kind"]): (row["count"], row["wasted_bytes"]) for row in rows if row["value"] == "zeros"}
    equal(zeros[262144, "bytes"], (counts["windows"], (counts["windows"] - 1) * 262144), "blocks of windows")
    equal(zeros[2048, "bytes"], (counts["sessions"], (counts["sessions"] - 1) * 2048), "bodies of sessions")
    texts = [row for row in rows if row["value"].startswith('"tttttttttt')]
    equal(sum(row["count"] for row in texts), counts["tokens"], "texts of tokens")
    equal({row["kind"] for row in texts}, {"string"}, "kind")


def findings(name):
    return answer("list", "findings", *files(name))


def at_place(rows, place):
    """Unused bytes of the rows of a table whose names are a place, with an index for each [*]."""
    pattern = re.compile(re.escape(place).replace(r"\[\*\]", r"\[\d+\]"))
    return sum(row["wasted_bytes"] for row in rows if pattern.fullmatch(row["name"]))


def saved_by_one_copy(name):
    """The bytes that copies of each row would save, without what is counted as unused in them."""
    graph = graph_with_exe(name)
    unused = {graph.dump.find(int(row["address"], 16)): row["wasted_bytes"] for row in pinned(name)}
    arrays = [(graph.dump.objects[id], bytes_unused) for id, bytes_unused in unused.items()]
    for row in answer("list", "duplicates", *files(name)):
        one = graph.dump.objects[graph.dump.find(int(row["address"], 16))]
        contents = bytes(one.data[one.header : one.header + row["length"]])
        alike = [bytes_unused for obj, bytes_unused in arrays
                 if obj.size == one.size and bytes(obj.data[obj.header : obj.header + row["length"]]) == contents]
        copies = sorted(alike)[: row["count"]]  # others have the same bytes, but are longer or shorter
        twice = sum(copies) - max(copies, default=0)
        yield row, 0 if row["value"] == "zeros" else max((row["wasted_bytes"] or 0) - twice, 0)


@test(each=THIRD)
def the_findings_tell_what_is_large(name):
    """Each place has what is not used there, and no place has two rows."""
    found, saved = findings(name), list(saved_by_one_copy(name))
    assert any(row["name"].startswith("main.tokens") and bytes < 100 for row, bytes in saved), "texts used in part"
    rows = {kind: {row["name"]: row for row in found if row["kind"] == kind}
            for kind in ("unused parts", "unused capacity", "duplicates")}
    parts, shrunk = rows["unused parts"], rows["unused capacity"]["main.shrunk"]
    equal(set(parts), {"main.windows[*]", "main.tokens[*]", "main.history"}, "places")
    for place, row in parts.items():
        equal(row["bytes"], at_place(pinned(name), place), f"unused parts of {place}")
    equal(shrunk["bytes"], slack(name)["main.shrunk"]["wasted_bytes"], "unused capacity")
    assert not any(row["kind"] == "cycles" for row in found), "60 cycles are too little"
    all_bytes, reachable = sum(bytes for _, bytes in saved), graph_with_exe(name).lost(roots=[])[0]
    equal(any(re.search("equal ", row["what"]) for row in found), all_bytes >= reachable * 2 / 100,
          "equal contents beside unused parts")
    for row in [row for of in rows.values() for row in of.values()]:
        equal(row["recoverable_bytes"], row["bytes"], row["name"])
        equal([other["name"] for other in found].count(row["name"]), 1, row["name"])
    saves = sum(row["recoverable_bytes"] or 0 for row in found)
    assert f"could be saved: up to {saves / (1 << 20):.1f} MB" in run("info", *files(name)).out, saves


@test(builds=["gcc"])
def finalizers_that_are_due_and_who_runs_them():
    """Of small the first of those that are queued waits for a channel that nobody closes."""
    for name in ("go1.19.8-small", "go1.24.4-small", "go1.27.3-small"):
        dump = graph_with_exe(name).dump
        due = sum(f.queued for f in dump.finalizers)
        [row] = [row for row in findings(name) if row["kind"] == "finalizers"]
        equal(row["count"], due, "finalizers that are due")
        found = re.fullmatch(r"goroutine (\d+) in chan receive", row["name"])
        assert found and due > 0, row
        runs = next(g for g in dump.goroutines if g.id == int(found[1]))
        equal(runs.reason, "chan receive", "wait reason")


@test(each=THIRD)
def contexts_and_their_children(name):
    told = truth_of(name[:-2])["dumps"][2]
    rows = answer("list", "contexts", *files(name))
    root = next(row for row in rows if row["name"] == "main.rootCtx")
    made = told["counts"]["contexts_children_at_least"]
    timed = sum(g["kind"] == "context with a deadline" for g in told["goroutines"])
    equal((root["type"], root["children"]), ("context.cancelCtx", made + timed), "main.rootCtx")
    equal(Counter((row["type"], row["parent"], row["cancelled"]) for row in rows if row is not root),
          Counter({("context.cancelCtx", root["address"], False): made,
                   ("context.timerCtx", root["address"], False): timed}), "its children")


@test(builds=["gcc"])
def contexts_of_requests_that_have_ended_are_cancelled():
    """Of each request that a timer keeps, by its closure, the server has cancelled the context."""
    rows = answer("list", "contexts", *files("go1.26.10-server"))
    kept = [row for row in rows if row["cancelled"]]
    equal({row["type"] for row in kept}, {"context.cancelCtx"}, "types")
    told = truth_of("go1.26.10-server")
    equal(len(kept), told["LeakedTimers"], "contexts of requests")


@test(each=THIRD)
def assertions_add_it_up(name):
    dump, _, exe = files(name)
    value = lambda what: answer("check", dump, exe, "--assert", f"{what} >= 0")[0]["value"]
    rows = {table: answer("list", table, dump, "--exe", exe) for table in ("pinned", "slack", "duplicates")}
    add = lambda rows: sum(row["wasted_bytes"] or 0 for row in rows)
    for table, of in rows.items():
        equal(value(f"wasted({table})"), add(of), table)
    equal(value("wasted()"), add(rows["pinned"]) + add(row for row in rows["slack"] if row["kind"] != "slice")
          + sum(bytes for _, bytes in saved_by_one_copy(name)), "all three")
    assert "without the executable" in run("check", dump, "--assert", "wasted() < 1 GB", expect=2).err
    assert "takes pinned, slack or duplicates" in run("check", dump, exe, "--assert", "wasted(all) < 1", expect=2).err


FOLDED = ["go1.24-holders", "go1.26.10-server", "go1.27.3-small"]


@test(each=[(name, table) for name in FOLDED for table in ("pinned", "slack", "duplicates")], builds=["gcc"])
def what_is_not_used_folds_by_place_and_by_call(name_table):
    name, table = name_table
    dump = files(name)
    whole = sum(row["wasted_bytes"] or 0 for row in answer("list", table, *dump))
    by_place = answer("list", table, *dump, "--group", "place")
    equal(sum(row["wasted_bytes"] for row in by_place), whole, f"{table} by place")
    equal(sum(row["wasted_bytes"] for row in answer("list", table, *dump, "--group", "site")), whole, f"{table} by call")
    places = [row["name"] for row in by_place]
    for row in by_place[:8]:
        objects = {one["address"]: one["size"] for one in answer("list", "objects", *dump, f"at={row['name']}")}
        assert table == "slack" or row["address"] in objects, row  # the parts of a pool are no objects of its place
        if table == "pinned" and places.count(row["name"]) == 1:
            one_by_one = [one["wasted_bytes"] for one in answer("list", table, *dump) if one["address"] in objects]
            equal((sum(one_by_one), len(one_by_one)), (row["wasted_bytes"], row["count"]), f"not used at {row['name']}")
        elif table == "duplicates" and places.count(row["name"]) == 1:
            assert row["wasted_bytes"] <= sum(objects.values()), row
