"""A reader of hprof, the format of Java's heap dumps, for the tests of what is exported in it.

It is written from the description of the format only: slow, simple and strict. Whatever refers to
something must find it, and whatever has a length must have exactly that.
"""

import struct
from collections import namedtuple

Class = namedtuple("Class", "name super size statics fields")  # fields: [(name, type)]
Instance = namedtuple("Instance", "cls values")  # name -> value of all its classes, own ones first
Array = namedtuple("Array", "cls elements")
Frame = namedtuple("Frame", "cls method file line")
Trace = namedtuple("Trace", "thread frames")
Root = namedtuple("Root", "kind target thread frame")
Thread = namedtuple("Thread", "id serial trace")

OBJECT = 2
TYPES = {4: "?", 5: "H", 6: "f", 7: "d", 8: "b", 9: "h", 10: "i", 11: "q"}
ARRAYS = {"[Z": 4, "[C": 5, "[F": 6, "[D": 7, "[B": 8, "[S": 9, "[I": 10, "[J": 11}
# Tag -> kind, and what follows the object: ids, numbers of 32 bits.
ROOTS = {
    0xFF: ("unknown", ""), 0x01: ("JNI global", "R"), 0x02: ("JNI local", "ii"),
    0x03: ("Java frame", "ii"), 0x05: ("sticky class", ""),
}


class Malformed(Exception):
    """The file is not what the format says."""


def must(true, what):
    if not true:
        raise Malformed(what)


class Reader:
    """Takes a piece of bytes apart, to its end."""

    def __init__(self, data, id_size=0):
        self.data, self.at, self.id_size = memoryview(data), 0, id_size

    def bytes(self, count):
        must(self.at + count <= len(self.data), f"{count} bytes at {self.at}")
        self.at += count
        return self.data[self.at - count : self.at]

    def value(self, code):
        return struct.unpack(">" + code, self.bytes(struct.calcsize(">" + code)))[0]

    def id(self):
        return self.value("Q" if self.id_size == 8 else "I")

    def typed(self, kind):
        if kind == OBJECT:
            return self.id()
        must(kind in TYPES, f"type {kind}")
        return self.value(TYPES[kind])

    @property
    def more(self):
        return self.at < len(self.data)


def text_of(data):
    """Java's modified UTF-8: no 0, nothing beyond 16 bits."""
    data = bytes(data)
    must(0 not in data and not any(byte >= 0xF0 for byte in data), f"text {data!r}")
    return data.decode("utf-8")


