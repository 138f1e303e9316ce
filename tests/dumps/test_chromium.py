"""Chromium's traces: the samples against the numbers of an independent program, the forms and
faults that a trace may have, large ones; and the same breakdown of Go's allocation profile."""

import gzip
import json
import tempfile

import harness
import heaps as model
from executables import exe_of
from harness import ONE, TESTDATA, answer, equal, run, test, unpacked
from survive import answered, file_of, measured, survives_bytes, tours

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
        "2 entries of malloc lack their size or stack",
        "2 entries of malloc in process 5 have frames that the trace does not name",
        "1 entries of malloc in process 5 have types that the trace does not name",
        "1 frames have a parent that the trace does not name",
        "2 frames are their own parents, in a circle",
        "Sizes are plain numbers",
        "A memory dump lacks its id, its process or its contents",
    ):
        assert text in told, f"{text}: {told}"


# ---- Containers


def event(entries, **more):
    heaps = {"malloc": {"entries": entries}}
    return {"ph": "v", "pid": 1, "id": "0x1", "ts": 1, "args": {"dumps": {"heaps": heaps}}, **more}


TOTAL = event([{"bt": "", "size": "10"}])


def size_of(content):
    with file_of(content) as file:
        rows = answer("list", "heaps", file.name)
        return [row["size"] for row in rows]


@test
def every_container_is_read():
    text = json.dumps(TOTAL)
    for content in (
        f"[{text}]", f"[{text}", f"[{text},", f"[\n{text},\n", f'{{"traceEvents":[{text}]}}',
        f'{{"metadata":{{"a":["]}}",1]}},"traceEvents":[{text}],"stackFrames":{{}}}}',
        f"\ufeff[{text}]",
    ):
        equal(size_of(content.encode()), [16], content)
        with file_of(content.encode()) as file:
            equal(answer("info", file.name)["complete"], True, content)
    packed = gzip.compress(trace_of("seed_table").read_bytes())
    with file_of(packed) as file:
        equal(broken_down(file.name), right_table(), "gzip")


@test
def a_trace_without_heaps_is_one():
    trace = {"traceEvents": [{"ph": "X"}, {"ph": "v", "pid": 3, "id": 1, "args": {"dumps": {}}}]}
    with file_of(json.dumps(trace).encode()) as file:
        info = answer("info", file.name)
        equal([info["events"], info["memory_dumps"], info["processes"]], [2, 1, 1], "contents")
        equal(info["warnings"], [], "warnings")
        result = run("list", "breakdown", file.name, expect=1)
        assert "valid trace, with no heap dump in it" in result.err, result
        assert "2 events" in result.err, result


@test
def parts_of_a_dump_and_broken_events():
    deep = b"[" * 3000 + b"]" * 3000
    broken = b'{"ph":"v","pid":1,"id":"0x2","args":{"dumps":{"heaps":' + deep + b"}}}"
    bad_text = b'{"ph":"M","pid":1,"name":"process_name","args":{"name":"a\xff\x01\\ud800b"}}'
    second = json.dumps(event([{"bt": "", "size": "20"}])).encode()
    content = b",\n".join([broken, bad_text, b"7", json.dumps(TOTAL).encode(), second])
    content = b'{"traceEvents":[' + content + b"]}"
    with file_of(content) as file:
        rows = answer("list", "heaps", file.name)
        equal([row["size"] for row in rows], [16], "the first part")
        equal(rows[0]["process_name"], "a\\xef\\xbf\\xbd\\x01\\xef\\xbf\\xbdb", "name")
        told = " | ".join(w["text"] for w in answer("info", file.name)["warnings"])
        for text in ("no valid JSON", "the first counts", "are no events"):
            assert text in told, f"{text}: {told}"


@test
def the_largest_numbers():
    rows = {"counts": [1], "sizes": [2**64 - 1], "types": [0], "nodes": [2**64 - 1]}
    heaps = {"version": 1, "allocators": {"malloc": rows}, "maps": {}}
    trace = {**TOTAL, "args": {"dumps": {"heaps_v2": heaps}}}
    equal(size_of(json.dumps([trace]).encode()), [2**64 - 1], "size")


