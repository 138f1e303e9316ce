"""The forms and faults that a trace of Chromium may have: what cannot be read is told, and nothing
else is lost; deep and large ones."""

import collections
import functools
import gzip
import json
import tempfile

import harness
from harness import TESTDATA, answer, equal, run, test
from survive import answered, file_of, measured, survives_bytes, tours


def trace_of(name):
    return TESTDATA / "chromium" / f"{name}.json"


def broken_down(file, *choice):
    """(backtrace, type) -> size"""
    rows = answer("list", "breakdown", file, *choice)
    return {(tuple(row["backtrace"]), row["type"]): row["size"] for row in rows}


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
        equal(broken_down(file.name), broken_down(trace_of("seed_table")), "gzip")


@test
def a_trace_without_heaps_is_one():
    trace = {"traceEvents": [{"ph": "X"}, {"ph": "v", "pid": 3, "id": 1, "args": {"dumps": {}}}]}
    with file_of(json.dumps(trace).encode()) as file:
        info = answer("info", file.name)
        equal([info["events"], info["memory_dumps"], info["processes"]], [2, 1, 1], "contents")
        equal(info["warnings"], [], "warnings")
        result = run("list", "breakdown", file.name, expect=1)
        assert "valid trace, with no heap by call stack in it" in result.err, result
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
        ([{"bt": "", "size": "10"}, {"bt": "", "size": "10"}], "1 entry of malloc with the stack and type"),
        ([{"bt": "", "size": "10"}, {"bt": None, "size": "4"}], "1 entry of malloc without size or stack"),
        ([{"bt": "", "size": "10"}, {"bt": 1.5, "size": "4"}], "1 entry of malloc without size or stack"),
        ([{"size": "10"}, {"bt": "", "type": "1", "size": "4"}], "1 entry of malloc without size or stack"),
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
    assert "2 entries of a of lists that differ in length" in told, told
    assert "A heap has no list of sizes" in told, told
    again = [of_maps("1", ROWS, named(2, "one")), of_maps("2", ROWS, named(2, "two")),
             of_maps("3", ROWS, named(2, "one"))]
    _, warnings = told_of(again)
    equal([w["text"] for w in warnings], ["1 name under ids that are taken, left out"],
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


# ---- What allocators report


def uses_of(file):
    """{(dump, process, name): attributes} as the trace has them, and the dumps by time."""
    opened = gzip.open(file) if str(file).endswith(".gz") else open(file, "rb")
    with opened:
        trace = json.load(opened)
    uses, times = {}, {}
    for event in trace["traceEvents"] if isinstance(trace, dict) else trace:
        dumps = event.get("args", {}).get("dumps", {}) if event["ph"] == "v" else {}
        for name, use in dumps.get("allocators", {}).items():
            uses[event["id"], event["pid"], name] = {
                key: int(value["value"], 16) for key, value in use.get("attrs", {}).items() if value["type"] == "scalar"}
            times[event["id"]] = min(event["ts"], times.get(event["id"], event["ts"]))
    return uses, sorted(times, key=times.get)


def sizes_of(uses):
    """The size that each reports or, without one, the sum of its parts; None: neither is known."""
    parts = collections.defaultdict(list)
    for dump, process, name in uses:
        parts[dump, process, name.rpartition("/")[0]].append((dump, process, name))

    @functools.cache
    def size(key):
        known = [s for s in map(size, parts[key]) if s is not None]
        return uses[key].get("size", sum(known) if known else None)

    return {key: size(key) for key in uses}, parts


@test(each=("allocators.json", "memory_infra_noheaps.json.gz"))
def allocators_are_what_the_trace_reports(name):
    """Judged by the JSON: sizes, parts, sums and changes, of all dumps and all names."""
    file = harness.stored(f"chromium/{name}")
    uses, dumps = uses_of(file)
    sizes, parts = sizes_of(uses)
    rows = answer("list", "allocators", file, "all", "--depth", 20)
    found, rests = {}, {}
    for row in rows:
        key = (row["dump"], row["process"], row["name"])
        if row["name"] == "<unspecified>":
            rests[key[:2]] = rests.get(key[:2], 0) + row["size"]
            continue
        assert key not in found or len(key[2]) > 400, key
        found[key if len(key[2]) < 400 else (*key, len(found))] = row
    equal(len(found), len(uses), "names, of which very long ones are cut")
    found = {key: row for key, row in found.items() if len(key[2]) < 400}
    equal(found.keys(), {key for key in uses if len(key[2]) < 400}, "names")
    before = dict(zip(dumps[1:], dumps))
    for key, row in found.items():
        equal((row["effective_size"], row["count"]),
              (uses[key].get("effective_size"), uses[key].get("object_count")), key)
        equal(row["size"] or 0, sizes[key] or 0, key)
        then = (before.get(key[0]), *key[1:])
        if row["size_delta"] is not None:
            equal(row["size_delta"], sizes[key] - (sizes.get(then) or 0), key)
        else:
            assert row["size"] is None or key[0] == dumps[0], key
    right = collections.Counter()
    for key, below in parts.items():
        if below and key in uses and sizes[key] is not None:
            right[key[:2]] += max(0, sizes[key] - sum(sizes[part] or 0 for part in below))
    equal(rests, {key: count for key, count in right.items() if count}, "unspecified")
    last = answer("list", "allocators", file)
    equal({row["dump"] for row in last}, {dumps[-1]}, "the last dump")
    equal([row["size"] or 0 for row in last], sorted((row["size"] or 0 for row in last), reverse=True), "order")


@test
def allocators_of_one_dump():
    file = trace_of("allocators")
    rows = answer("list", "allocators", file, "0x1")
    equal([(row["process_name"], row["name"], row["size"], row["size_delta"]) for row in rows],
          [("Renderer", "malloc", 9000, None), ("Browser", "malloc", 4000, None), ("Browser", "v8", 100, None)], "0x1")
    rows = answer("list", "allocators", file, "--columns", "name,size,size_delta", "--where", "process=10", "--depth", 1)
    equal([(row["name"], row["size"], row["size_delta"]) for row in rows],
          [("malloc", 5000, 1000), ("malloc/small", 3000, -500), ("malloc/large", 1500, 1500),
           ("<unspecified>", 500, None), ("v8", 1000, 900), ("v8/main", 1000, 900), ("v8extra", 64, 64)], "0x2")
    assert "no memory dump \"0x9\"" in run("list", "allocators", file, "0x9", expect=2).err
    assert "malloc of process 10, dump 0x2" in run("info", file).out
    assert "reports of allocators" in run("list", "allocators", harness.unpacked(harness.ONE), expect=1).err


def reports(process, dump, time, **sizes):
    """An event with what allocators report; no time: it has none."""
    allocators = {name: {"attrs": {"size": {"type": "scalar", "units": "bytes", "value": f"{size:x}"}}}
                  for name, size in sizes.items()}
    event = {"ph": "v", "pid": process, "id": dump, "name": "x", "args": {"dumps": {"allocators": allocators}}}
    return {**event, "ts": time} if time is not None else event


@test
def a_dump_is_as_old_as_its_first_event_with_a_time():
    trace = [reports(1, "y", 20, m=32), reports(2, "y", None, m=32), reports(1, "x", 10, m=16)]
    with file_of(json.dumps(trace).encode()) as file:
        rows = answer("list", "allocators", file.name)
        equal([(row["process"], row["dump"], row["size_delta"]) for row in rows], [(1, "y", 16), (2, "y", 32)], "rows")


@test
def what_is_reported_twice_counts_once():
    """Two events of one dump and process: names that are only in one of them count, the first of equal ones."""
    trace = [reports(1, "x", 10, a=100, b=5), reports(1, "x", 10, a=7, c=6)]
    with file_of(json.dumps(trace).encode()) as file:
        rows = answer("list", "allocators", file.name)
        equal([(row["name"], row["size"]) for row in rows], [("a", 100), ("c", 6), ("b", 5)], "rows")
        warnings = [row["text"] for row in answer("list", "warnings", file.name)]
        assert any(text.startswith("1 report of an allocator is there twice") for text in warnings), warnings
