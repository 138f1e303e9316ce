"""Spans: counts that do not fit, and those that were just being swept."""

import struct

from cores import changed, core_and_exe
from harness import answer, equal, run, test

NAME = "go1.19-park-plain-quiet"
# Of Go 1.19: fields of runtime.mspan.
FREE_INDEX, SLOTS, ALLOC_BITS, MARK_BITS, SWEPT = 48, 56, 72, 80, 88


def span_records(core, path, exe):
    """Where the file has the runtime's records of spans in use: the words before and behind tell which those are."""
    rows = answer("list", "spans", path, "--exe", exe, "--columns", "address,bytes,state,objects")
    spans = {int(r["address"], 16): (r["bytes"] // 8192, r["objects"]) for r in rows if r["state"] == "in use"}
    words = memoryview(core.at(0, 1 << 30)).cast("Q")
    found = {}
    for at, word in enumerate(words):
        if word in spans and words[at + 1] == spans[word][0] and words[at + 10] % 8 == 0 and words[at + 2] == 0:
            found.setdefault(word, []).append(at * 8 - 24)
    return [(places[0], spans[start][1]) for start, places in found.items() if len(places) == 1]


@test
def spans_with_other_counts_than_they_say_are_told_or_refused():
    counted = 96  # mspan.allocCount
    exe = core_and_exe(NAME)[1]
    with changed("counts", NAME) as (core, path):
        records = list(span_records(core, path, exe))
        assert len(records) > 100, len(records)
        for place, objects in records:
            equal(struct.unpack("<H", core.at(place + counted, 2))[0], objects, "its own count")
        for place, objects in records[:3]:
            core.write(place + counted, struct.pack("<H", objects + 5))
        told = [r["text"] for r in answer("list", "warnings", path, "--exe", exe)]
        equal(told, ["3 spans of the heap have another number of objects than they say"], "warnings")
        for place, objects in records[: len(records) // 2]:
            core.write(place + counted, struct.pack("<H", objects + 5))
        refused = run("info", path, "--exe", exe, expect=2).err
        assert f"{len(records) // 2} of " in refused and "another number of objects than they say" in refused, refused
        equal(refused.count("\n"), 1, refused)


def objects_of(start, path, exe):
    row, = (r for r in answer("list", "spans", path, "--exe", exe) if r["address"] == f"{start:#x}")
    return row["objects"]


@test
def a_span_that_is_just_being_swept_has_what_its_sweep_keeps():
    """Its marks until they are its allocation bits: no thread has to be caught there to know."""
    exe = core_and_exe(NAME)[1]
    with changed("sweep", NAME) as (core, path):
        places = [place for place, _ in span_records(core, path, exe)]
        taken = {place: struct.unpack("<Q", core.at(place + FREE_INDEX, 8))[0] for place in places}
        bits = {place: core.word(struct.unpack("<Q", core.at(place + ALLOC_BITS, 8))[0]) for place in places}
        # some slots were kept by the sweep before, and others have been taken since
        place = next(p for p in places if 20 < taken[p] < 64 and 0 < bits[p] < 1 << taken[p] and ~bits[p] & 15)
        start, kept = struct.unpack("<Q", core.at(place + 24, 8))[0], bits[place].bit_count()
        equal(core.word(struct.unpack("<Q", core.at(place + MARK_BITS, 8))[0]), 0, "marks of a span that is swept")
        assert objects_of(start, path, exe) > kept, kept
        swept, = struct.unpack("<I", core.at(place + SWEPT, 4))
        core.write(place + SWEPT, struct.pack("<I", swept - 1))
        equal(objects_of(start, path, exe), 0, "nothing is marked")
        core.write(place + MARK_BITS, core.at(place + ALLOC_BITS, 8))
        equal(objects_of(start, path, exe), kept, "what is marked")
        core.write(place + FREE_INDEX, bytes(8))
        equal(objects_of(start, path, exe), kept, "marks that are allocation bits")
        core.write(place + MARK_BITS, struct.pack("<Q", 0))
        equal(objects_of(start, path, exe), kept, "allocation bits")
        # where others' marks of the same time have become their allocation bits: it has none, and is not swept yet
        both = [struct.unpack("<QQ", core.at(p + ALLOC_BITS, 16)) for p in places if p != place]
        used, fresh = {alloc for alloc, mark in both if abs(alloc - mark) > 1 << 15}, max(mark for _, mark in both)
        size = (struct.unpack("<Q", core.at(place + SLOTS, 8))[0] + 63) // 64 * 8
        empty = next(at for bits in used for at in range(bits - size, bits - 512, -8)
                     if min(b for b in used if b > at) == bits and not any(core.at(core.offset(at), size)))
        core.write(place + MARK_BITS, struct.pack("<Q", empty))
        equal(objects_of(start, path, exe), 0, "nothing is marked, and the sweep has begun")
        core.write(place + MARK_BITS, struct.pack("<Q", fresh + 8))
        equal(objects_of(start, path, exe), kept, "allocation bits, and the newest marks")
