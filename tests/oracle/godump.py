"""A second reader of the layout of "go1.7 heap dump", for the tests to compare the program with.

It is written from the description of the format only and shares nothing with the C reader: slow,
simple and strict. Anything that an intact dump never has raises Malformed.
"""

import bisect
import lzma
import re
import struct
from collections import defaultdict, namedtuple

HEADER = b"go1.7 heap dump\n"
PAGE = 8192

MEMSTATS = """Alloc TotalAlloc Sys Lookups Mallocs Frees HeapAlloc HeapSys HeapIdle HeapInuse
HeapReleased HeapObjects StackInuse StackSys MSpanInuse MSpanSys MCacheInuse MCacheSys BuckHashSys
GCSys OtherSys NextGC LastGC PauseTotalNs""".split()

Params = namedtuple("Params", "big_endian pointer_size heap_start heap_end arch version cpus")
Object = namedtuple("Object", "slot size data fields header")
Type = namedtuple("Type", "address size name indirect")
Goroutine = namedtuple(
    "Goroutine",
    "address sp id creator status system background wait_since reason context m defer panic frames",
)
Frame = namedtuple("Frame", "sp depth child_sp data entry pc continue_pc name fields goroutine")
Finalizer = namedtuple("Finalizer", "object function entry argument_type object_type queued")
Segment = namedtuple("Segment", "kind address data fields")
Defer = namedtuple("Defer", "address goroutine sp pc function entry link")
Panic = namedtuple("Panic", "address goroutine type data defer link")


class Malformed(Exception):
    """The file is not what an intact dump can be."""


def load(path):
    """The bytes of a dump, unpacked when it is an .xz."""
    with (lzma.open if path.endswith(".xz") else open)(path, "rb") as file:
        return file.read()


