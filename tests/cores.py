"""Core files that tests change: words of the process's memory by address, its threads' registers.

A changed core is a copy beside the others, with its executable named on the command line.
"""

import contextlib
import os
import shutil
import struct

from harness import TESTDATA, UNPACKED, unpack

STRIPPED = "go1.26-park-stripped-quiet"
LOAD, NOTE, STATUS = 1, 4, 1


def core_and_exe(name=STRIPPED):
    return [unpack(TESTDATA / "core" / f"{name}.{kind}.xz", UNPACKED / f"{name}.{kind}") for kind in ("core", "exe")]


class Core:
    """A core file of a 64-bit little-endian machine that is open for reading and writing."""

    def __init__(self, file):
        self.file = file
        start, count = struct.unpack("<Q", self.at(32, 8))[0], struct.unpack("<H", self.at(56, 2))[0]
        self.parts = [struct.unpack("<IIQQQQQQ", self.at(start + i * 56, 56)) for i in range(count)]

    def at(self, offset, size):
        self.file.seek(offset)
        return self.file.read(size)

    def write(self, offset, content):
        self.file.seek(offset)
        self.file.write(content)

    def offset(self, address):
        """Where the file has the byte at an address."""
        for kind, _, offset, start, _, size, _, _ in self.parts:
            if kind == LOAD and start <= address < start + size:
                return offset + address - start
        raise KeyError(hex(address))

    def has(self, address):
        return any(kind == LOAD and start <= address < start + size for kind, _, _, start, _, size, _, _ in self.parts)

    def word(self, address):
        return struct.unpack("<Q", self.at(self.offset(address), 8))[0]

    def put(self, address, value, form="<Q"):
        self.write(self.offset(address), struct.pack(form, value))

    def notes(self):
        """(type, offset of the content, its size) of each."""
        for kind, _, at, _, _, size, _, _ in self.parts:
            end = at + size
            while kind == NOTE and at < end:
                name, length, what = struct.unpack("<III", self.at(at, 12))
                at += 12 + (name + 3) // 4 * 4
                yield what, at, length
                at += (length + 3) // 4 * 4

    def thread(self, os_id):
        """Where the registers of a thread are in the file."""
        for what, at, _ in self.notes():
            if what == STATUS and struct.unpack("<I", self.at(at + 32, 4))[0] == os_id:
                return at + 112
        raise KeyError(os_id)


@contextlib.contextmanager
def changed(word, name=STRIPPED):
    """A copy of a core to be changed, and its path; it is gone afterwards."""
    path = UNPACKED / f"changed.{os.getpid()}.{word}"
    shutil.copy(core_and_exe(name)[0], path)
    path.chmod(0o600)
    try:
        with open(path, "r+b", buffering=0) as file:
            yield Core(file), path
    finally:
        path.unlink()
