"""Core files, with the executable beside each, and what is beside them."""

import struct

from harness import UNPACKED, stored, truth_in, unpack

HERE = ["go1.19-park-plain-quiet", "go1.26-park-stripped-quiet"]
MORE = ["go1.24-park-plain-quiet", "go1.24-park-arm64-quiet", "go1.27-park-plain-quiet"]
QUIET = HERE + MORE  # with a heap dump of the same instant
CRASH = "go1.26-park-plain-crash"


def file(name, kind):
    return unpack(stored(f"core/{name}.{kind}"), UNPACKED / f"{name}.{kind}")


def core(name):
    """Its path, with the executable beside it."""
    file(name, "exe")
    return file(name, "core")


def truth(name):
    """What the program wrote of itself: runtime.MemStats, after the heap dump and before the core."""
    return truth_in(f"core/{name}.json")["Mem"]


def mapped(path):
    """Bytes of memory that the program headers of a core file tell of."""
    with open(path, "rb") as file:
        header = file.read(64)
        start, count = struct.unpack_from("<Q", header, 32)[0], struct.unpack_from("<H", header, 56)[0]
        file.seek(start)
        parts = [struct.unpack("<IIQQQQQQ", file.read(56)) for _ in range(count)]
    return sum(part[6] for part in parts if part[0] == 1)
