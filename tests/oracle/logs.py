"""Random GC logs of the .NET Compact Framework, and what they must give, from the description of
the format only: the first record of a number counts, references to nothing are none, and roots that
are weak hold nothing."""

import random

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
