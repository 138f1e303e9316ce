"""Chromium's traces: the samples against the numbers of an independent program, the
same breakdown of Go's allocation profile, and what is written of them."""

import json

import heaps as model
from executables import exe_of
from harness import ONE, TESTDATA, answer, equal, run, test, unpacked
from survive import file_of

FOLDER = TESTDATA / "chromium"


def trace_of(name):
    return FOLDER / f"{name}.json"


def truth_of(name):
    return json.loads((FOLDER / f"{name}.json.truth.json").read_text())


def cells(rows):
    """(backtrace, type) -> size"""
    found = {(tuple(row["backtrace"]), row["type"]): row["size"] for row in rows}
    equal(len(found), len(rows), "cells")
    return found


def broken_down(file, *choice):
    return cells(answer("list", "breakdown", file, *choice))


def check_sums(got):
    """The parts of a cell add up to it, along both axes. A damaged heap has parts of nothing."""
    stacks, types = {}, {}
    for (stack, kind), size in got.items():
        if stack and kind != "<other>" and (stack[:-1], kind) in got:
            stacks.setdefault((stack[:-1], kind), []).append(size)
        if kind is not None:
            types.setdefault(stack, []).append(size)
    for whole, parts in stacks.items():
        equal(sum(parts), got[whole], f"parts of {whole} by stack")
    for stack, parts in types.items():
        if stack[-1:] != ("<other>",):
            equal(sum(parts), got[stack, None], f"parts of {stack} by type")


def right_table():
    """The picture of the document, with every <other>."""
    right = {}
    for node in truth_of("seed_table")["tree"]:
        path = tuple(node["path"])
        right[path, node["type"]] = node["size"]
        if "other_bt" in node:
            right[path + ("<other>",), node["type"]] = node["other_bt"]
        if "other_type" in node:
            right[path, "<other>"] = node["other_type"]
    return right


@test
def the_picture_of_the_document():
    got = broken_down(trace_of("seed_table"))
    equal(got, right_table(), "breakdown")
    equal(got[(), None], 1538, "total")
    check_sums(got)
    row = answer("list", "breakdown", trace_of("seed_table"))[0]
    equal([row["process"], row["dump"], row["allocator"]], [21, "0x1", "partition_alloc"], "heap")


@test
def the_same_picture_from_all_entries():
    """A cutoff of 77 bytes, 5 % of the total, folds the full table into that of the document."""
    for least in ("min=77", "min=5%"):
        file = trace_of("v2_table")
        got = broken_down(file, "dump=0x1", "allocator=malloc", least)
        equal(model.without_leaves(got), right_table(), least)
        check_sums(got)


@test
def self_sizes_of_the_oldest_dialect():
    known, got = truth_of("old_table"), broken_down(trace_of("old_table"))
    equal(got[(), None], known["total"], "total")
    for path, size in known["self"]:
        equal(got[tuple(path) + ("<self>",), None], size, path)
    check_sums(got)


@test
def dumps_of_the_new_dialect():
    rows = answer("list", "heaps", trace_of("v2_table"))
    got = {(row["dump"], row["allocator"]): row["size"] for row in rows}
    for dump in truth_of("v2_table")["dumps"]:
        for allocator in ("malloc", "partition_alloc"):
            equal(got[hex(dump["id"]), allocator], dump[allocator], f"{dump['id']} {allocator}")
    second = broken_down(trace_of("v2_table"), "dump=0x2", "allocator=malloc")
    equal(second[("BrMain", "MsgLp", "Late"), "X"], 1000, "names of an earlier dump")
    check_sums(second)


@test
def dumps_are_compared():
    rows = answer("list", "breakdown", trace_of("v2_table"), "compare=0x1", "allocator=malloc")
    got = {(tuple(row["backtrace"]), row["type"]): row["change"] for row in rows}
    equal({row["dump"] for row in rows}, {"0x2"}, "dumps")
    equal(got[(), None], 1000, "growth of all")
    equal(got[("BrMain", "MsgLp", "Late"), None], 1000, "growth of a new stack")
    equal(got[("RdMain",), None], 0, "no growth")
    back = answer(
        "list", "breakdown", trace_of("v2_table"), "dump=0x1", "compare=0x2", "allocator=malloc"
    )
    lost = {tuple(row["backtrace"]): row for row in back if row["type"] is None}
    equal(lost[()]["change"], -1000, "what has gone")
    equal(lost[("BrMain", "MsgLp", "Late")]["size"], 0, "a stack of the other dump only")


@test
def bottom_up_begins_with_what_allocates():
    for name in ("old_table", "seed_table"):
        got = broken_down(trace_of(name), "bottom-up")
        equal(got[(), None], 1538, "total")
        equal(got[("RTask", "RdMain"), None], 556, "RTask of RdMain")
        check_sums(got)


