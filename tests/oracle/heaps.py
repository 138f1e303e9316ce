"""Heaps by call stack and type, from the description of the formats only: what every cell of a
breakdown must be, and random traces of Chromium in its three dialects whose cells are known.

A heap is a list of rows (stack, type, size, count): what was allocated by exactly this stack. Cells
are a dictionary of (stack, type) -> [size, count]; type None stands for all types.
"""

import json
import math
import random
import re

SELF, OTHER = "<self>", "<other>"


def add(cells, key, size, count):
    cell = cells.setdefault(key, [0, 0])
    cell[0] += size
    cell[1] += count


def cumulated(rows, leaves):
    """What stacks have with all that go on from them. leaves: what is their own is a part, too."""
    cells = {((), None): [0, 0]}
    typed = any(kind not in (None, "[unknown]") for _, kind, _, _ in rows)
    for stack, kind, size, count in rows:
        whole = stack + ((SELF,) if leaves and stack[-1:] != (SELF,) else ())
        for depth in range(len(whole) + 1):
            add(cells, (whole[:depth], None), size, count)
            if typed and kind is not None:
                add(cells, (whole[:depth], kind), size, count)
    return cells


def outside_runtime(stack):
    """Without the innermost calls of the runtime, as runtime/pprof hides them; all where no others are."""
    for at, (function, file, _) in enumerate(stack):
        if not function.startswith(("runtime.", "internal/runtime/")) and not file.endswith((".c", ".goc")):
            return stack[at:]
    return stack


def scaled(profile, count, rate):
    """runtime/pprof/protomem.go: scaleHeapSample."""
    size = profile.size
    if not size:
        return 0, 0
    if rate <= 1:
        return count * size, count
    scale = 1 / (1 - math.exp(-size / rate))
    return int(count * size * scale), int(count * scale)


def rate_of(name):
    """The programs called small set runtime.MemProfileRate to 1, the others leave Go's default."""
    return 1 if "small" in name else 512 * 1024


def parts(cells, axis):
    """Each cell's parts along an axis, 0: stacks, 1: types."""
    found = {}
    for stack, kind in cells:
        if axis == 0 and stack:
            found.setdefault((stack[:-1], kind), []).append((stack, kind))
        if axis == 1 and kind is not None:
            found.setdefault((stack, None), []).append((stack, kind))
    return found


def shown(cells, least=0):
    """Cells from a size on, and what the parts of a cell do not say of it, as <other>."""
    kept = {key: cell for key, cell in cells.items() if cell[0] >= least or key == ((), None)}
    rows = dict(kept)
    for axis in (0, 1):
        for whole, keys in parts(kept, axis).items():
            stack, kind = whole
            if whole not in kept:
                continue
            rest = [kept[whole][i] - sum(kept[key][i] for key in keys) for i in (0, 1)]
            if rest[0]:
                rows[(stack + (OTHER,), kind) if axis == 0 else (stack, OTHER)] = rest
    return rows


def turned(rows):
    """The same heap with the function that allocates first."""
    return [
        (tuple(name for name in reversed(stack) if name != SELF), kind, size, count)
        for stack, kind, size, count in rows
    ]


def own(cells):
    """What the stacks of cumulative cells have themselves, over all types."""
    below = parts(cells, 0)
    rows = []
    for (stack, kind), cell in cells.items():
        if kind is None:
            rest = [cell[i] - sum(cells[key][i] for key in below.get((stack, None), []))
                    for i in (0, 1)]
            if rest[0] > 0:
                rows.append((stack, None, rest[0], max(rest[1], 0)))
    return rows


def without_leaves(rows):
    """Without the <self> of stacks that call nothing: it says what they say themselves."""
    calling = {(stack[:-1], kind) for stack, kind in rows if stack and stack[-1] != SELF}

    def tells(stack, kind):
        return (stack[:-1], None) in calling or (stack[:-1], kind) in calling

    return {
        (stack, kind): cell for (stack, kind), cell in rows.items()
        if stack[-1:] != (SELF,) or tells(stack, kind)
    }


