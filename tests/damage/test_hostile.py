"""Dumps that were made to do harm: counts that lie, addresses that wrap, links in circles, keys
that meet in one place of a table. What is wrong is said, the rest is there, the work has bounds."""

import writer
from harness import answer, equal, run, test
from survive import MEMORY, answered, file_of, survives, survives_bytes, tours
from writer import DATA, HEAP, STACK, frame, goroutine, record, text, uvarint, words

START = writer.HEADER + writer.params("go1.19.8")
END = record(0)
TOP = 1 << 64
MILLION = 1_000_000


def old_start(version):
    """The header and the parameters of Go 1.3 to 1.6."""
    channel = [88] if version == "go1.3" else []
    return f"{version} heap dump\n".encode() + record(
        6, 0, 8, *channel, HEAP, HEAP + (1 << 26), ord("6"), "", 2
    )


def node(i, to):
    return record(1, HEAP + 16 * i, words(HEAP + 16 * to, i), [0])


NODES = b"".join(node(i, (i + 1) % 100) for i in range(100))
GLOBAL = record(12, DATA, words(HEAP), [0])


def warned(info, *parts):
    """The warnings have one with all of these words."""
    texts = [warning["text"] for warning in info["warnings"]]
    assert any(all(part in line for part in parts) for line in texts), f"no {parts} in {texts}"


# ---- Objects


@test
def sizes_that_lie_cost_only_their_object():
    """Go cuts writes of 2 GiB and more, so such sizes may be true; they must not hide others."""
    for size in (1 << 31, 1 << 32, 1 << 40, 1 << 62, TOP - HEAP - 1):
        liar = b"\1" + uvarint(HEAP - 16) + uvarint(size) + b"\0"
        info = survives_bytes(START + liar + NODES + GLOBAL + END)
        assert info["objects"] >= 100, f"size {size}: {info['objects']} objects"
        equal(info["roots"]["data"], 1, f"roots after an object of {size} bytes")
        assert info["warnings"], f"nothing says that {size} bytes are not there"


@test
def many_sizes_that_lie_take_no_memory():
    """What the file has no contents of takes no part of any table."""
    for size, count in ((1 << 40, 1000), (1 << 32, 20000)):
        liars = b"".join(
            b"\1" + uvarint(HEAP + (i << 41)) + uvarint(size) + b"\0" for i in range(1, count)
        )
        info = survives_bytes(START + NODES + liars + GLOBAL + END)
        equal(info["objects"], 99 + count, f"objects of {size} bytes")
        equal(info["reachable_objects"], 100, "reachable objects")


@test
def sizes_beyond_every_address_are_damage():
    """In every layout; nothing is kept that long."""
    for version in ("go1.3", "go1.4", "go1.5", "go1.6"):
        typed = uvarint(0x500000) + uvarint(TOP >> 1) if version == "go1.3" else b""
        liar = b"\1" + uvarint(HEAP - 16) + typed + uvarint(TOP >> 1) + b"\0"
        info = survives_bytes(old_start(version) + liar + GLOBAL + END)
        equal((info["objects"], info["complete"]), (0, False), version)


@test
def overlapping_objects_lose_as_little_as_possible():
    large = record(1, HEAP + 160, bytes(800), [])
    doubled = NODES + node(7, 1) + node(7, 2)
    for objects, left in ((NODES + large, 100), (large + NODES, 100), (doubled, 100)):
        info = survives_bytes(START + objects + GLOBAL + END)
        equal(info["objects"], left, "objects")
        equal(info["reachable_objects"], left, "reachable objects")
        warned(info, "overlap")


@test
def addresses_that_wrap_are_left_out():
    wraps = b"".join(record(1, TOP - 8 * i, words(HEAP, 1), [0]) for i in (1, 2))
    last = record(1, TOP - 32, words(HEAP, 1), [0])
    info = survives_bytes(START + NODES + wraps + last + GLOBAL + END)
    equal(info["objects"], 101, "objects")
    warned(info, "2 object records", "wraps around")
    wrapping = record(12, TOP - 8, words(HEAP, HEAP + 16), [0, 8])
    info = survives_bytes(START + NODES + wrapping + END)
    equal(info["roots"]["data"], 2, "roots")


@test
def objects_without_bytes_are_left_out():
    empty = record(1, HEAP + 16 * 200, b"", [])
    info = survives_bytes(START + empty + NODES + empty + GLOBAL + END)
    equal(info["objects"], 100, "objects")
    warned(info, "2 object records")


