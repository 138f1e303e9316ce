"""A second reader of Go's heap dumps, of all layouts, for the tests to compare the program with.

It is written from the description of the format only and shares nothing with the C reader: slow,
simple and strict. Anything that an intact dump never has raises Malformed.
"""

import bisect
import lzma
import re
import struct
from collections import Counter, defaultdict, namedtuple

PAGE = 8192
LONGEST_NAME = 65536  # of a type
LONGEST_CODE = 1 << 26  # of a function
KIND_ARRAY, KIND_CHANNEL, KIND_CONSERVATIVE = 1, 2, 127  # objects of Go 1.3

# What a layout does differently. `kinds`: what kinds of fields mean; "word": a pointer right there,
# "second": one in the word after, "tagged": so unless the first word says that the second is a scalar.
Layout = namedtuple("Layout", "name header version kinds typed continues arch_code broken_types")

KINDS_3 = {1: "word", 2: "word", 3: "word", 4: "tagged", 5: "tagged"}
KINDS_4 = {1: "word", 2: "second", 3: "second"}
KINDS_5 = {1: "word"}
LAYOUTS = [
    Layout("go1.3", b"go1.3 heap dump\n", "go1.3", KINDS_3, True, True, True, False),
    Layout("go1.3beta1", b"go1.3 heap dump\n", "go1.3beta1", KINDS_3, True, False, True, False),
    Layout("go1.4", b"go1.4 heap dump\n", "go1.4", KINDS_4, False, True, True, False),
    Layout("go1.5", b"go1.5 heap dump\n", "go1.5", KINDS_5, False, True, True, True),
    Layout("go1.6", b"go1.6 heap dump\n", "go1.6", KINDS_5, False, True, True, False),
    Layout("go1.7", b"go1.7 heap dump\n", None, KINDS_5, False, True, False, False),
]

MEMSTATS = """Alloc TotalAlloc Sys Lookups Mallocs Frees HeapAlloc HeapSys HeapIdle HeapInuse
HeapReleased HeapObjects StackInuse StackSys MSpanInuse MSpanSys MCacheInuse MCacheSys BuckHashSys
GCSys OtherSys NextGC LastGC PauseTotalNs""".split()

Params = namedtuple("Params", "big_endian pointer_size heap_start heap_end arch version cpus")
Object = namedtuple("Object", "slot size data fields header")
Slot = namedtuple("Slot", "slot size data fields type kind")  # an object as it is in the file
Type = namedtuple("Type", "address size name indirect fields")
Profile = namedtuple("Profile", "id size stack allocs frees")
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


def read(data):
    """The dump in the layout of its header; where two share one, in the first that has no fault."""
    fitting = [layout for layout in LAYOUTS if data.startswith(layout.header)]
    if not fitting:
        raise Malformed("header")
    for layout in fitting[:-1]:
        try:
            return Dump(data, layout)
        except (Malformed, UnicodeDecodeError):
            continue
    return Dump(data, fitting[-1])