def told_of(trace):
    """The sizes of its heaps, and its warnings."""
    with file_of(json.dumps(trace).encode()) as file:
        rows = answer("list", "heaps", file.name)
        return [row["size"] for row in rows], answer("info", file.name)["warnings"]


@test
def odd_entries_are_told():
    """What cannot be used is left out, and what there is twice counts once."""
    for entries, text in (
        ([{"bt": "", "size": "10"}, {"bt": "", "size": "10"}], "1 entries of malloc repeat"),
        ([{"bt": "", "size": "10"}, {"bt": None, "size": "4"}], "1 entries of malloc lack"),
        ([{"bt": "", "size": "10"}, {"bt": 1.5, "size": "4"}], "1 entries of malloc lack"),
        ([{"size": "10"}, {"bt": "", "type": "1", "size": "4"}], "1 entries of malloc lack"),
    ):
        got, warnings = told_of([event(entries)])
        equal(got, [16], entries)
        equal(len(warnings), 1, entries)
        equal(warnings[0]["offset"], 1, entries)
        assert text in warnings[0]["text"], warnings
    equal(told_of([event([{"bt": "", "size": "10", "count": "no"}])]), ([16], []), "no count")
    equal(told_of([event([{"bt": "", "size": "10"}], id=None)])[0], [], "a dump without its id")


@test
def counts_of_the_rest_are_not_negative():
    names = {"stackFrames": {"1": {"name": "f"}}}
    frames = {"ph": "M", "pid": 1, "name": "stackFrames", "args": names}
    entries = [{"bt": "", "size": "10", "count": "2"}, {"bt": "1", "size": "8", "count": "5"}]
    with file_of(json.dumps([frames, event(entries)]).encode()) as file:
        rows = answer("list", "breakdown", file.name)
        equal([(row["size"], row["count"]) for row in rows], [(16, 2), (8, 5), (8, 0)], "cells")


def of_maps(number, rows, maps):
    heaps = {"version": 1, "allocators": rows, "maps": maps}
    return {**TOTAL, "id": number, "args": {"dumps": {"heaps_v2": heaps}}}


def named(node, text, parent=0):
    return {
        "strings": [{"id": node, "string": text}],
        "nodes": [{"id": node, "name_sid": node, "parent": parent}],
    }


ROWS = {"malloc": {"counts": [1], "sizes": [8], "types": [0], "nodes": [2]}}


@test
def a_dump_has_heaps_in_one_part():
    """Parts without any do not count; names of a part that does not count are still new names."""
    full = event([{"bt": "", "size": "10"}])
    empty = {**full, "args": {"dumps": {"heaps": {}}}}
    nothing = {**full, "args": {"dumps": {"heaps": {"malloc": {"entries": []}}}}}
    equal(told_of([empty, nothing, full]), ([16], []), "two empty parts")
    dumps = {"heaps": None, "heaps_v2": {"version": 1, "allocators": ROWS}}
    both = {**full, "args": {"dumps": dumps}}
    equal(told_of([both]), ([8], []), "no object")
    trace = [of_maps("1", ROWS, named(1, "one")), of_maps("1", ROWS, named(2, "two", 1)),
             of_maps("2", ROWS, {})]
    sizes, warnings = told_of(trace)
    equal([sizes, len(warnings)], [[8, 8], 1], "the second part of a dump")
    with file_of(json.dumps(trace).encode()) as file:
        equal(broken_down(file.name, "dump=2")[("one", "two"), None], 8, "its names")


@test
def lists_that_do_not_fit_are_told():
    rows = {"a": {"sizes": [8, 4], "nodes": [1]}, "b": {}}
    sizes, warnings = told_of([of_maps("1", rows, named(1, "one"))])
    equal(sizes, [12], "sizes")
    told = " | ".join(warning["text"] for warning in warnings)
    assert "2 entries of a are of lists that differ in length" in told, told
    assert "A heap has no list of sizes" in told, told
    again = [of_maps("1", ROWS, named(2, "one")), of_maps("2", ROWS, named(2, "two")),
             of_maps("3", ROWS, named(2, "one"))]
    _, warnings = told_of(again)
    equal([w["text"] for w in warnings], ["1 names have ids that are taken: the first ones count"],
          "names that change")