@test
def an_object_with_fields_outside_of_it_is_damage():
    for outside in ([16], [8 * i for i in range(50)], [0, TOP - 8], [0, TOP - 1], [1 << 63]):
        one = record(1, HEAP + 16 * 200, words(HEAP, HEAP), outside)
        info = survives_bytes(START + one + NODES + GLOBAL + END)
        equal(info["objects"], 100, f"objects beside one with fields at {outside}")
        warned(info, "object record here is damaged")
    inside = record(1, HEAP + 16 * 200, words(HEAP, HEAP), [0, 8])
    info = survives_bytes(START + inside + NODES + GLOBAL + END)
    equal((info["objects"], info["warnings"]), (101, []), "objects, warnings")


# ---- Many of them


@test(builds=("gcc",))
def a_million_tiny_records():
    objects = b"".join(b"\1" + uvarint(HEAP + 8 * i) + b"\1x\0" for i in range(MILLION))
    alike = {
        "types": record(3, 0x500000, 8, "T", 1),
        "frames": record(5, STACK, 0, 0, b"", 0, 0, 0, "f", []),
        "goroutines": goroutine(HEAP, STACK, 1, ""),
        "defers": record(14, HEAP, 1, 2, 3, 4, 5, 6),
        "samples": record(17, HEAP, 1),
    }
    for kind, records in {"objects": objects, **{k: v * MILLION for k, v in alike.items()}}.items():
        with file_of(START + records + END) as file:
            memory = MEMORY + 40 * len(records)
            equal(survives(file.name, memory=memory)[kind], MILLION, kind)
            tours(file.name, memory=memory)


