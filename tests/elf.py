"""Changing ELF executables of 64 bits, little-endian, section by section."""

import struct
import zlib

HEADER = "<IIQQQQIIQQ"  # of a section: name, type, flags, address, offset, size ...
COMPRESSED = 0x800
CHDR = "<IIQQ"  # type, reserved, size, alignment


class Elf:
    def __init__(self, content):
        self.bytes = bytearray(content)
        self.table, = struct.unpack_from("<Q", content, 40)
        count, names = struct.unpack_from("<HH", content, 60)
        _, _, _, _, offset, _, _, _, _, _ = self.header(names)
        self.number = {}
        for i in range(count):
            start = offset + self.header(i)[0]
            self.number[content[start : content.index(0, start)].decode()] = i

    def header(self, number):
        return list(struct.unpack_from(HEADER, self.bytes, self.table + 64 * number))

    def set_header(self, number, header):
        struct.pack_into(HEADER, self.bytes, self.table + 64 * number, *header)

    def place(self, name):
        """Offset and size of a section's bytes in the file."""
        return self.header(self.number[name])[4:6]

    def packed(self):
        """The names of the sections that are compressed."""
        return [name for name, number in self.number.items() if self.header(number)[2] & COMPRESSED]

    def replace(self, name, content):
        """Gives a section other bytes, at the end of the file, not compressed."""
        header = self.header(self.number[name])
        header[2] &= ~COMPRESSED
        header[4:6] = len(self.bytes), len(content)
        self.bytes += content
        self.set_header(self.number[name], header)

    def unpack(self):
        """The same program with nothing compressed."""
        for name in self.packed():
            offset, size = self.place(name)
            self.replace(name, zlib.decompress(self.bytes[offset + 24 : offset + size]))
        return self

    def say_size(self, name, size):
        """What a compressed section says that it unpacks to."""
        offset, _ = self.place(name)
        struct.pack_into("<Q", self.bytes, offset + 8, size)