class Dump:
    """All records of a dump. Objects are those that are left after dropping ghosts, by address."""

    def __init__(self, data):
        self.raw, self.at = data, len(HEADER)
        self.types, self.itabs, self.goroutines, self.frames = [], [], [], []
        self.finalizers, self.threads, self.segments, self.otherroots = [], [], [], []
        self.defers, self.panics, self.samples, self.profiles = [], [], [], 0
        self.memstats, self.ghosts, self.slots, self.params = None, [], [], None
        if not data.startswith(HEADER):
            raise Malformed("header")
        self._walk()
        self._sort_out_slots()

    # ---- primitives

    def _uvarint(self):
        raw, at = self.raw, self.at
        value = raw[at]
        at += 1
        if value >= 0x80:
            value &= 0x7F
            shift = 7
            while True:
                byte = raw[at]
                at += 1
                value |= (byte & 0x7F) << shift
                if byte < 0x80:
                    break
                shift += 7
            if value >> 64:
                raise Malformed(f"uvarint at {self.at}")
        self.at = at
        return value

    def _bool(self):
        value = self._uvarint()
        if value > 1:
            raise Malformed(f"bool at {self.at}")
        return bool(value)

    def _bytes(self):
        length = self._uvarint()
        start = self.at
        self.at += length
        if self.at > len(self.raw):
            raise Malformed(f"bytes at {start}")
        return memoryview(self.raw)[start : self.at]

    def _text(self):
        return bytes(self._bytes()).decode("utf-8")

    def _fields(self):
        offsets = []
        while (kind := self._uvarint()) != 0:
            if kind != 1:
                raise Malformed(f"field kind at {self.at}")
            offsets.append(self._uvarint())
        return offsets

    def _uvarints(self, count):
        return [self._uvarint() for _ in range(count)]

    # ---- records

    def _walk(self):
        records = {
            1: self._object,
            2: lambda: self.otherroots.append((self._text(), self._uvarint())),
            3: lambda: self.types.append(
                Type(self._uvarint(), self._uvarint(), self._text(), self._bool())
            ),
            4: self._goroutine,
            5: self._frame,
            6: self._params,
            7: lambda: self.finalizers.append(Finalizer(*self._uvarints(5), False)),
            8: lambda: self.itabs.append(self._uvarints(2)),
            9: lambda: self.threads.append(self._uvarints(3)),
            10: self._memstats,
            11: lambda: self.finalizers.append(Finalizer(*self._uvarints(5), True)),
            12: lambda: self._segment("data"),
            13: lambda: self._segment("bss"),
            14: lambda: self.defers.append(Defer(*self._uvarints(7))),
            15: lambda: self.panics.append(Panic(*self._uvarints(6))),
            16: self._profile,
            17: lambda: self.samples.append(self._uvarints(2)),
        }
        try:
            while (tag := self._uvarint()) != 0:
                records[tag]()
        except (IndexError, KeyError) as error:
            raise Malformed(f"record before {self.at}") from error
        if self.at != len(self.raw):
            raise Malformed(f"{len(self.raw) - self.at} bytes after the end")

    def _params(self):
        self.params = Params(
            self._bool(), *self._uvarints(3), self._text(), self._text(), self._uvarint()
        )
        self.word_size = self.params.pointer_size
        self.word_format = (">" if self.params.big_endian else "<") + (
            "Q" if self.word_size == 8 else "I"
        )

    def _object(self):
        address, data = self._uvarint(), self._bytes()
        self.slots.append(Object(address, len(data), data, self._fields(), 0))

    def _goroutine(self):
        goroutine = Goroutine(
            *self._uvarints(5), self._bool(), self._bool(), self._uvarint(), self._text(),
            *self._uvarints(4), [],
        )
        self.goroutines.append(goroutine)

    def _frame(self):
        sp, depth, child = self._uvarints(3)
        data = self._bytes()
        entry, pc, continue_pc = self._uvarints(3)
        name = self._text()
        owner = len(self.goroutines) - 1
        frame = Frame(
            sp, depth, child, data, entry, pc, continue_pc, name, self._fields(), owner
        )
        if depth != len(self.goroutines[owner].frames):
            raise Malformed(f"frame depth before {self.at}")
        self.goroutines[owner].frames.append(frame)
        self.frames.append(frame)

    def _memstats(self):
        self.memstats = dict(zip(MEMSTATS, self._uvarints(len(MEMSTATS))))
        self.memstats["PauseNs"] = self._uvarints(256)
        self.memstats["NumGC"] = self._uvarint()

    def _segment(self, kind):
        self.segments.append(Segment(kind, self._uvarint(), self._bytes(), self._fields()))

    def _profile(self):
        self._uvarints(2)
        for _ in range(self._uvarint()):
            self._text(), self._text(), self._uvarint()
        self._uvarints(2)
        self.profiles += 1

    # ---- what the version makes of the words

    def _sort_out_slots(self):
        version, wide = self.params.version, self.word_size == 8
        numbers = re.match(r"go1\.(\d+)", version)
        minor = int(numbers.group(1)) if numbers else 0
        experiments = version.partition("X:")[2].split(",")
        headers = minor >= 22 and "noallocheaders" not in experiments
        green = "greenteagc" in experiments or (minor >= 26 and "nogreenteagc" not in experiments)
        self.small = 512 if wide else 128
        slots = sorted(self.slots)
        for one, other in zip(slots, slots[1:]):
            if one.slot + one.size > other.slot:
                raise Malformed(f"slots overlap at {one.slot:#x}")
        ghosts = set()
        if headers:
            ghosts = self._ghosts(slots, 128 if wide else 256, 128 if green else 0)
        self.ghosts = [slot for slot in slots if slot.slot in ghosts]
        self.objects = [slot for slot in slots if slot.slot not in ghosts]
        self.starts = [obj.slot for obj in self.objects]
        if headers:
            self.objects = [
                obj._replace(header=8) if self._has_header(obj) else obj for obj in self.objects
            ]

    def _has_header(self, slot):
        """Does the slot begin with the address of its type? Slots of exactly 32 KiB are both the
        largest class, which has one, and the smallest object of its own span, which has none:
        there the first word is what tells, it is no listed pointer and points outside of the heap."""
        if not slot.fields or not self.small < slot.size <= 32768:
            return False
        if slot.size < 32768:
            return True
        word = next(self.words(slot.data, [0]))[1]
        return slot.fields[0] >= 8 and word != 0 and self.find(word) is None

    def _ghosts(self, slots, bitmap, marks):
        """Addresses of the slots that lie where a one-page span keeps its collector's data."""
        pages = defaultdict(list)
        for slot in slots:
            if slot.size <= self.small:
                pages[slot.slot // PAGE].append(slot)
        ghosts = set()
        for page, members in pages.items():
            size = members[0].size
            marks_here = marks if size > 8 else 0
            certain = (PAGE - bitmap - marks_here) // size
            index = lambda slot: (slot.slot - page * PAGE) // size
            pointers = any(slot.fields for slot in members if index(slot) < certain)
            limit = (PAGE - (bitmap if pointers else 0) - marks_here) // size
            ghosts.update(slot.slot for slot in members if index(slot) >= limit)
        return ghosts

    # ---- questions

    def find(self, address):
        """Index of the object whose slot holds the address, or None."""
        at = bisect.bisect_right(self.starts, address) - 1
        if at >= 0 and address < self.starts[at] + self.objects[at].size:
            return at
        return None

    def address(self, index):
        """The object's address as the program knows it."""
        return self.objects[index].slot + self.objects[index].header

    def words(self, data, fields):
        """(offset, word) of each listed field that lies within the contents."""
        size, form = self.word_size, self.word_format
        for offset in fields:
            if offset + size <= len(data):
                yield offset, struct.unpack_from(form, data, offset)[0]
