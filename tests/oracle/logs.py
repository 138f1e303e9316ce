"""Random GC logs of the .NET Compact Framework, and what they must give, from the description of
the format only: the first record of a number counts, references to nothing are none, and roots that
are weak hold nothing."""

import random
import re

KINDS = ["internal", "local", "finalizer", "gchandle", "static", "cfspecific"]
PINNED, WEAK, INTERIOR = 1, 2, 4


class Section:
    def __init__(self, draw, number):
        self.number = number
        self.objects = {}  # number -> (type, size, references)
        self.roots = []  # (object, kind, flags)
        self.records = [f"t {kind:x} App.Type<{kind}, x>" for kind in range(1, 4)]
        count = draw.randrange(1, 40)
        ids = draw.sample(range(1, 4 * count + 9), count)
        for name in ids + draw.choices(ids, k=2):
            references = [draw.choice(ids + [0xDEAD]) for _ in range(draw.choice((0, 0, 1, 2, 5)))]
            one = draw.randrange(1, 6), draw.randrange(4, 999), references
            line = [f"o {name:x} {one[0]:x} {one[1]:x}", *(f"{to:x}" for to in references)]
            self.records.append(" ".join(line))
        for _ in range(draw.randrange(6)):
            root = draw.choice(ids + [0xDEAD]), draw.randrange(6), draw.randrange(8)
            self.roots.append(root)
            container = f" {draw.randrange(1, 9):x}" if root[1] == 4 else ""
            self.records.append("r {:x} {:x} {:x}".format(*root) + container)
        draw.shuffle(self.records)
        for record in self.records:
            letter, *numbers = record.split()
            if letter == "o":
                name, kind, size, *references = [int(number, 16) for number in numbers]
                self.objects.setdefault(name, (kind, size, references))

    def name(self, number):
        """What the program calls an object of this section."""
        return f"{number | (self.number + 1 << 32 if self.number else 0):#x}"

    def held(self, weak=False):
        return [name for name, _, flags in self.roots if weak or not flags & WEAK]

    def distances(self, without=None, weak=False):
        """Steps from the nearest root, itself the first, to every object that one leads to."""
        found, row = {}, [n for n in self.held(weak) if n in self.objects and n != without]
        depth = 1
        while row:
            found.update(dict.fromkeys(row, depth))
            row = [to for n in row for to in self.objects[n][2]
                   if to in self.objects and to not in found and to != without]
            row, depth = list(dict.fromkeys(row)), depth + 1
        return found

    def bytes(self, names):
        return sum(self.objects[name][1] for name in names)

    def retained(self):
        """What is no longer reachable when an object is taken away."""
        reachable = self.distances()
        whole = self.bytes(reachable)
        return {name: whole - self.bytes(self.distances(name)) for name in reachable}

    def references(self):
        return [to for _, _, references in self.objects.values() for to in references]


def random_log(seed):
    draw = random.Random(seed)
    sections = [Section(draw, number) for number in range(draw.randrange(1, 4))]
    lines = []
    for section in sections:
        name = f"app {section.number}.exe 1a"
        lines += [f"a 2 {name}", *section.records, f"c {name}"]
    end = draw.choice(("\n", "\r\n", "\n\n", "\r"))
    encoding = draw.choice(("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"))
    return (end.join(lines) + end).encode(encoding), sections


# ---- Reading, strictly: a log is what the description says and nothing else

HEX = "[0-9a-fA-F]+"
LINES = {letter: re.compile(f"{letter} +{rest}".replace(" +", "[ \\t]+")) for letter, rest in (
    ("a", "0*2 +(?P<name>\\S.*)"), ("c", "(?P<name>\\S.*)"), ("t", f"(?P<id>{HEX}) +(?P<name>\\S.*)"),
    ("o", f"(?P<id>{HEX}) +(?P<type>{HEX}) +(?P<size>{HEX})(?P<to>( +{HEX})*)"),
    ("r", f"(?P<id>{HEX}) +0*(?P<kind>[0-5]) +0*(?P<flags>[0-7])( +(?P<type>{HEX}))?"),
)}


def numbers(text):
    return [int(word, 16) for word in text.split()]


def read(content):
    """The sections of a log as (name, types, objects, roots); None: it is none, or none that is whole."""
    sections, name = [], None
    for line in re.split("\n" if b"\n" in content else "\r", content.decode("latin-1")):
        line = line.strip(" \t\r")
        found = LINES[line[0]].fullmatch(line) if line and line[0] in LINES else None
        if not line:
            continue
        if not found or (line[0] == "a") != (name is None):
            return None
        if line[0] == "a":
            name = found["name"].split()
            sections.append((name, {}, {}, []))
        elif line[0] == "c" and found["name"].split() != name:
            return None
        elif line[0] == "c":
            name = None
        else:
            _, types, objects, roots = sections[-1]
            known = types if line[0] == "t" else objects if line[0] == "o" else {}
            if int(found["id"], 16) in known:
                return None
            if line[0] == "t":
                types[int(found["id"], 16)] = found["name"]
            elif line[0] == "o":
                objects[int(found["id"], 16)] = *numbers(found["type"]), *numbers(found["size"]), numbers(found["to"])
            else:
                roots.append((*numbers(found["id"]), int(found["kind"]), int(found["flags"]), found["type"]))
    return sections if sections and name is None else None
