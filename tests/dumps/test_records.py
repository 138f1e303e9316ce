"""Every kind of record in its table, against the reader in tests/oracle and what the programs knew."""

from collections import Counter

import writer
from heaps import function_of, outside_runtime, rate_of, scaled
from harness import DUMPS, SMALL, answer, equal, oracle, test, truth, unpacked
from survive import file_of

# The kinds of `list records` by their tags in the file. Slots that hold no object are objects there.
TAGS = {
    "end": 0, "object": 1, "otherroot": 2, "type": 3, "goroutine": 4, "frame": 5, "params": 6,
    "finalizer": 7, "itab": 8, "thread": 9, "memstats": 10, "queued_finalizer": 11, "data": 12,
    "bss": 13, "defer": 14, "panic": 15, "profile": 16, "sample": 17,
}


def visible(text):
    return text.replace("\\", "\\\\")


@test(each=DUMPS, builds=["gcc"])
def records_are_those_of_a_strict_walk(name):
    dump = oracle(name).dump
    rows = answer("list", "records", unpacked(name))
    counts = Counter(row["kind"] for row in rows)
    counts["object"] += counts.pop("ghost", 0)
    right = {kind: dump.offsets[tag] for kind, tag in TAGS.items() if dump.offsets[tag]}
    right["end"] = 1
    right["type"] -= len(dump.broken)
    equal(dict(counts), right, "records by kind")
    for row in rows:
        tag = TAGS["object" if row["kind"] == "ghost" else row["kind"]]
        equal(dump.raw[row["offset"]], tag, f"tag of {row}")
    for row, after in zip(rows, rows[1:]):
        end = row["offset"] + row["length"]
        if end not in dump.broken:  # what cannot be read is no part of the record before it
            equal(end, after["offset"], f"end of {row}")
    equal(rows[0]["offset"], 16, "where the first record is")
    equal(rows[-1]["offset"] + rows[-1]["length"], len(dump.raw), "where the last one ends")
    objects = answer("list", "records", unpacked(name), "object")
    equal(len(objects), len(dump.objects), "records of objects")


@test(each=DUMPS)
def profiles_are_the_same(name):
    dump = oracle(name).dump
    rows = {row["id"]: row for row in answer("list", "profiles", unpacked(name))}
    equal(len(rows), len(dump.profiles), "profiles")
    samples = Counter(profile for _, profile in dump.samples)
    for profile in dump.profiles:
        row = rows[f"{profile.id:#x}"]
        numbers = [row[key] for key in ("size", "allocs", "frees", "frames", "samples")]
        right = [profile.size, profile.allocs, profile.frees, len(profile.stack), samples[profile.id]]
        equal(numbers, right, "numbers")
        function, file, line = outside_runtime(profile.stack)[0]
        equal(row["function"], visible(function_of(function)), f"function of {profile.id:#x}")
        equal(row["line"], f"{visible(file)}:{line}", f"line of {profile.id:#x}")
        live = max(profile.allocs - profile.frees, 0)
        equal((row["live_bytes"], row["live"]), scaled(profile, live, rate_of(name)), "live")


@test(each=DUMPS)
def samples_lead_both_ways(name):
    dump = oracle(name).dump
    rows = answer("list", "samples", unpacked(name))
    got = sorted((int(row["object"], 16), int(row["profile"], 16)) for row in rows)
    equal(got, sorted(map(tuple, dump.samples)), "samples")
    if not rows:
        return
    most = Counter(profile for _, profile in dump.samples).most_common(1)[0][0]
    of_one = answer("list", "samples", unpacked(name), f"{most:#x}")
    right = sorted(address for address, profile in dump.samples if profile == most)
    equal(sorted(int(row["object"], 16) for row in of_one), right, "samples of one profile")
    stack = next(profile.stack for profile in dump.profiles if profile.id == most)
    shown = answer("show", unpacked(name), f"{right[0]:#x}")["allocation"]
    equal(shown["profile"], f"{most:#x}", "profile of an object")
    equal([frame["function"] for frame in shown["stack"]], [visible(function_of(f[0])) for f in stack], "stack")
    frames = answer("list", "profile", unpacked(name), f"{most:#x}")
    equal([frame["function"] for frame in frames], [visible(function_of(f[0])) for f in stack], "list profile")


@test(each=DUMPS)
def what_has_no_root_is_listed_by_its_heads(name):
    graph = oracle(name)
    objects = graph.dump.objects
    lost = [i for i in range(len(objects)) if i not in graph.distance]
    held = {t for i in lost for _, t in graph.references[i] if t != i}
    rows = answer("list", "unreachable", unpacked(name))
    heads = [graph.dump.find(int(row["object"], 16)) for row in rows if not row["ring"]]
    equal(sorted(heads), [i for i in lost if i not in held], "heads")
    equal(sum(row["objects"] for row in rows), len(lost), "objects that they lead to")
    equal(sum(row["bytes"] for row in rows), sum(objects[i].size for i in lost), "bytes of these")