# ---- What is written of a heap


def enough(cells, least, keys):
    return [key for key in keys if cells[key][0] >= least]


def adds_something(cells, _, keys):
    """The cutoff of 2015: parts by size, until one adds less than 0.8 % to those before."""
    total, kept = 0, []
    for key in sorted(keys, key=lambda key: -cells[key][0]):
        total += cells[key][0]
        if not total or cells[key][0] * 125 // total == 0:
            break
        kept.append(key)
    return kept


def chosen(cells, choose, least):
    """The cells that are written: the whole, and the parts of what is written that are chosen."""
    axes, kept, todo = [parts(cells, 0), parts(cells, 1)], {}, [((), None)]
    while todo:
        key = todo.pop()
        if key in kept:
            continue
        kept[key] = cells[key]
        for axis in axes:
            todo += choose(cells, least, axis.get(key, []))
    return kept


# ---- Random traces

NAMES = ["main", "f", "g", "#if", 'q"x', "pc:7f00", "[Thread: A]", "π"]
KINDS = ["T", "A<b, c>", "[unknown]", "#0", "blink::Event"]
ALLOCATORS = ["malloc", "partition_alloc", "blink_gc"]
NOISE = ["%s", "const char *WTF::getStringWithTypeName() [T = %s]",
         "const char* WTF::getStringWithTypeName() [with T = %s]",
         "const char *__cdecl WTF::getStringWithTypeName<%s>(void)"]


def random_rows(draw):
    stacks = [()]
    for _ in range(draw.randrange(12)):
        stacks.append(draw.choice(stacks) + (draw.choice(NAMES),))
    kinds = KINDS[: draw.randrange(1, len(KINDS) + 1)]
    return [
        (draw.choice(stacks), draw.choice(kinds),
         draw.choice((1, 16, 700, 2**33)) * draw.randrange(1, 9), draw.randrange(1, 99))
        for _ in range(draw.randrange(1, 25))
    ]


class Process:
    """Ids of one process: any text, and its own."""

    def __init__(self, draw, pid, numbers):
        self.draw, self.pid, self.numbers = draw, pid, numbers
        self.ids, self.events, self.new = {}, [], {"strings": [], "nodes": [], "types": []}

    def id_of(self, *key):
        if key not in self.ids:
            number = len(self.ids) + 1
            text = self.draw.choice(("%d", "#%d", "1#%d", "-%d.5"))
            self.ids[key] = number if self.numbers else text % number
        return self.ids[key]

    def string(self, text):
        known = ("string", text) in self.ids
        number = self.id_of("string", text)
        if not known:
            self.new["strings"].append({"id": number, "string": text})
        return number

    def node(self, stack):
        """For the newest dialect: its names come with the dumps that they are new in."""
        if not stack:
            return self.draw.choice((0, 2**64 - 1, 10**9))
        known = ("frame", stack) in self.ids
        number = self.id_of("frame", stack)
        parent = self.node(stack[:-1]) if stack[1:] else None
        if not known:
            node = {"id": number, "name_sid": self.string(stack[-1])}
            self.new["nodes"].append(node if parent is None else {**node, "parent": parent})
        return number

    def kind(self, kind):
        if kind == "[unknown]":
            return 0
        known = ("type", kind) in self.ids
        number = self.id_of("type", kind)
        if not known:
            self.new["types"].append({"id": number, "name_sid": self.string(kind)})
        return number

    def frame(self, stack):
        for depth in range(1, len(stack)):
            self.id_of("frame", stack[:depth])
        return self.id_of("frame", stack) if stack else ""

    def metadata(self):
        frames, types = {}, {}
        for (sort, value), number in list(self.ids.items()):
            if sort == "frame":
                frames[number] = {"name": value[-1]}
                if value[1:]:
                    frames[number]["parent"] = self.frame(value[:-1])
            elif sort == "type":
                types[number] = self.draw.choice(NOISE) % value
        for name, value in (("stackFrames", frames), ("typeNames", types)):
            items = list(value.items())
            self.draw.shuffle(items)
            yield {"ph": "M", "pid": self.pid, "name": name, "args": {name: dict(items)}}


