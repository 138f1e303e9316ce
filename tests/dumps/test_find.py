"""find: the places that have some bytes are those where Python finds them in what the second reader has
read."""

from executables import dump_of, exe_of
from harness import DUMPS, ONE, answer, equal, oracle, run, test, unpacked

# Texts and bytes: many and few, of one byte, at the ends of objects, across fields, in frames and data.
NEEDLES = [b"session-00", b"main.", b"a", b"needle", b"\xc0\x00\x00\x00", b"\x00" * 24, b"\xff" * 8,
           b"GODEBUG", "\u03bb".encode()]
MANY = 30000


def places(needle, data):
    """Offsets from the left that do not overlap."""
    at = data.find(needle)
    while at >= 0:
        yield at
        at = data.find(needle, at + len(needle))


def contents(name):
    """(kind, address, bytes) of everything that is searched."""
    dump = oracle(name).dump
    for index, item in enumerate(dump.objects):
        yield "object", hex(dump.address(index)), bytes(item.data[item.header:])
    for segment in dump.segments:
        yield segment.kind, hex(segment.address), bytes(segment.data)
    for frame in dump.frames:
        yield "frame", hex(frame.sp), bytes(frame.data)


@test(each=DUMPS)
def what_is_found_is_there_and_all_of_it(name):
    some, every = 0, list(contents(name))
    for needle in NEEDLES:
        right = sorted((kind, address, at) for kind, address, data in every if needle in data
                       for at in places(needle, data))
        # Of very many places only what is compared, which is no other search but a fraction of the output.
        columns = ["--columns", "kind,address,offset"] if len(right) > MANY else []
        rows = answer("find", unpacked(name), "0x" + needle.hex(), *columns, expect=0 if right else 1)
        got = sorted((row["kind"], row["address"], row["offset"]) for row in rows)
        equal(got, right, f"places with {needle}")
        some += len(right)
    assert some > 1000, f"only {some} places are in this dump at all"


@test
def a_text_is_found_as_it_is_written():
    rows = answer("find", unpacked(ONE), "session-0007")
    assert rows and rows == answer("list", "find", unpacked(ONE), "session-0007"), rows
    for row in rows:
        assert "session-0007" in row["text"], row
    text = run("find", unpacked(ONE), "session-0007", expect=0)
    equal(len(text.out.splitlines()), len(rows) + 1, "lines of text")
    none = run("find", unpacked(ONE), "session-00x7", expect=1)
    equal((none.out, none.err), ("", "No object, data segment or stack frame has these bytes.\n"), "nothing")


@test
def where_it_was_found_is_a_path_to_it():
    arguments = (dump_of(ONE), "--exe", exe_of(ONE))
    for row in answer("find", *arguments, "session-0007"):
        if row["kind"] == "object":
            path = row["expression"].removesuffix(row["name"] or "")
            shown = answer("show", *arguments, path)
            equal(shown["address"], row["address"], row["expression"])


@test
def options_of_lists_hold():
    arguments = ("find", unpacked(ONE), "session-00")
    rows = answer(*arguments)
    equal(answer(*arguments, "--limit", 3), rows[:3], "the first three")
    some = answer(*arguments, "--where", "text ~ '7$' and kind = object")
    equal(some, [r for r in rows if r["text"].endswith("7") and r["kind"] == "object"], "some")


@test
def names_come_from_the_executable():
    arguments = ("find", dump_of(ONE), "--exe", exe_of(ONE))
    rows = answer(*arguments, "session-0007")
    assert any(row["type"] == "string data" for row in rows), rows
    needle = run("show", dump_of(ONE), "0xc000193140", "--json", expect=0)
    assert needle.out, needle


@test
def bytes_are_pairs_of_digits():
    for needle in ("0x", "0xabc", "0xzz", "0x12 34"):
        result = run("find", unpacked(ONE), needle, expect=2)
        assert "pairs of hexadecimal digits" in result.err, result
    run("find", unpacked(ONE), expect=2)
    run("list", "find", unpacked(ONE), "", expect=2)


@test(each=["0x" + b"session-00".hex(), "0x" + (b"\x00" * 24).hex(), "session-00", "0xc000000000"])
def the_next_place_is_the_next_row(needle):
    """However it was written: rows show it as text."""
    seen = [run("-e", "\n".join([f"find {needle}", *["next"] * count]), "--marks", unpacked(ONE), expect=0).out.split("\n")
            for count in (0, 1, 2)]
    cursors = [[number for number, line in enumerate(screen) if line.startswith("^") and "cursor" in line] for screen in seen]
    first, second, third = (marks[0] for marks in cursors)
    assert first < second < third <= first + 4, cursors
