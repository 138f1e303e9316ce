"""Records that no Go program writes: bounded work, clear answers, nothing else lost."""

import math
import tempfile

import writer
from harness import answer, equal, run, test
from writer import HEAP, STACK, record, words

ALL_TABLES = (
    "objects", "sizes", "shapes", "unreachable", "goroutines", "groups", "roots", "segments",
    "finalizers", "defers", "panics", "types", "itabs", "threads", "profiles", "samples",
    "memstats", "pauses", "records", "warnings",
)


def dump(*records):
    """A small heap, then these records, then the end."""
    start = [writer.HEADER, writer.params(), record(1, HEAP, words(HEAP, 1), [0])]
    return b"".join([*start, *records, record(12, writer.DATA, words(HEAP), [0]), b"\0"])


def tables_of(content, *extra):
    """Every table of it as JSON, by name; none may fail."""
    with tempfile.NamedTemporaryFile(prefix="goheapx-test-", suffix=".dump") as file:
        file.write(content)
        file.flush()
        rows = {name: answer("list", name, file.name) for name in ALL_TABLES}
        for arguments in extra:
            rows[arguments] = answer("list", arguments[0], file.name, *arguments[1:])
        run("-e", "; ".join(f"{name}; keys G; screen" for name in ALL_TABLES), file.name, expect=0)
        return rows


@test
def links_of_deferred_calls_and_panics_may_form_a_ring():
    defer = lambda at, link: record(14, at, HEAP, STACK, 0x401000, HEAP, 0x401000, link)
    panic = lambda at, link: record(15, at, HEAP, 0x490000, HEAP, 0, link)
    rows = tables_of(
        dump(
            writer.goroutine(HEAP, STACK, 1, "select"),
            writer.frame(STACK, 0, 0, words(HEAP, 0), "main.f", [0]),
            *[defer(HEAP, HEAP)] * 3, *[panic(STACK + 8, STACK + 8)] * 3,
            writer.goroutine(HEAP, STACK, 2, "select"), defer(HEAP, HEAP + 8),
        ),
        ("stack", "1"), ("stack", "2"),
    )
    equal([len(rows["defers"]), len(rows["panics"])], [4, 3], "defers and panics")
    places = [row["place"].strip() for row in rows["stack", "1"]]
    equal(places, ["main.f"] + ["panic, type 0x490000"] * 3 + ["deferred call"] * 3 + ["+0x0"], "1")
    equal(rows["stack", "2"], [], "a goroutine without frames")


@test
def deferred_calls_that_fit_no_frame_are_shown_all_the_same():
    rows = tables_of(
        dump(
            writer.goroutine(HEAP, STACK, 1, "select"),
            writer.frame(STACK, 0, 0, words(HEAP, 0), "main.f", [0]),
            record(14, 1, HEAP, (1 << 64) - 1, 0, 0, 0, 0), record(15, 1, 0, 0, 0, 0, 0),
        ),
        ("stack", "1"),
    )
    places = [row["place"].strip() for row in rows["stack", "1"]]
    known = ", of a frame that is not known"
    equal(places, ["main.f", f"runtime.Goexit{known}", f"deferred call{known}", "+0x0"], "stack")


@test
def profiles_may_lie():
    deep = [part for i in range(5000) for part in (f"main.f{i}", "/src/a.go", i)]
    rows = tables_of(
        dump(
            record(16, 7, 16, 0, 1, 2),  # an empty stack, more freed than allocated
            record(16, 7, 32, 1, "main.again", "a.go", 1, 9, 0),  # the same id
            record(16, 8, 1 << 63, 5000, *deep, (1 << 64) - 1, 0),
            record(16, 9, 16, 2, "runtime.mallocgc", "malloc.go", 1, "\0\x1b[31m", "?", 0, 1, 0),
            record(17, HEAP + 8, 8), record(17, HEAP, 7), record(17, 0x1234, 9), record(17, HEAP, 1),
        ),
        ("profile", "8"), ("profile", "7"), ("samples", "8"), ("samples", "9"),
    )
    got = {row["function"]: row["live"] for row in rows["profiles"]}
    stands_for = lambda count, size: int(count / (1 - math.exp(-size / 524288)))  # as runtime/pprof scales
    live = {None: 0, "main.again": stands_for(9, 32), "main.f0": (1 << 64) - 1,
            r"\x00\x1b[31m": stands_for(1, 16)}
    equal(got, live, "live objects by function, of an empty stack and a name with escapes, too")
    equal(len(rows["profile", "8"]), 5000, "frames")
    equal(rows["profile", "7"], [], "the first of two with one id")
    equal([row["object"] for row in rows["samples", "8"]], [f"{HEAP + 8:#x}"], "inside an object")
    equal([row["size"] for row in rows["samples", "9"]], [None], "of no object")
    equal(len(rows["samples"]), 4, "samples")


@test
def a_profile_deeper_than_the_file_is_damage():
    content = dump(record(16, 7, 16, 1 << 40) + b"\1a\1b\0")
    with tempfile.NamedTemporaryFile(prefix="goheapx-test-", suffix=".dump") as file:
        file.write(content)
        file.flush()
        info = answer("info", file.name)
    equal(info["objects"], 1, "objects")
    assert info["warnings"], "nothing says so"


@test
def a_ring_of_pauses_may_be_longer_than_it_is():
    numbers = record(10, *range(24), *[(1 << 64) - 1] * 256, (1 << 64) - 1)
    rows = tables_of(dump(numbers))["pauses"]
    equal(len(rows), 256, "pauses")
    equal(rows[-1]["gc"], (1 << 64) - 1, "the last one")


@test(builds=["gcc"])
def a_million_tiny_records():
    thread = record(9, HEAP, 1, 2)
    with tempfile.NamedTemporaryFile(prefix="goheapx-test-", suffix=".dump") as file:
        file.write(dump(thread * 1_000_000))
        file.flush()
        equal(answer("info", file.name)["threads"], 1_000_000, "threads")
        rows = answer("list", "records", file.name, "thread", "--limit", "2")
        equal(rows[1]["offset"] - rows[0]["offset"], len(thread), "length of a record")
        run("-e", "records; keys G; screen; threads; keys G; screen", file.name, expect=0)
