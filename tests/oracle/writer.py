"""Writes small dumps of the layout of "go1.7 heap dump", intact or hostile."""

import struct

HEADER = b"go1.7 heap dump\n"
HEAP = 0xC000000000
DATA = 0x500000
STACK = 0xC000800000


def uvarint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def text(value):
    value = value if isinstance(value, bytes) else value.encode()
    return uvarint(len(value)) + value


def fields(offsets):
    return b"".join(b"\1" + uvarint(offset) for offset in offsets) + b"\0"


def record(tag, *parts):
    """Integers become uvarints, texts and bytes strings, lists of offsets field lists."""
    out = uvarint(tag)
    for part in parts:
        if isinstance(part, int):
            out += uvarint(part)
        elif isinstance(part, (str, bytes)):
            out += text(part)
        else:
            out += fields(part)
    return out


def words(*values):
    return struct.pack(f"<{len(values)}Q", *values)


def params(version="go1.24.4"):
    return record(6, 0, 8, HEAP, HEAP + (64 << 20), "amd64", version, 4)


def memstats(objects=0, total=0):
    numbers = [total if i in (0, 6) else objects if i == 11 else i for i in range(24)]
    return record(10, *numbers, *([0] * 256), 5)


def goroutine(address, sp, number, reason, status=4, since=1000):
    return record(4, address, sp, number, 0x401000, status, 0, 0, since, reason, 0, 0, 0, 0)


def frame(sp, depth, child, contents, name, offsets):
    return record(5, sp, depth, child, contents, 0x401000, 0x401010, 0x401010, name, offsets)


def tiny_records(name="main.main", reason="chan receive", version="go1.24.4", kind="main.T"):
    """Every kind of record, in the order of the runtime. Texts of the dump are given by the caller."""
    node = lambda i, to: record(1, HEAP + i * 16, words(HEAP + to * 16 if to else 0, i), [0])
    large = HEAP + 0x4000
    return [
        params(version),
        record(3, 0x490000, 16, kind, 1),
        record(8, 0x4A0000, 0x490000),
        *[node(i, i + 1 if i < 8 else 0) for i in range(1, 10)],
        record(1, HEAP + 0x2000, b"text of the dump" * 4, []),
        record(1, large, words(0x4B0000, *([HEAP + 16] * 127)), range(8, 1024, 8)),
        goroutine(HEAP + 0x2000, STACK, 1, "dumping heap", 4, 0),
        frame(STACK, 0, 0, words(HEAP + 0x2000, 7), "runtime/debug.WriteHeapDump", [0]),
        frame(STACK + 16, 1, STACK, words(large + 8), name, [0, 64]),
        record(14, HEAP + 0x90, HEAP, STACK, 0x401000, HEAP + 0x20, 0x401000, 0),
        record(15, STACK + 8, HEAP, 0x490000, HEAP + 0x30, 0, 0),
        goroutine(HEAP + 0x2040, STACK + 64, 2, reason),
        frame(STACK + 64, 0, 0, words(STACK, HEAP + 0x48), "main.worker", [0, 8]),
        record(9, 0x510000, 0, 4242),
        record(12, DATA, words(HEAP + 16, 0, 0xDEAD), [0, 8, 16]),
        record(13, DATA + 0x1000, words(HEAP + 0x2008), [0]),
        record(7, HEAP + 0x50, HEAP + 0x60, 0x401000, 0x490000, 0x490000),
        record(11, HEAP + 0x70, HEAP + 0x80, 0x401000, 0x490000, 0x490000),
        record(2, "other root", HEAP + 0x90),
        memstats(11, 9 * 16 + 64 + 1024),
        record(16, 0x700000, 16, 1, name, "main.go", 7, 9, 0),
        record(17, HEAP + 16, 0x700000),
        record(0),
    ]


def tiny(**texts):
    return HEADER + b"".join(tiny_records(**texts))


def deep_chain(length):
    """A list of `length` objects: one path as long as the dump."""
    objects = (
        record(1, HEAP + i * 16, words(HEAP + i * 16 + 16 if i + 1 < length else 0, i), [0])
        for i in range(length)
    )
    return b"".join(
        [HEADER, params("go1.19.8"), *objects, record(12, DATA, words(HEAP), [0]),
         record(13, DATA + 0x1000, b"", []), memstats(length, length * 16), record(0)]
    )


def dangling(length):
    """A list where every object but the last has two pointers, besides, to where no object is: behind
    its own end."""
    step = 64
    objects = (
        record(1, HEAP + i * step,
               words(HEAP + (i + 1) * step, HEAP + i * step + 40, HEAP + i * step + 56, i), [0, 8, 16])
        for i in range(length - 1)
    )
    last = record(1, HEAP + (length - 1) * step, words(0, 0, 0, 0), [0, 8, 16])
    return b"".join(
        [HEADER, params("go1.19.8"), *objects, last, goroutine(HEAP, STACK, 1, "select"),
         frame(STACK, 0, 0, words(HEAP + step), "main.main", [0]), record(12, DATA, words(HEAP), [0]),
         record(13, DATA + 0x1000, b"", []), memstats(length, length * 32), record(0)]
    )
