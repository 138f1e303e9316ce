"""No silent difference: whatever happens to a dump, either its rows are those of the intact one, or
something is said.

Dumps have no sums, so what can be said is what can be known. A cut always can: the end record is
missing. Of a dump whose bytes were changed the second reader decides, which is strict: where it cannot
read it as the dump of a whole heap, the program must have said so; where it can, the bytes are a dump
that Go may have written, nobody can tell, and the program must count what that reader counts. Where
even all records are alike (a number in more bytes than it needs), all tables must be."""

import json
import os
import pathlib
import random

import godump
import writer
from harness import ONE, SANITIZED, SMALL, answer, equal, oracle, run, stored, test, unpacked
from survive import COUNT, contents, file_of
from writer import HEAP, STACK, record, words

# Every table that needs no argument.
TABLES = """goroutines groups roots objects types packages owners dominators sizes shapes
    finalizers defers panics threads memstats pauses profiles samples segments descriptors itabs
    records unreachable strengths creators reasons""".split()
SHARE = 8 if SANITIZED else 1  # of what is tried: what is said is seen without sanitizers
ALIKE = [table for table in TABLES if table != "records"]  # those have offsets in the file


def counts(data):
    """What info must say of an intact dump; None: it is none."""
    try:
        dump = godump.read(data)
    except (godump.Malformed, UnicodeDecodeError, ValueError, LookupError, TypeError, AttributeError):
        return None
    queued = sum(f.queued for f in dump.finalizers)
    return {
        "objects": len(dump.objects), "object_bytes": sum(o.size for o in dump.objects),
        "ghosts_dropped": len(dump.ghosts), "goroutines": len(dump.goroutines),
        "frames": len(dump.frames), "types": len(dump.types), "itabs": len(dump.itabs),
        "finalizers": len(dump.finalizers) - queued, "queued_finalizers": queued,
        "defers": len(dump.defers), "panics": len(dump.panics), "threads": len(dump.threads),
        "profiles": len(dump.profiles), "samples": len(dump.samples),
    }, [
        list(items) for items in (
            dump.objects, dump.frames, dump.segments, dump.types, dump.itabs, dump.finalizers,
            dump.defers, dump.panics, dump.threads, dump.profiles, dump.samples, dump.otherroots,
            [dump.params], [g._replace(frames=[]) for g in dump.goroutines],
        )
    ] + [dump.memstats]


def rows_of(path, table):
    return run("list", table, path, "--csv", "--limit", "3000").out


def state_of(path):
    """(what info says or None where the dump is refused, the state that it tells)"""
    result = run("info", path, "--json")
    if result.status == 2:
        assert result.err.startswith("goheapx: "), result
        return None, "refused"
    info = json.loads(result.out)
    equal(result.err, f"goheapx: {path}: {info['state']}.\n" if info["state"] else "", "what is said")
    return info, info["state"]


def is_told(path, table, state):
    """The table says it, too, in the same words and once."""
    result = run("list", table, path, "--csv", "--limit", "1")
    assert result.err.count(f"{state}.\n") == 1, f"{table}: {state}: {result}"


def never_silent(path, data, table, intact, what):
    info, state = state_of(path)
    if state:
        if info:
            is_told(path, table, state)
        return
    read = counts(data)
    assert read, f"{what}: not a word, but it is no intact dump"
    equal({key: info[key] for key in read[0]}, read[0], what)
    if intact and read[1] == intact["records"]:
        for name in ALIKE:
            equal(rows_of(path, name), intact[name], f"{what}: rows of {name}")


def cut_is_told(whole, lengths, chance):
    with file_of(whole) as file:
        for length in sorted(lengths)[::-1]:
            os.truncate(file.name, length)
            info, state = state_of(file.name)
            if info:
                equal([info["whole"], info["complete"]], [False, False], f"cut at {length}")
                is_told(file.name, chance.choice(TABLES), state)


def change(data, chance, at):
    """One of what happens to bytes: another value, a bit, a block lost, doubled or of zeros."""
    kind, size = chance.randrange(5), chance.randrange(1, 40)
    if kind == 0:
        return data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :], "byte"
    if kind == 1:
        return data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :], "bit"
    if kind == 2:
        return data[:at] + data[at + size :], f"{size} bytes lost"
    if kind == 3:
        return data[: at + size] + data[at:], f"{size} bytes doubled"
    return data[:at] + bytes(size) + data[at + size :], f"{size} zeros"