@test(each=DUMPS)
def shapes_are_slot_sizes_with_pointer_masks(name):
    graph = oracle(name)
    width = graph.dump.word_size
    for which in ("", "reachable", "unreachable"):
        right = Counter()
        for i, obj in enumerate(graph.dump.objects):
            if not which or (i in graph.distance) == (which == "reachable"):
                mask = tuple(offset for offset in obj.fields if offset + width <= obj.size)
                right[obj.size, mask] += 1
        rows = answer("list", "shapes", unpacked(name), *([which] if which else []))
        got = Counter((row["size"], row["pointers"], row["objects"]) for row in rows)
        equal(got, Counter((s, len(m), n) for (s, m), n in right.items()), f"{which} shapes")


@test(each=DUMPS)
def segments_threads_and_pauses_are_the_same(name):
    graph = oracle(name)
    dump, counts = graph.dump, graph.root_counts()
    right = [[s.kind, f"{s.address:#x}", len(s.data), counts[s.kind]] for s in dump.segments]
    rows = answer("list", "segments", unpacked(name))
    equal([list(row.values()) for row in rows], right, "segments")
    on_thread = {goroutine.m: goroutine.id for goroutine in dump.goroutines if goroutine.m}
    rows = answer("list", "threads", unpacked(name))
    got = [[int(row["address"], 16), row["id"], row["os_id"], row["goroutine"]] for row in rows]
    equal(got, [[*thread, on_thread.get(thread[0])] for thread in dump.threads], "threads")
    number, ring = dump.memstats["NumGC"], dump.memstats["PauseNs"]
    right = [[gc, ring[(gc + 255) % 256]] for gc in range(max(1, number - 255), number + 1)]
    rows = answer("list", "pauses", unpacked(name))
    equal([[row["gc"], row["pause"]] for row in rows], right, "pauses")


@test(each=SMALL)
def finalizers_are_those_of_the_truth(name):
    """All that are queued, and the one that runs, are in the records of queued ones."""
    find, known = oracle(name).dump.find, truth(name)
    rows = answer("list", "finalizers", unpacked(name))
    of = lambda queued: {find(int(row["object"], 16)) for row in rows if row["queued"] == queued}
    places = lambda key: {find(int(address, 16)) for address in known[key]}
    queued = places("FinQueued") | places("FinRunning")
    equal(of(True) & (queued | places("FinRegistered")), queued, "queued or running")
    assert places("FinRegistered") <= of(False), "registered ones are missing"


@test(each=SMALL)
def deferred_calls_and_panics_stand_at_their_frames(name):
    dump = oracle(name).dump
    for goroutine in dump.goroutines:
        defers = [d for d in dump.defers if d.goroutine == goroutine.address]
        panics = [p for p in dump.panics if p.goroutine == goroutine.address]
        if not defers and not panics:
            continue
        rows = answer("list", "stack", unpacked(name), str(goroutine.id))
        frame, found = None, Counter()
        for row in rows:
            place = row["place"].strip()
            if row["depth"] is not None:
                frame = goroutine.frames[row["depth"]]
            elif place.startswith(("deferred call", "panic", "runtime.Goexit")):
                kind = "defer" if place.startswith("deferred") else "panic"
                found[kind] += 1
                assert "not known" not in place, f"{row} of goroutine {goroutine.id}"
                if kind == "panic":
                    places = [p.address - frame.sp for p in panics]
                else:
                    places = [place - frame.sp for d in defers for place in (d.sp, d.address)]
                assert any(0 <= at < len(frame.data) for at in places), f"{row} is not in {frame.name}"
        equal(found, +Counter(defer=len(defers), panic=len(panics)), f"of goroutine {goroutine.id}")


@test
def variables_of_a_plugin_are_others_than_those_of_the_program():
    """A plugin has a data and a bss segment of its own."""
    records = writer.tiny_records()
    plugin = writer.record(13, writer.DATA + 0x9000, writer.words(writer.HEAP + 16), [0])
    with file_of(writer.HEADER + b"".join([*records[:24], plugin, *records[24:]])) as file:
        rows = answer("list", "roots", file.name)
        names = [row["name"] for row in rows if row["kind"] == "bss"]
        equal(sorted(names), ["bss+0x0", "bss2+0x0"], "names")
        for name, right in (("bss+0x0", writer.HEAP + 0x2000), ("bss2+0x0", writer.HEAP + 16)):
            equal(answer("show", file.name, name)["address"], f"{right:#x}", name)