@test(builds=("gcc",))
def objects_that_share_no_page():
    """Each costs a run and a part of the page table, and no more than that."""
    for step in (8191, 8193, 0x9E3779B97F4A7C15):
        content = START + b"".join(
            record(1, i * step & 0xFFFFFFFFFFFF, b"x", []) for i in range(1, MILLION // 4)
        ) + END
        info = survives_bytes(content, memory=MEMORY + 48 * len(content))
        equal(info["objects"], MILLION // 4 - 1, "objects")


@test(builds=("gcc",))
def one_object_with_many_finalizers():
    """An object has one: its references are not told again for each."""
    size = 50_000
    large = record(1, HEAP, words(*[HEAP] * size), [8 * i for i in range(size)])
    content = START + large + record(7, HEAP, HEAP, 1, 0, 0) * size + END
    info = survives_bytes(content)
    equal(info["finalizers"], size, "finalizers")
    assert info["roots"]["finalizer"] <= 2 * size, info["roots"]


def meeting_keys(count):
    """Numbers that all fell into one place of a table as long as its multiplier was a constant."""
    inverse = pow(0x9E3779B97F4A7C15, -1, TOP)
    return (inverse * ((i & 0x3FFF) << 18 | (i >> 14) << 50) % TOP for i in range(1, count))


@test(builds=("gcc",))
def keys_that_meet_in_a_table():
    types = b"".join(record(3, key, 8, "T", 1) + b"\0" for key in meeting_keys(100_000))
    equal(survives_bytes(old_start("go1.3") + types + END)["types"], 99_999, "types")
    same = b"".join(
        goroutine(HEAP, STACK, i, "")
        + record(5, STACK, 0, 0, b"", 0x401000, 0x401000 + (i << 36), 0, "main.f", [])
        for i in range(50_000)
    )
    equal(survives_bytes(START + same + END)["goroutines"], 50_000, "goroutines")


# ---- Types of Go 1.3 and 1.5


@test
def lists_of_types_that_are_longer_than_the_type():
    """An array of these would have more pointers than bytes."""
    pairs = b"\1\0" * 2000 + b"\0"
    array = record(1, HEAP, 0x5000, 1, words(*[HEAP] * 40_000))
    content = old_start("go1.3") + record(3, 0x5000, 8, "main.T", 1) + pairs + array + END
    info = survives_bytes(content)
    equal((info["objects"], info["complete"]), (1, True), "objects, complete")


@test
def a_broken_type_without_its_itab():
    """Go 1.5's own fault has an itab record behind it; mere damage has none, and loses no more."""
    broken = record(3, 0x5000, 16) + uvarint(1 << 30) + bytes(range(100, 200))
    info = survives_bytes(old_start("go1.5") + broken + NODES + GLOBAL + END)
    equal((info["objects"], info["complete"]), (100, True), "objects, complete")
    warned(info, "type record", "damaged")
    info = survives_bytes(old_start("go1.5") + broken + record(1, 0)[:1] + record(8, 0x6000, 0x5000)
                          + NODES + GLOBAL + END)
    equal((info["objects"], info["itabs"]), (100, 1), "objects, itabs")
    warned(info, "Go 1.5")


# ---- Stacks, goroutines, links


@test
def frames_without_a_goroutine():
    lost = frame(STACK, 0, 0, words(HEAP), "main.lost", [0])
    known = goroutine(HEAP, STACK + 64, 1, "select")
    content = START + NODES + lost + known + frame(STACK + 64, 0, 0, b"", "main.f", []) + END
    with file_of(content) as file:
        info = survives(file.name)
        equal((info["goroutines"], info["frames"]), (1, 2), "goroutines, frames")
        equal(info["reachable_objects"], 100, "objects reached from the lost frame")
        warned(info, "1 stack frames", "no goroutine")
        steps = answer("path", file.name, f"{HEAP:#x}")[0]
        assert "main.lost" in steps[0]["name"], steps[0]
        tours(file.name)


@test
def links_that_go_around():
    """Deferred calls and panics that are each other's next, in goroutines that are the same."""
    content = START + NODES + b"".join(
        goroutine(HEAP, STACK, 7, "select")
        + frame(STACK, 0, 0, words(HEAP), "main.f", [0])
        + record(14, HEAP + 16, HEAP, STACK, 0x401000, HEAP + 32, 0x401000, HEAP + 48)
        + record(14, HEAP + 48, HEAP, STACK, 0x401000, HEAP + 64, 0x401000, HEAP + 16)
        + record(15, STACK + 8, HEAP, 0x490000, HEAP, HEAP + 16, STACK + 16)
        + record(15, STACK + 16, HEAP, 0x490000, HEAP, HEAP + 48, STACK + 8)
        + record(15, STACK + 24, HEAP, 0x490000, HEAP, STACK + 24, STACK + 24)
        for _ in range(2)
    ) + END
    with file_of(content) as file:
        info = survives(file.name)
        equal((info["defers"], info["panics"]), (4, 6), "defers, panics")
        equal(len(answer("list", "defers", file.name)), 4, "rows of defers")
        equal(len(answer("list", "panics", file.name)), 6, "rows of panics")
        for table in ("stack", "frames"):
            assert answer("list", table, file.name, "7"), f"{table} of goroutine 7 is empty"
        tours(file.name)


@test
def profiles_of_absurd_depth():
    """A count of calls that is not true is damage; one that is may be any."""
    call = text("main.f") + text("main.go") + uvarint(7)
    deep = record(16, 0x700000, 16, 30_000) + call * 30_000 + uvarint(1) + uvarint(0)
    sample = record(17, HEAP, 0x700000)
    with file_of(START + NODES + GLOBAL + deep + sample + END) as file:
        info = survives(file.name)
        equal((info["profiles"], info["samples"], info["complete"]), (1, 1, True), "profile")
        tours(file.name)
    for depth in (1 << 20, 1 << 32, 1 << 63, TOP - 1):
        lying = record(16, 0x700000, 16, depth) + call
        info = survives_bytes(START + NODES + GLOBAL + lying + sample * 8 + END)
        equal((info["objects"], info["complete"]), (100, True), f"with {depth} calls")
        warned(info, "allocation profile", "damaged")


@test
def trials_that_all_go_far():
    """Damage where each next byte begins a record that takes long to refuse."""
    profile = b"\x10\x80\x20\x01\xff\x7f\x00\x00\x01"
    segment = b"\x0c\x80\x20\x00" + b"\1\x80\x20" * 100
    objects = b"\1\x80\x40\0" * 500_000
    for content in (profile * 200_000, segment * 5_000, objects, b"\n" * MILLION):
        survives_bytes(START + NODES + b"\x63" + content)
    types = b"\3\x80\x40\x10\xff\xff\xff\x7f" * 500_000
    survives_bytes(old_start("go1.5") + NODES + types)


# ---- Texts


NASTY = b"\x1b[31m\x1b]0;title\x07 a\0b \r\n\t \x9b2J \xff\xfe \xe2\x80\xae \xc2\x9b \x7f"
NASTY = NASTY.ljust(300, b"\x1b")


def printed(*arguments):
    """What is printed must be UTF-8 that a terminal only shows."""
    result = run(*arguments, expect=0)
    for character in (result.raw_out + result.raw_err).decode("utf-8").replace("\r\n", "\n"):
        assert character == "\n" or character.isprintable(), f"{arguments} prints {character!r}"


@test
def names_with_escapes_reach_no_terminal():
    content = writer.tiny(name=NASTY, reason=NASTY, version=NASTY, kind=NASTY)
    with file_of(content) as file:
        survives(file.name)
        tours(file.name)
        for style in ([], ["--json"]):
            printed("info", *style, file.name)
            printed("path", *style, file.name, f"{HEAP + 16:#x}")
        for table in ("goroutines", "groups", "types", "roots", "profiles", "warnings"):
            for style in ([], ["--json"], ["--csv"]):
                printed("list", *style, table, file.name)


@test
def a_text_of_a_megabyte():
    name = "main." + "x" * MILLION
    content = writer.tiny(name=name, reason=name, kind=name)
    with file_of(content) as file:
        survives(file.name)
        tours(file.name)
        answered(file.name, "list", "goroutines")