def changes_are_told(whole, places, chance, intact=None):
    for at in places:
        data, kind = change(whole, chance, at)
        if data != whole:
            with file_of(data) as file:
                table = chance.choice(TABLES)
                never_silent(file.name, data, table, intact, f"{kind} at {at}")


@test
def every_cut_of_a_tiny_dump_is_told():
    whole = writer.tiny()
    cut_is_told(whole, range(60, len(whole), 7 * SHARE), random.Random(1))


@test(each=range(4))
def changes_of_a_tiny_dump_are_told(seed):
    chance = random.Random(f"tiny {seed}")
    whole = writer.tiny()
    intact = {"records": counts(whole)[1]}
    with file_of(whole) as file:
        for table in TABLES:
            intact[table] = rows_of(file.name, table)
    pauses = whole.index(bytes(200))  # all alike, so one place in them is enough
    text = whole.index(b"text of the dump")  # and behind it a kilobyte of pointers
    start = len(writer.HEADER + writer.params())  # that record says how all others are read
    places = [i for i in range(start, len(whole))
              if not pauses < i < pauses + 240 and not text < i < text + 1100]
    changes_are_told(whole, chance.choices(places, k=COUNT * 2 // SHARE), chance, intact)


@test
def a_number_in_more_bytes_than_it_needs_changes_no_row():
    """What the oracle can compare in all tables."""
    records = writer.tiny_records()
    whole = writer.HEADER + b"".join(records)
    at = next(i for i, r in enumerate(records) if r[0] == 9)  # an OS thread: its last number
    records[at] = records[at][:-1] + bytes([records[at][-1] | 0x80, 0])
    longer = writer.HEADER + b"".join(records)
    equal(counts(longer)[1], counts(whole)[1], "records by the second reader")
    with file_of(whole) as one, file_of(longer) as other:
        equal(answer("info", other.name)["state"], None, "state")
        for table in ALIKE:
            equal(rows_of(other.name, table), rows_of(one.name, table), table)


@test
def what_go_never_writes_is_told():
    """And read all the same: it may be no more than a bit."""
    def with_record(old, new):
        assert old in writer.tiny_records(), old
        return writer.HEADER + b"".join(new if r == old else r for r in writer.tiny_records())

    one, flag = (writer.record(4, HEAP + 0x2040, STACK + 64, 2, 0x401000, 4, value, 0, 1000,
                               "chan receive", 0, 0, 0, 0) for value in (0, 2))
    top = (STACK + 64, writer.words(STACK, HEAP + 0x48), "main.worker", [0, 8])
    first, second = (writer.frame(top[0], depth, 0, *top[1:]) for depth in (0, 1))
    garbled = writer.frame(top[0], 0, 0, top[1], b"main.\xff\xfe", top[3])
    for content, words in (
        (with_record(one, flag), "neither 0 nor 1"), (with_record(first, second), "out of order"),
        (with_record(first, garbled), "no valid UTF-8"),
    ):
        with file_of(content) as file:
            info = answer("info", file.name)
            equal([info["whole"], info["goroutines"], info["frames"]], [False, 2, 3], words)
            equal([words in warning["text"] for warning in info["warnings"]], [True], words)


@test(each=TABLES)
def a_dump_that_ends_among_its_objects_is_told_by(table):
    path = stored("hostile/cut5.dump")
    is_told(str(path), table, answer("info", path)["state"])


@test
def an_object_of_a_type_that_is_not_there_is_told():
    """In the layouts of Go 1.3 it has no pointers then. The type follows the address, of five bytes."""
    whole = contents("go1.3beta1-small")
    rows = answer("list", "records", unpacked("go1.3beta1-small"), "--columns", "kind,offset")
    start = [row["offset"] for row in rows if row["kind"] == "object"][1000]
    for bit in range(7):
        at = start + 7
        changed = whole[:at] + bytes([whole[at] ^ 1 << bit]) + whole[at + 1 :]
        with file_of(changed) as file:
            equal(counts(changed), None, f"the dump with bit {bit} changed")
            _, state = state_of(file.name)
            assert state, f"nothing is said of bit {bit}"


@test(each=SMALL)
def cuts_of_a_real_dump_are_told(name):
    chance = random.Random(f"told cuts of {name}")
    whole = contents(name)
    cut_is_told(whole, chance.sample(range(1000, len(whole)), COUNT // 10), chance)


@test(each=SMALL[::4])
def changes_of_records_of_a_real_dump_are_told(name):
    """In the first bytes of records, which are hardly ever contents."""
    chance = random.Random(f"told changes of {name}")
    rows = answer("list", "records", unpacked(name), "--columns", "offset")
    starts = [row["offset"] for row in chance.sample(rows, max(1, COUNT // 20))]
    changes_are_told(contents(name), [at + chance.randrange(12) for at in starts], chance)


@test(each=["go1.24.4-small-mips", ONE, "go1.27.3-small"], builds=["gcc"])
def a_byte_too_many_or_too_few_within_contents_is_told(name):
    """What follows may read as records, too, in which pointers lie beyond contents."""
    graph, chance = oracle(name), random.Random(name)
    raw = pathlib.Path(unpacked(name)).read_bytes()
    holders = [obj for obj, row in zip(graph.dump.objects, graph.references) if row]
    for number, obj in enumerate(chance.sample(holders, 40)):
        at = raw.find(bytes(obj.data)) + chance.randrange(len(obj.data))
        shifted = raw[:at] + (b"\0" + raw[at:] if number % 2 else raw[at + 1 :])
        with file_of(shifted) as file:
            rows = answer("list", "warnings", file.name)
            assert any(row["loss"] for row in rows), (hex(obj.slot), at, rows)


TWICE = {
    4: "2 goroutines have the address", 7: "2 finalizers are of the object",
    8: "2 itabs have the address", 9: "2 OS threads have the address", 11: "2 queued finalizers are of the object",
    12: "2 records have the variables with initial values (data)", 14: "2 deferred calls have the address",
    13: "2 records have the variables without initial values (bss)", 15: "2 panics have the address",
    16: "2 allocation profiles have the number", 17: "2 samples are of the object",
}


def is_told_once(whole, words, what):
    """By a warning of a loss, and the second reader takes it for no dump."""
    equal(counts(whole), None, what)
    with file_of(whole) as file:
        rows = answer("list", "warnings", file.name)
        equal([(words in row["text"], row["loss"]) for row in rows], [(True, True)], f"{what}: {rows}")
        equal(answer("info", file.name)["whole"], False, what)


@test(each=TWICE)
def a_record_that_is_there_twice_is_told(tag):
    records = writer.tiny_records()
    at = next(i for i, record in enumerate(records) if record[0] == tag)
    is_told_once(writer.HEADER + b"".join(records[: at + 1] + records[at:]), TWICE[tag], f"record {tag} twice")


@test()
def a_type_may_be_written_again_if_it_is_the_same():
    records = writer.tiny_records()
    at = next(i for i, record in enumerate(records) if record[0] == 3)
    again = writer.HEADER + b"".join(records[: at + 1] + records[at:])
    assert counts(again), "the second reader"
    with file_of(again) as file:
        equal(answer("list", "warnings", file.name), [], "the same type twice")
        equal(answer("info", file.name)["whole"], True, "the same type twice")
    for other in (writer.record(3, 0x490000, 24, "main.T", 1), writer.record(3, 0x490000, 16, "main.U", 1)):
        is_told_once(writer.HEADER + b"".join([*records[: at + 1], other, *records[at + 1 :]]),
                     "Two records of the type 0x490000 differ", "another type")


@test(each=[12, 13])
def variables_that_are_missing_are_told(tag):
    records = [record for record in writer.tiny_records() if record[0] != tag]
    is_told_once(writer.HEADER + b"".join(records), ("(data)", "(bss)")[tag - 12], f"without record {tag}")


@test(each=["go1.24.4-small-mips", ONE, "go1.27.3-small"], builds=["gcc"])
def words_of_contents_that_are_missing_are_told(name):
    """As many bytes of the list of pointers become contents, and the rest of it is a list, too."""
    dump, chance = oracle(name).dump, random.Random(f"words of {name}")
    raw, width = pathlib.Path(unpacked(name)).read_bytes(), dump.word_size
    holders = [obj for obj in dump.objects if len(obj.fields) > 3 and obj.fields[-1] < 128 and len(obj.data) > 8]
    for number, obj in enumerate(chance.sample(holders, 20)):
        size = [6, 8, len(obj.fields) * 2][number % 3]
        start = raw.find(bytes(obj.data))
        at = start + chance.randrange((len(obj.data) - size) // width + 1) * width if len(obj.data) >= size else start
        with file_of(raw[:at] + raw[at + size :]) as file:
            rows = answer("list", "warnings", file.name)
            assert any(row["loss"] for row in rows), (hex(obj.slot), at, size, rows)


def missing_is_told(raw, start, length, size, what):
    """`size` bytes that are missing in contents of `length` bytes are told as a loss."""
    with file_of(raw[:start] + raw[start + size :]) as file:
        rows = answer("list", "warnings", file.name)
        assert size <= length and any(row["loss"] for row in rows), (what, start, size, rows)


@test(each=["go1.6.4-server", "go1.24.4-small-mips", ONE, "go1.27.3-small"], builds=["gcc"])
def two_or_four_bytes_that_are_missing_are_told(name):
    """One or two pairs of the list of pointers become contents: what they lead to tells it."""
    dump, chance = oracle(name).dump, random.Random(f"two of {name}")
    raw, width = pathlib.Path(unpacked(name)).read_bytes(), dump.word_size
    holders = []
    for obj in dump.objects:
        words = list(dump.words(obj.data, obj.fields[:2]))
        if len(words) == 2 < len(obj.fields) and obj.fields[-1] < 128 and all(dump.find(word) is not None for _, word in words):
            holders.append(obj)
    for number, obj in enumerate(chance.sample(holders, 16)):
        pairs = b"".join(bytes((1, offset)) for offset in obj.fields)
        size, start, behind = 2 + number % 2 * 2, raw.index(bytes(obj.data) + pairs + b"\0"), obj.fields[1] + width
        places = [at for at in range(len(obj.data) - size + 1) if at >= behind or at + size <= obj.fields[0]]
        missing_is_told(raw, start + chance.choice(places or [behind - width + 1]), len(obj.data), size, hex(obj.slot))


@test(each=["go1.6.4-server", "go1.24.4-small-mips", "go1.24.4-small-s390x", ONE, "go1.27.3-small"], builds=["gcc"])
def bytes_that_are_missing_in_frames_and_variables_are_told(name):
    """Of a frame the numbers behind it lose bytes, of a segment the list of pointers."""
    dump, chance = oracle(name).dump, random.Random(f"frames of {name}")
    raw = pathlib.Path(unpacked(name)).read_bytes()
    rows = answer("list", "records", unpacked(name), "--columns", "kind,offset")
    starts = [row["offset"] for row in rows if row["kind"] == "frame"]
    equal(len(starts), len(dump.frames), "frames")
    frames = [(start, frame) for start, frame in zip(starts, dump.frames) if frame.data and frame.pc]
    for number, (start, frame) in enumerate(chance.sample(frames, 12)):
        size = min(1 + number % 3, len(frame.data))
        start = raw.index(frame.data, start) + chance.randrange(len(frame.data) - size + 1)
        missing_is_told(raw, start, len(frame.data), size, frame.name)
    segment = next(segment for segment in dump.segments if segment.kind == "data")
    for size in (2, 4):
        at = raw.index(segment.data) + chance.randrange(len(segment.data) // 2)
        missing_is_told(raw, at, len(segment.data), size, "data")


@test
def memory_that_was_used_before_is_no_damage():
    """The contents of an object without pointers are what stood there before: addresses, and bytes that look like the
    beginning of a list of pointers. With one address, where that list has it, the list is one that has moved."""
    stale = words(*range(HEAP + 16, HEAP + 12 * 16 + 1, 16))
    for contents, is_loss in (
        (stale + bytes.fromhex("01400010000400014000100004000140"), False),
        (bytes(64) + words(HEAP + 16) + bytes(38) + b"\1\x40", True),
        (bytes(62) + words(HEAP + 16) + bytes(40) + b"\1\x40", True),
    ):
        equal(len(contents), 112, "size")
        records = writer.tiny_records()
        raw = writer.HEADER + b"".join([*records[:-1], record(1, HEAP + 0x6000, contents, []), records[-1]])
        with file_of(raw) as file:
            equal(any(row["loss"] for row in answer("list", "warnings", file.name)), is_loss, contents.hex())
