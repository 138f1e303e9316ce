"""What an executable says of variables on the stack whose address is taken ("stack objects"), by the description
of runtime/symtab.go and runtime/stack.go: slow, and of ELF files with their symbols or without.
"""

import struct
from collections import namedtuple

PCHEADERS = {0xFFFFFFFB: 12, 0xFFFFFFFA: 16, 0xFFFFFFF0: 18, 0xFFFFFFF1: 20}  # the first minor version of each
LOAD, RELA, RELATIVE = 1, 4, {62: 8, 183: 1027}  # relative relocations of amd64 and arm64

# A variable at an offset from where a frame's variables end (negative) or its arguments begin: its size,
# and the offsets of its words that are pointers.
Variable = namedtuple("Variable", "offset size pointers")


class Program:
    """An executable that Go's linker or the C linker made."""

    def __init__(self, path, version):
        with open(path, "rb") as file:
            self.raw = file.read()
        self.minor = int(version.removeprefix("go1.").split(".")[0].split()[0])
        self.word = 8 if self.raw[4] == 2 else 4
        self.order = "<" if self.raw[5] == 1 else ">"
        self._read_headers()
        self._read_relocations()
        self._read_functions()

    # ---- ELF

    def _numbers(self, form, at):
        return struct.unpack_from(self.order + form, self.raw, at)

    def _read_headers(self):
        wide = self.word == 8
        self.machine = self._numbers("H", 18)[0]
        segments, sections = self._numbers("QQ" if wide else "II", 32 if wide else 28)
        size, count, width, number, names = self._numbers("HHHHH", 54 if wide else 42)
        self.segments, self.sections = [], []
        for at in range(segments, segments + size * count, size):
            if wide:
                kind, _, offset, address, _, length = self._numbers("IIQQQQ", at)
            else:
                kind, offset, address, _, length = self._numbers("IIIII", at)
            if kind == LOAD:
                self.segments.append((address, length, offset))
        for at in range(sections, sections + width * number, width):
            name, kind, _, address, offset, length = self._numbers("IIQQQQ" if wide else "IIIIII", at)
            self.sections.append((name, kind, address, offset, length))
        start = self.sections[names][3]
        self.named = {self._text(start + section[0]): section for section in self.sections}

    def _text(self, at):
        return self.raw[at : self.raw.index(b"\0", at)].decode()

    def offset(self, address):
        for start, length, offset in self.segments:
            if start <= address < start + length:
                return offset + address - start
        raise KeyError(hex(address))

    def _read_relocations(self):
        self.relocated = {}
        for _, kind, _, offset, length in self.sections:
            for at in range(offset, offset + length if kind == RELA and self.word == 8 else offset, 24):
                place, info, addend = self._numbers("QQq", at)
                if info & 0xFFFFFFFF == RELATIVE.get(self.machine):
                    self.relocated[place] = addend

    def number(self, address, form="I"):
        return self._numbers(form, self.offset(address))[0]

    def pointer(self, address):
        if address in self.relocated:
            return self.relocated[address]
        return self.number(address, "Q" if self.word == 8 else "I")

    # ---- The table of functions

    def _read_functions(self):
        name = next(name for name in self.named if name.endswith(".gopclntab"))
        self.table = self.named[name][2]
        self.layout = PCHEADERS[self.number(self.table)]
        self.narrow = self.layout >= 18
        words = [self.pointer(self.table + 8 + i * self.word) for i in range(8)]
        self._read_module()
        text = self.module[22] if self.layout >= 16 else 0
        self.functions = self.table + (words[7] if self.narrow else words[6] if self.layout == 16 else 0)
        start = self.functions if self.layout >= 16 else self.table + 8 + self.word
        self.entries = {}
        for i in range(words[0]):
            if self.narrow:
                entry, record = self._numbers("II", self.offset(start + 8 * i))
                entry += text
            else:
                entry, record = (self.pointer(start + (2 * i + k) * self.word) for k in (0, 1))
            self.entries[entry] = self.functions + record if self.layout >= 16 else self.table + record
        names = self.table + (words[3] if self.narrow else words[2] if self.layout == 16 else 0)
        self.names = {entry: self._text(self.offset(names + self.number(at + (4 if self.narrow else self.word))))
                      for entry, at in self.entries.items()}

    def _read_module(self):
        """The module record begins with the address of the table."""
        self.module, form = None, "Q" if self.word == 8 else "I"
        for name, kind, address, offset, length in self.sections:
            if kind != 1 or not any(name == self.named.get(known, (0,))[0] for known in (".data", ".noptrdata", ".go.module", ".data.rel.ro")):
                continue
            for at in range(address, address + length - 60 * self.word, self.word):
                if self.pointer(at) == self.table:
                    self.module = [self.pointer(at + i * self.word) for i in range(60)]
                    first, self.record = 20 if self.layout >= 16 else 10, at
                    if self.module[first + 2] <= self.module[first] and self.module[first] < self.module[first + 1]:
                        return
        raise KeyError("module record")

    def _funcdata(self, entry, number):
        """Its address, or None."""
        at = self.entries[entry] + (4 if self.narrow else self.word)
        late = self.layout >= 20
        counts, fields = at + (39 if late else 35), 40 if late else 36
        if self.layout < 16:
            counts, fields = at + 31, 32
        have, pcdata = self.number(counts, "B"), self.number(at + 24)
        if number >= have:
            return None
        at += fields + 4 * pcdata
        if self.narrow:
            value = self.number(at + 4 * number)
            return None if value == 0xFFFFFFFF else self._base() + value
        return self.pointer((at + self.word - 1) // self.word * self.word + number * self.word) or None

    def _base(self):
        return self.module[38 if self.minor < 20 else 40 if self.minor < 27 else 43]

    def _bits(self, address, words):
        return [i * self.word for i in range(words) if self.number(address + i // 8, "B") >> i % 8 & 1]

    def place_of_variables(self, entry):
        """The address of their list, which begins with their number, or None."""
        return self._funcdata(entry, 2 if self.minor >= 16 else 3)

    def variables(self, entry):
        """The stack objects of the function that begins at an address."""
        at = self.place_of_variables(entry)
        count = self.number(at, "Q" if self.word == 8 else "I") if at else 0
        size = 16 if self.minor >= 18 or self.word == 4 else 24
        if self.minor < 17:
            size = 2 * self.word
        return [self._variable(at + self.word + i * size) for i in range(count)]

    def _variable(self, row):
        if self.minor < 17:
            offset, kind = self.number(row, "q" if self.word == 8 else "i"), self.pointer(row + self.word)
            size, bytes_, mask = (self.pointer(kind + i) for i in (0, self.word, 3 * self.word + 8))
            program = self.number(kind + 2 * self.word + 7, "B") & 64
        else:
            offset, size, bytes_ = self._numbers("iii", self.offset(row))
            mask = self.module[37 if self.minor < 20 else 39 if self.minor < 27 else 42]
            mask = mask + self.number(row + 12) if self.minor >= 18 else self.pointer(row + 8 + self.word if self.word == 8 else row + 12)
            program, bytes_ = bytes_ < 0, abs(bytes_)
        words = bytes_ // self.word
        pointers = [i * self.word for i in range(words)] if program else self._bits(mask, words)
        return Variable(offset, size, pointers)