@test
def the_type_0_is_unknown():
    with file_of(json.dumps([of_maps("1", ROWS, named(2, "f"))]).encode()) as file:
        right = {(): 8, ("f",): 8, ("f", "<self>"): 8}
        got = broken_down(file.name)
        equal(got, {(stack, None): size for stack, size in right.items()}, "no type is told")


@test
def quotes_within_names_are_no_ends():
    """As programs write them that do not escape."""
    other = json.dumps({**TOTAL, "id": "0x9"})
    for name in ('operator"" _s', 'one " quote', '"quoted"', 'a "b" c', 'a\\c', 'a\\u12'):
        text = json.dumps(of_maps("1", ROWS, named(2, "NAME"))).replace("NAME", name)
        with file_of(f"[{text},{other}]".encode()) as file:
            equal([row["size"] for row in answer("list", "heaps", file.name)], [8, 16], name)
            shown = name.replace("\\", "\\\\")
            equal(broken_down(file.name, "dump=1")[(shown,), None], 8, name)
            warnings = answer("info", file.name)["warnings"]
            equal([w["offset"] for w in warnings], [1] if '"' in name else [], name)


@test
def a_broken_event_loses_itself_only():
    text, other = json.dumps(TOTAL), json.dumps({**TOTAL, "id": "0x9", "pid": 2})
    names = json.dumps({"ph": "M", "pid": 2, "name": "process_name", "args": {"name": "two"}})
    for broken in (
        text[:40], text[:80], text[:-1], text + "}", text + "]", text + "}}", "{" + text,
        text.replace('"10"', '"1"}0"'), text.replace('"10"', '"1"]0"'),
    ):
        for separator in (",", ",\n", " , "):
            content = separator.join([broken, other, names])
            for trace in (f"[{content}]", f'{{"traceEvents":[{content}]}}'):
                with file_of(trace.encode()) as file:
                    rows = answer("list", "heaps", file.name)
                    right = [["0x9", 16, "two"]]
                    got = [[row[key] for key in ("dump", "size", "process_name")] for row in rows
                           if row["process"] == 2]
                    equal(got, right, trace)
                    assert answer("info", file.name)["warnings"], trace


@test
def an_end_that_is_missing_is_told():
    first = json.dumps(TOTAL)
    for end in (f"[{first},[1,", f"[{first},[[", f'[{first},"', f'[{first},{{"ph":"v"',
                f'{{"traceEvents":[{first}]', f'{{"traceEvents":[{first}}}'):
        with file_of(end.encode()) as file:
            equal(answer("info", file.name)["complete"], False, end)


@test
def keys_twice_are_told():
    heaps = ",".join(f'"malloc":{{"entries":[{{"bt":"","size":"{size}"}}]}}' for size in (10, 20))
    trace = f'[{{"ph":"v","pid":1,"id":"0x1","args":{{"dumps":{{"heaps":{{{heaps}}}}}}}}}]'
    equal(size_of(trace.encode()), [32], "the last one")
    with file_of(trace.encode()) as file:
        warning = answer("info", file.name)["warnings"][0]
        equal(warning["offset"], 1, "offset")
        assert "An object has a key twice" in warning["text"], warning


@test
def numbers_that_are_too_large_lose_their_entry_only():
    text = json.dumps([event([{"bt": "", "size": "10", "count": "1"}], more=0)])
    for number, sizes in (
        ("1e400", [16]), ("-1e400", [16]), ("-99999999999999999999", [16]), ("1e3", [16, 1000]),
        ("99999999999999999999", [16]), ("18446744073709551615", [16, 2**64 - 1]),
    ):
        more = f', "more": {{"entries": [{{"bt": "", "size": {number}}}]}}}}}}}}'
        content = text.replace("}}}}", "}" + more).replace('"more": 0', f'"more": {number}')
        equal(size_of(content.encode()), sizes, number)