@test
def odd_entries_lose_nothing_else():
    got = broken_down(trace_of("odd"))
    equal(got[(), None], 0xFFFFFFFFFFFFFFC5, "total")
    equal(got[("<self>",), None], 0x100, "A")
    equal(got[("<self>",), "blink::Event"], 0x80, "its type")
    equal(got[("<self>", 'kid \\x01\\n"x"'), None], 0x200, "kid")
    equal(got[("<self>", "<other>"), None], -0x100, "a part that is larger than the whole")
    equal(got[("orphan",), None], 0x40, "a frame whose parent is missing")
    check_sums(got)
    told = " | ".join(w["text"] for w in answer("info", trace_of("odd"))["warnings"])
    for text in (
        "2 entries of malloc without size or stack",
        "2 entries of malloc in process 5 with frames that the trace does not name",
        "1 entry of malloc in process 5 with types that the trace does not name",
        "1 frame with a parent that the trace does not name",
        "2 frames that lead to themselves",
        "Sizes are plain numbers",
        "A memory dump lacks its id, its process or its contents",
    ):
        assert text in told, f"{text}: {told}"


# ---- Go


@test
def goes_profile_is_broken_down():
    profiles = answer("list", "profiles", unpacked(ONE))
    for allocator, right in (
        ("inuse", sum(row["live_bytes"] for row in profiles)),
        ("alloc", sum(row["allocs"] * row["size"] for row in profiles)),
    ):
        got = broken_down(unpacked(ONE), f"allocator={allocator}")
        equal(got[(), None], right, allocator)
        check_sums(got)
    row = max(profiles, key=lambda row: row["live_bytes"])
    stack = [row["function"] for row in answer("list", "profile", unpacked(ONE), row["id"])][::-1]
    got = broken_down(unpacked(ONE), "allocator=inuse")
    assert got[tuple(stack), None] >= row["live_bytes"], stack


@test
def goes_sites_have_types():
    rows = answer("list", "breakdown", unpacked(ONE), "allocator=inuse", "--exe", exe_of(ONE))
    got = cells(rows)
    assert got[(), "main.Session"] > 0, "the sessions of the leak"
    check_sums(got)


# ---- Writing


def exported(file, *arguments):
    """The trace that is written of a file."""
    result = run("export", "--format", "chromium-heap", file, *arguments, expect=0)
    json.loads(result.out)
    return result.raw_out


def both(file, allocator, least, *exe):
    """The breakdown of a heap, and that of what is written of it."""
    parts = ["--parts"] if exe else []  # what is written tells the parts of maps, too
    right = broken_down(file, f"allocator={allocator}", f"min={least}", *exe, *parts)
    with file_of(exported(file, f"allocator={allocator}", "--cutoff", least, *exe)) as trace:
        equal(answer("info", trace.name)["warnings"], [], "warnings")
        return model.without_leaves(right), broken_down(trace.name)


@test(each=["0", "20", "77", "5%"])
def what_is_written_reads_the_same(least):
    for name, allocator in (("seed_table", "partition_alloc"), ("old_table", "malloc")):
        right, got = both(trace_of(name), allocator, least)
        equal(got, right, name)
    for allocator in ("inuse", "alloc"):
        right, got = both(unpacked(ONE), allocator, least)
        equal(got, right, allocator)


@test
def what_is_written_has_types_and_all_dumps():
    right, got = both(unpacked(ONE), "inuse", "0.1%", "--exe", exe_of(ONE))
    equal(got, right, "Go's sites with types")
    with file_of(exported(trace_of("v2_table"))) as trace:
        keys = (
            "process", "process_name", "dump", "dump_kind", "time", "allocator", "size", "count"
        )
        heaps = [
            [[row[key] for key in keys] for row in answer("list", "heaps", file)]
            for file in (trace.name, trace_of("v2_table"))
        ]
        equal(sorted(heaps[0], key=str), sorted(heaps[1], key=str), "heaps")


@test
def the_document_is_written():
    """Of the full table, with a cutoff of 5 %, exactly the entries of the description remain."""
    def entries(trace):
        events = trace["traceEvents"]
        names = {}
        for item in events:
            if item["ph"] == "M":
                names.update(item["args"].get("stackFrames", {}))
                types = item["args"].get("typeNames", {})
                names.update({"t" + key: text for key, text in types.items()})
        dump = next(item for item in events if item["ph"] == "v")["args"]["dumps"]
        heap = next(iter(dump["heaps"].values()))
        return sorted(
            (names[entry["bt"]]["name"] if entry["bt"] else "",
             names["t" + entry["type"]] if "type" in entry else "", int(entry["size"], 16))
            for entry in heap["entries"]
        )

    got = exported(trace_of("v2_table"), "dump=0x1", "allocator=malloc", "--cutoff", "5%")
    right = entries(json.loads(trace_of("seed_table").read_text()))
    equal(entries(json.loads(got)), right, "entries")


@test
def export_says_what_it_wants():
    for arguments, text in (
        (["--format", "chromium-heap", trace_of("odd"), "process=99"], "There is no such heap"),
        (["--format", "x", trace_of("odd")], "There is no format"),
        ([trace_of("odd")], "Name the format"),
        (["--format", "chromium-heap", trace_of("odd"), "--cutoff", "x"], "is no cutoff"),
        (["--format", "chromium-heap", TESTDATA / "netcf/small.gclog"], "no sizes by call stack"),
    ):
        result = run("export", *arguments)
        assert result.status in (1, 2) and text in result.err and not result.out, result