class Dump:
    """All records of a dump. Objects are those that are left after dropping ghosts, by address."""

    def __init__(self, data, layout):
        self.layout = layout
        self.raw, self.at = data, len(layout.header)
        self.types, self.itabs, self.goroutines, self.frames = [], [], [], []
        self.finalizers, self.threads, self.segments, self.otherroots = [], [], [], []
        self.defers, self.panics, self.samples, self.profiles = [], [], [], []
        self.memstats, self.ghosts, self.slots, self.params = None, [], [], None
        self.broken = []  # offsets of type records with a name that is impossible
        self.offsets = Counter()  # of the records, by tag
        self._walk()
        self._check_records()
        self.frames = [f._replace(fields=self._pointers(f.fields, f.data)) for f in self.frames]
        self.segments = [s._replace(fields=self._pointers(s.fields, s.data)) for s in self.segments]
        self.slots = [self._object_of(slot) for slot in self.slots]
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
        return bytes(self.raw[start : self.at])

    def _text(self):
        return self._bytes().decode("utf-8")

    def _fields(self):
        """(what the kind means, offset) of each pair."""
        pairs = []
        while (kind := self._uvarint()) != 0:
            if kind not in self.layout.kinds:
                raise Malformed(f"field kind at {self.at}")
            pairs.append((self.layout.kinds[kind], self._uvarint()))
        return pairs

    def _uvarints(self, count):
        return [self._uvarint() for _ in range(count)]

    # ---- records

    def _walk(self):
        records = {
            1: self._object,
            2: lambda: self.otherroots.append((self._text(), self._uvarint())),
            3: self._type,
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
                self.offsets[tag] += 1
                records[tag]()
        except (IndexError, KeyError) as error:
            raise Malformed(f"record before {self.at}") from error
        if self.at != len(self.raw):
            raise Malformed(f"{len(self.raw) - self.at} bytes after the end")

    def _params(self):
        big_endian, pointer_size = self._bool(), self._uvarint()
        self.channel_size = self._uvarint() if self.layout.typed else 0
        heap = self._uvarints(2)
        if self.layout.arch_code:
            arch = {"5": "arm", "6": "amd64", "8": "386"}[chr(self._uvarint())]
        else:
            arch = self._text()
        version, cpus = self._text(), self._uvarint()
        version = self.layout.version or version
        self.params = Params(big_endian, pointer_size, *heap, arch, version, cpus)
        self.word_size = self.params.pointer_size
        self.word_format = (">" if self.params.big_endian else "<") + (
            "Q" if self.word_size == 8 else "I"
        )

    def _object(self):
        address = self._uvarint()
        type_kind = self._uvarints(2) if self.layout.typed else (0, 0)
        data = self._bytes()
        fields = [] if self.layout.typed else self._fields()
        self.slots.append(Slot(address, len(data), data, fields, *type_kind))

    def _type(self):
        start = self.at
        address, size = self._uvarints(2)
        at = self.at
        if self.layout.broken_types and self._uvarint() > LONGEST_NAME:
            self.broken.append(start - 1)
            self._skip_junk(address)
            return
        self.at = at
        name, pointer = self._text(), self._bool()
        fields = self._fields() if self.layout.typed else []
        self.types.append(Type(address, size, name, pointer, fields))

    def _skip_junk(self, address):
        """To the itab record of that type, which follows the 1 that ends the type record."""
        while True:
            self.at = self.raw.index(b"\1\x08", self.at) + 2
            after = self.at
            try:
                if self._uvarints(2)[1] == address:
                    self.at = after - 1
                    return
            except Malformed:
                pass
            self.at = after

    def _goroutine(self):
        goroutine = Goroutine(
            *self._uvarints(5), self._bool(), self._bool(), self._uvarint(), self._text(),
            *self._uvarints(4), [],
        )
        self.goroutines.append(goroutine)

    def _frame(self):
        sp, depth, child = self._uvarints(3)
        data = self._bytes()
        entry, pc = self._uvarints(2)
        continue_pc = self._uvarint() if self.layout.continues else pc
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
        number, size = self._uvarints(2)
        frames = self._uvarint()
        stack = [(self._text(), self._text(), self._uvarint()) for _ in range(frames)]
        self.profiles.append(Profile(number, size, stack, *self._uvarints(2)))

    def _check_records(self):
        """Of most there is one at an address, and of the program's variables one record of each kind. A type may be there
        again: the runtime remembers 1,024 of those that it has written."""
        first = {}
        for number, type_ in enumerate(self.types):
            first.setdefault(type_.address, number)
        others = [t.address for number, t in enumerate(self.types) if first[t.address] == number or t != self.types[first[t.address]]]
        once = {
            "goroutine": [g.address for g in self.goroutines], "thread": [address for address, *_ in self.threads],
            "finalizer": [f.object for f in self.finalizers if not f.queued], "type": others,
            "queued finalizer": [f.object for f in self.finalizers if f.queued],
            "itab": [itab for itab, _ in self.itabs], "defer": [d.address for d in self.defers],
            "panic": [p.address for p in self.panics], "profile": [p.id for p in self.profiles],
            "sample": [address for address, _ in self.samples], "segment": [s.address for s in self.segments if s.data],
        }
        for what, addresses in once.items():
            if len(set(addresses)) != len(addresses):
                raise Malformed(f"two records of a {what}")
        kinds = Counter(segment.kind for segment in self.segments)
        if self.memstats and kinds != {"data": 1, "bss": 1}:
            raise Malformed(f"segments {kinds}")
        if any(frame.pc and not 0 <= frame.pc - frame.entry < LONGEST_CODE for frame in self.frames):
            raise Malformed("a frame outside of its function")

    # ---- fields, as offsets of pointers

    def _word(self, data, offset):
        return struct.unpack_from(self.word_format, data, offset)[0]

    def _pointers(self, pairs, data, base=0):
        """The offsets of the words that are pointers. Needs all types and itabs."""
        if all(meaning == "word" for meaning, _ in pairs):
            return [base + offset for _, offset in pairs]
        found = []
        for meaning, offset in pairs:
            place = base + offset
            if meaning == "word":
                found.append(place)
            elif place + 2 * self.word_size <= len(data):
                tag = self._word(data, place)
                if meaning == "second" or tag not in self._scalars():
                    found.append(place + self.word_size)
        return found

    def _scalars(self):
        """Types and itabs whose values stand in the data word itself (Go 1.3)."""
        if not hasattr(self, "scalars"):
            self.scalars = {t.address for t in self.types if not t.indirect}
            self.scalars |= {itab for itab, pointer in self.itabs if not pointer}
            self.by_address = {t.address: t for t in self.types}
        return self.scalars

    def _object_of(self, slot):
        fields = self._pointers(slot.fields, slot.data)
        if self.layout.typed:
            fields = self._typed_fields(slot)
        return Object(slot.slot, slot.size, slot.data, fields, 0)

    def _typed_fields(self, slot):
        if slot.kind == KIND_CONSERVATIVE:
            return list(range(0, slot.size - self.word_size + 1, self.word_size))
        self._scalars()
        if slot.type == 0:
            return []
        kind = self.by_address[slot.type]
        if slot.kind not in (KIND_ARRAY, KIND_CHANNEL):
            return self._pointers(kind.fields, slot.data)
        start = self.channel_size if slot.kind == KIND_CHANNEL else 0
        found = []
        while kind.size and start + kind.size <= slot.size:
            found += self._pointers(kind.fields, slot.data, start)
            start += kind.size
        return found

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