@test
def names_may_begin_with_any_character():
    frames = {"#1": {"name": "#if"}, "1": {"name": "one"}, "0#2": {"name": "#3", "parent": "#1"}}
    names = {"ph": "M", "pid": 1, "name": "stackFrames", "args": {"stackFrames": frames}}
    entries = [
        {"bt": "", "size": "9"}, {"bt": "#1", "size": "5"}, {"bt": "0#2", "size": "4"},
        {"bt": "1", "size": "3"},
    ]
    with file_of(json.dumps([names, event(entries)]).encode()) as file:
        got = broken_down(file.name)
    right = {(): 9, ("#if",): 5, ("#if", "#3"): 4, ("one",): 3}
    right = right | {("#if", "<other>"): 1, ("<other>",): 1}
    equal(got, {(stack, None): size for stack, size in right.items()}, "cells")


@test
def zeros_in_names_and_keys_are_read():
    text = json.dumps([event([{"bt": "", "size": "10"}], **{"a\0b": 1})])
    equal(size_of(text.replace("malloc", "mal\\u0000loc").encode()), [16], "escaped")
    equal(size_of(text.replace("malloc", "mal\0loc").encode()), [16], "as they are")


@test(each=["seed_table", "v2_table", "odd"])
def cut_anywhere_is_read(name):
    content = trace_of(name).read_bytes()
    for size in range(1, len(content), 131 if harness.SANITIZED else 23):
        survives_bytes(content[:size])


@test(each=["seed_table", "v2_table", "odd"])
def changed_bytes_are_survived(name):
    content = trace_of(name).read_bytes()
    for at in range(0, len(content), 173 if harness.SANITIZED else 31):
        for byte in (0, 0x22, 0x7B, 0xFF):
            survives_bytes(content[:at] + bytes([byte]) + content[at + 1 :])


@test(each=["seed_table", "odd"])
def explorer_survives(name):
    tours(str(trace_of(name)))


@test
def deep_stacks_take_little():
    """Each frame of 20,000 that call each other has bytes of its own, in every dialect."""
    depth = 20_000
    frames = {str(i): {"name": "f", "parent": str(i - 1)} for i in range(1, depth)}
    names = {"ph": "M", "pid": 1, "name": "stackFrames", "args": {"stackFrames": frames}}
    entries = [{"bt": frame, "size": "1"} for frame in frames]
    nodes = [{"id": i, "name_sid": 1, "parent": i - 1} for i in range(1, depth)]
    maps = {"strings": [{"id": 1, "string": "f"}], "nodes": nodes}
    rows = {"malloc": {"sizes": [1] * (depth - 1), "nodes": list(range(1, depth))}}
    for trace in ([names, event([{"size": f"{depth:x}"}, *entries])], [names, event(entries)],
                  [of_maps("1", rows, maps)]):
        with file_of(json.dumps(trace).encode()) as file:
            answered(file.name, "list", "heaps")
            answered(file.name, "-e", "breakdown bottom-up min=100%", memory=512 << 20)


@test(builds=["gcc"])
def large_traces_take_little_memory():
    """300 MB of events, and heaps among them."""
    noise = json.dumps({"ph": "X", "pid": 1, "name": "f", "args": {"a": "[{" * 500}}) + ",\n"
    with tempfile.NamedTemporaryFile("w", prefix="goheapx-test-", suffix=".json") as file:
        file.write('{"traceEvents":[')
        for dump in range(30):
            file.write(json.dumps(event([{"bt": "", "size": "10"}], id=str(dump))) + ",\n")
            file.write(noise * (10_000_000 // len(noise)))
        file.write('{"ph":"X"}]}')
        file.flush()
        result = measured("list", "heaps", file.name, "--json")
        equal(len(json.loads(result.out)), 30, "heaps")
        assert result.memory < 64 << 20, f"{result.memory} bytes"
        assert result.seconds < 10, f"{result.seconds} seconds"


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
    right = broken_down(file, f"allocator={allocator}", f"min={least}", *exe)
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
        ([trace_of("odd")], "Say what to write"),
        (["--format", "chromium-heap", trace_of("odd"), "--cutoff", "x"], "is no cutoff"),
        (["--format", "chromium-heap", TESTDATA / "netcf/small.gclog"], "no sizes by call stack"),
    ):
        result = run("export", *arguments)
        assert result.status in (1, 2) and text in result.err and not result.out, result
