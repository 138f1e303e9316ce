"""Core files of testdata and of the corpus, with the executable beside each, and what is beside them."""

import json
import struct

from harness import CORPUS, TESTDATA, UNPACKED, Skip, lacking, unpack

HERE = sorted(p.name[: -len(".dump.xz")] for p in (TESTDATA / "core").glob("*.dump.xz"))
MORE = ["go1.24-park-plain-quiet", "go1.24-park-arm64-quiet", "go1.27-park-plain-quiet"]
QUIET = HERE + MORE  # with a heap dump of the same instant
CRASH = "go1.26-park-plain-crash"


def file(name, kind):
    path = TESTDATA / "core" / f"{name}.{kind}.xz"
    return unpack(path if path.exists() else CORPUS / "core" / path.name, UNPACKED / f"{name}.{kind}")


def core(name):
    """Its path, with the executable beside it."""
    file(name, "exe")
    return file(name, "core")


def truth(name):
    """What the program wrote of itself: runtime.MemStats, after the heap dump and before the core."""
    path = CORPUS / "core" / f"{name}.json"
    if not path.exists():
        raise Skip(lacking(path))
    return json.loads(path.read_text())["Mem"]


def mapped(path):
    """Bytes of memory that the program headers of a core file tell of."""
    with open(path, "rb") as file:
        header = file.read(64)
        start, count = struct.unpack_from("<Q", header, 32)[0], struct.unpack_from("<H", header, 56)[0]
        file.seek(start)
        parts = [struct.unpack("<IIQQQQQQ", file.read(56)) for _ in range(count)]
    return sum(part[6] for part in parts if part[0] == 1)
