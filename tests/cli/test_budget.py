"""Small inputs are answered soon and briefly, however long their texts are and however often one of
them is meant: half a megabyte costs less than a second, and less than 100 MB of output."""

import json

import writer
from harness import answer, equal, test
from survive import answered, file_of
from writer import DATA, HEAP, STACK, frame, goroutine, memstats, record, uvarint, words

SIZE = 480_000  # of each file
OUTPUT = 100_000_000
LONG = b"\x01" * (SIZE // 2)  # four characters each, where they are shown

START = writer.HEADER + writer.params() + record(1, HEAP + 16, words(HEAP + 16, 0), [0])
END = record(12, DATA, words(HEAP + 16), [0]) + memstats(1, 16) + record(0)
TYPE = record(3, 0x490000, 16, LONG, 1)
CALL = writer.text("f") + writer.text("m.go") + uvarint(7)


def trace(names, nodes):
    """A trace with `names`; `nodes`: (name, parent) of each, which has allocated 8 bytes."""
    ids = range(len(nodes))
    heap = {"counts": [1 for _ in ids], "sizes": [8 for _ in ids], "types": [0 for _ in ids],
            "nodes": list(ids)}
    maps = {
        "strings": [{"id": i, "string": name} for i, name in enumerate(names)],
        "types": [{"id": 0, "name_sid": 0}],
        "nodes": [{"id": i, "name_sid": name} | ({} if parent is None else {"parent": parent})
                  for i, (name, parent) in enumerate(nodes)],
    }
    dumps = {"level_of_detail": "detailed",
             "heaps_v2": {"version": 1, "allocators": {"malloc": heap}, "maps": maps}}
    event = {"pid": 1, "tid": 1, "ts": 1, "ph": "v", "cat": "x", "name": "x", "id": "0x1",
             "args": {"dumps": dumps}}
    return json.dumps({"traceEvents": [event]}).encode()


def chain(length, name):
    return trace([name], [(0, i - 1 if i else None) for i in range(length)])


# Texts at their longest, and those that many rows share.
INPUTS = {
    "function": writer.tiny(name=LONG), "reason": writer.tiny(reason=LONG),
    "version": writer.tiny(version=LONG), "type": writer.tiny(kind=LONG),
    "type of itabs": START + TYPE + b"".join(
        record(8, 0x4A0000 + 16 * i, 0x490000) for i in range(20_000)) + END,
    "type of finalizers": START + TYPE + record(7, HEAP + 16, HEAP, 1, 0x490000, 0x490000) * 9_000
    + END,
    "function of samples": START + record(16, 0x700000, 16, 1, LONG, "main.go", 7, 9, 0)
    + record(17, HEAP + 16, 0x700000) * 20_000 + END,
    "deep profile": START + record(16, 0x700000, 16, 20_000) + CALL * 20_000 + uvarint(9)
    + uvarint(0) + record(17, HEAP + 16, 0x700000) * 20_000 + END,
    "deep stack": START + goroutine(HEAP + 16, STACK, 1, "") + b"".join(
        frame(STACK + 8 * i, i, STACK, words(HEAP + 16), "f", [0]) for i in range(12_000)) + END,
    "chain of calls": chain(8_000, "f"), "chain of long calls": chain(3_000, "\1" * 30_000),
    "class": b"a 2 f\nt 1 " + b"N" * (SIZE // 2) + b"\n" + b"".join(
        b"o %x 1 8 %x\n" % (16 + i, 17 + i) for i in range(10_000)) + b"r 10 1 7\nc f\n",
    "zeros": START + END + bytes(SIZE),
}

TABLES = "objects types itabs finalizers samples roots goroutines groups owners breakdown".split()
SCREENS = ["size 300x100; overview; screen", "goroutines; keys Enter Enter", "types; keys Enter",
           "breakdown; keys Enter", f"goto {HEAP + 16:#x}; keys p w"]


@test(each=INPUTS, builds=("gcc",))
def in_proportion(name):
    with file_of(INPUTS[name]) as file:
        commands = [["info"], ["export", "--format", "chromium-heap"]]
        commands += [["list", table] for table in TABLES]
        commands += [[word for step in screens.split("; ") for word in ("-e", step)]
                     for screens in SCREENS]
        for arguments in commands:
            result = answered(file.name, *arguments, statuses=(0, 1, 2))
            assert len(result.raw_out) < OUTPUT, f"{arguments} prints {len(result.raw_out)} bytes"


@test
def a_stack_has_its_innermost_calls():
    """Of the rows of a chain, whose stacks would have the square of it in all; the tree has it all."""
    depth = 400
    with file_of(chain(depth, "f")) as file:
        rows = [row for row in answer("list", "breakdown", file.name) if row["type"] is None]
        stacks = [row["backtrace"] for row in rows]
        whole = [stack for stack in stacks if stack and stack[0] != "<more calls>"]
        cut = [stack for stack in stacks if stack and stack[0] == "<more calls>"]
        equal(max(map(len, whole)), 160, "calls of a whole stack")
        equal({len(stack) for stack in cut}, {161}, "calls of a cut stack")
        tree = answer("list", "breakdown", file.name, "min=0", "--depth", "9999")
        equal(max(row["depth"] for row in tree) >= depth, True, "the tree")