def old_heap(process, rows):
    """Self sizes; sums of types; the total."""
    entries, kinds = [], {}
    for stack, kind, size, _ in rows:
        entries.append({"bt": process.frame(stack), "size": f"{size:x}"})
        kinds[kind] = kinds.get(kind, 0) + size
    for kind, size in kinds.items():
        entries.append({"type": process.id_of("type", kind), "size": f"{size:x}"})
    process.draw.shuffle(entries)
    total = sum(kinds.values())
    cells = cumulated([(stack, None, size, 0) for stack, _, size, _ in rows], True)
    cells.update({((), kind): [size, 0] for kind, size in kinds.items()})
    return {"entries": [{"size": f"{total:x}"}, *entries]}, cells, False


def cumulative_heap(process, rows):
    draw = process.draw
    cells = cumulated(rows, draw.random() < 0.5)
    cells = chosen(cells, draw.choice((enough, adds_something)), draw.choice((0, 50, 3000)))
    counted = draw.random() < 0.5
    entries = []
    for (stack, kind), (size, count) in cells.items():
        entry = {"bt": process.frame(stack), "size": f"{size:x}"}
        if kind is not None:
            entry["type"] = process.id_of("type", kind)
        entries.append({**entry, "count": f"{count:x}"} if counted else entry)
    draw.shuffle(entries)
    return {"entries": entries}, cells, counted


def listed_heap(process, rows):
    lists = {
        "nodes": [process.node(stack) for stack, _, _, _ in rows],
        "types": [process.kind(kind) for _, kind, _, _ in rows],
        "sizes": [size for _, _, size, _ in rows], "counts": [count for _, _, _, count in rows],
    }
    return lists, cumulated(rows, True), True


def random_process(draw, pid, known):
    write = draw.choice((old_heap, cumulative_heap, listed_heap))
    process = Process(draw, pid, write is listed_heap)
    for number in range(draw.randrange(1, 4)):
        heaps = {}
        for allocator in ALLOCATORS[: draw.randrange(1, 4)]:
            rows = random_rows(draw)
            heaps[allocator], cells, counted = write(process, rows)
            bottom_up = cumulated(turned(rows if write is listed_heap else own(cells)), True)
            known[pid, f"0x{number}", allocator] = cells, bottom_up, counted
        dumps = {"heaps": heaps}
        if write is listed_heap:
            dumps = {"heaps_v2": {"version": 1, "allocators": heaps, "maps": process.new}}
            process.new = {"strings": [], "nodes": [], "types": []}
        event = {"ph": "v", "pid": pid, "id": f"0x{number}", "ts": number, "args": {"dumps": dumps}}
        process.events.append(event)
    if write is not listed_heap:
        process.events += process.metadata()
    return process.events


def random_trace(seed):
    """A trace as text, and of each (process, dump, allocator) its cells, those of it bottom-up, and
    whether it has counts."""
    draw, known, events = random.Random(seed), {}, []
    for pid in draw.sample(range(1, 99), draw.randrange(1, 4)):
        events += random_process(draw, pid, known)
    draw.shuffle(events)
    text = json.dumps(events, ensure_ascii=draw.random() < 0.5, indent=draw.choice((None, 1)))
    return draw.choice((text, text[:-1], f'{{"traceEvents":{text}}}')), known


def function_of(name):
    """A function's name as runtime.funcNameForPrint makes it of the compiler's, in profiles and traces."""
    return re.sub(r"\[.*go\.shape\..*\]", "[...]", name)