class Heap:
    def __init__(self, data):
        head, _, rest = data.partition(b"\0")
        must(head == b"JAVA PROFILE 1.0.2", f"header {head!r}")
        file = Reader(rest)
        self.id_size = file.value("I")
        must(self.id_size in (4, 8), "size of ids")
        file.id_size = self.id_size
        self.time = file.value("Q")
        self.texts, self.loaded, self.serials = {}, {}, {}
        self.frames, self.traces, self.classes = {}, {}, {}
        self.instances, self.arrays, self.roots, self.threads = {}, {}, [], []
        self.segments = []
        self._raw = []
        ended = False
        while file.more:
            must(not ended, "records after the end")
            tag = file.value("B")
            file.value("I")
            record = Reader(file.bytes(file.value("I")), self.id_size)
            if tag == 0x2C:
                ended = True
            else:
                self._record(tag, record)
            must(not record.more, f"a record with tag {tag} is longer than it should be")
        must(ended, "there is no end")
        self._check()

    # ---- Records

    def _record(self, tag, record):
        if tag == 0x01:
            number = record.id()
            must(number not in self.texts, "a text twice")
            self.texts[number] = text_of(record.bytes(len(record.data) - self.id_size))
        elif tag == 0x02:
            serial, number, _, name = record.value("I"), record.id(), record.value("I"), record.id()
            must(serial not in self.serials and number not in self.loaded, "a class twice")
            self.loaded[number] = self.serials[serial] = self.texts[name]
        elif tag == 0x04:
            number, method, _, file = record.id(), record.id(), self.texts[record.id()], record.id()
            must(number not in self.frames, "a frame twice")
            cls, line = self.serials[record.value("I")], record.value("i")
            self.frames[number] = Frame(cls, self.texts[method], self.texts[file] if file else None, line)
        elif tag == 0x05:
            serial, thread, count = (record.value("I") for _ in range(3))
            must(serial not in self.traces, "a trace twice")
            self.traces[serial] = Trace(thread, [self.frames[record.id()] for _ in range(count)])
        elif tag == 0x1C:
            self.segments.append(len(record.data))
            while record.more:
                self._part(record.value("B"), record)
        else:
            raise Malformed(f"a record with tag {tag}")

    def _part(self, tag, part):
        if tag in ROOTS:
            kind, more = ROOTS[tag]
            target = part.id()
            rest = [part.id() if code == "R" else part.value(code) for code in more]
            self.roots.append(Root(kind, target, *(rest if more == "ii" else (None, None))))
        elif tag == 0x08:
            self.threads.append(Thread(part.id(), part.value("I"), part.value("I")))
        elif tag == 0x20:
            self._class(part)
        elif tag == 0x21:
            number, _, cls, length = part.id(), part.value("I"), part.id(), part.value("I")
            self._raw.append((number, cls, part.bytes(length)))
        elif tag == 0x22:
            number, _, count, cls = part.id(), part.value("I"), part.value("I"), part.id()
            self._array(number, cls, [part.id() for _ in range(count)])
        elif tag == 0x23:
            number, _, count, kind = part.id(), part.value("I"), part.value("I"), part.value("B")
            [cls] = [c for c, name in self.loaded.items() if ARRAYS.get(name) == kind]
            self._array(number, cls, [part.typed(kind) for _ in range(count)])
        else:
            raise Malformed(f"a part of the heap with tag {tag}")

    def _class(self, part):
        number, _ = part.id(), part.value("I")
        above, *nothing = (part.id() for _ in range(6))
        size, constants = part.value("I"), part.value("H")
        must(number not in self.classes and not any(nothing) and not constants, "a class")
        statics = []
        for _ in range(part.value("H")):
            name, kind = self.texts[part.id()], part.value("B")
            statics.append((name, kind, part.typed(kind)))
        fields = [(self.texts[part.id()], part.value("B")) for _ in range(part.value("H"))]
        must(all(kind == OBJECT or kind in TYPES for _, kind in fields), "types of fields")
        self.classes[number] = Class(self.loaded[number], above, size, statics, fields)

    def _array(self, number, cls, elements):
        must(number not in self.arrays, "an array twice")
        self.arrays[number] = Array(self.loaded[cls], elements)

    # ---- All of it

    def above(self, cls):
        """A class and those above it."""
        while cls:
            yield self.classes[cls]
            cls = self.classes[cls].super

    def _check(self):
        must(set(self.loaded) == set(self.classes), "every class is named and described")
        names = [name.replace("/", ".") for name in self.loaded.values()]
        must(len(names) == len(set(names)), "names of classes")
        for number, cls, data in self._raw:
            values, part = [], Reader(data, self.id_size)
            for one in self.above(cls):
                values += [(name, kind, part.typed(kind)) for name, kind in one.fields]
            must(not part.more, f"an instance of {self.loaded[cls]} is longer than its fields")
            must(number not in self.instances and number not in self.arrays, "an object twice")
            self.instances[number] = Instance(cls, values)
        must(not set(self.classes) & (set(self.instances) | set(self.arrays)), "ids of classes")
        known = {0, *self.classes, *self.instances, *self.arrays}
        for instance in self.instances.values():
            for name, kind, value in instance.values:
                must(kind != OBJECT or value in known, f"{name} leads nowhere")
        for cls in self.classes.values():
            must(all(kind != OBJECT or value in known for _, kind, value in cls.statics), "statics")
        must(all(root.target in known - {0} for root in self.roots), "roots lead nowhere")
        serials = {thread.serial: thread for thread in self.threads}
        must(len(serials) == len(self.threads), "threads")
        for root in self.roots:
            if root.thread is not None:
                depth = len(self.traces[serials[root.thread].trace].frames)
                must(-1 <= root.frame < depth, "frame of a root")

    def size(self, number):
        """Of an instance, as its class says."""
        return self.classes[self.instances[number].cls].size

    def name(self, number):
        return self.classes[self.instances[number].cls].name

    def references(self, number):
        """[(field, object)], without those that are nil."""
        return [(name, value) for name, kind, value in self.instances[number].values
                if kind == OBJECT and value]

    def java_text(self, number):
        """What a String of Java says."""
        [(_, value)] = self.references(number)
        return "".join(map(chr, self.arrays[value].elements))
