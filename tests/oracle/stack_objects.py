"""Pointers on stacks that a dump does not list: those of variables whose address is taken. The collector looks at
such a variable where a pointer of the same stack leads to it.

With the program they are known. Without it, a pointer into a frame makes every word of that frame one.
"""

import bisect
import re
from collections import defaultdict, namedtuple

SINCE = 12  # minor version of Go
PREEMPTED = "runtime.asyncPreempt"  # stops its caller anywhere, where no map tells which words are pointers

# A word of a frame. `guess`: every word of the frame counts.
Word = namedtuple("Word", "frame address value guess")

# By architecture: bytes at the end of a frame behind its variables (the return address), bytes before the
# arguments of the caller, and whether a frame with variables saves the caller's frame pointer behind them.
ENDS = {
    "amd64": (8, 0, True), "386": (4, 0, False), "wasm": (8, 0, False), "arm64": (0, 8, True), "arm": (0, 4, False),
    "mips": (0, 4, False), "mipsle": (0, 4, False), "mips64": (0, 8, False), "mips64le": (0, 8, False),
    "ppc64": (0, 32, False), "ppc64le": (0, 32, False), "s390x": (0, 8, False), "riscv64": (0, 8, False),
    "loong64": (0, 8, False),
}


class Stack:
    """The stack of one goroutine."""

    def __init__(self, dump, frames, program, bias):
        self.dump, self.frames, self.program, self.bias = dump, frames, program, bias
        self.width = dump.word_size
        self.starts = [frame.sp for frame in self.frames]
        self.listed = {frame.sp + offset for frame in self.frames for offset, _ in dump.words(frame.data, frame.fields)}
        self.variables = sorted(v for i in range(len(self.frames)) for v in self._variables(i))
        self.whole, self.seen, self.found = set(), set(), {}

    def _exact(self, index):
        return self.program and self.frames[index].entry - self.bias in self.program.entries

    def _ends(self, frame):
        """(where its variables end, where its arguments begin)"""
        back, least, saves = ENDS[self.dump.params.arch]
        end = frame.sp + len(frame.data)
        variables = end - back
        return variables - (self.width if saves and variables > frame.sp else 0), end + least

    def _variables(self, index):
        """(address, size, frame, pointers)"""
        frame = self.frames[index]
        if not self._exact(index) or not frame.continue_pc:
            return
        variables, arguments = self._ends(frame)
        for variable in self.program.variables(frame.entry - self.bias):
            base = variables if variable.offset < 0 else arguments
            yield base + variable.offset, variable.size, index, variable.pointers

    def _value(self, address):
        """(index of the frame, the word), or None"""
        index = bisect.bisect_right(self.starts, address) - 1
        if index < 0:
            return None
        frame = self.frames[index]
        words = list(self.dump.words(frame.data, [address - frame.sp]))
        return (index, words[0][1]) if words else None

    def _add(self, address, guess):
        got = self._value(address)
        if got is None:
            return
        if address not in self.listed and address not in self.found:
            self.found[address] = Word(self.frames[got[0]], address, got[1], guess)
        self._reach(got[1])

    def _reach(self, word):
        self.ahead.append(word)

    def _take(self, word):
        at = bisect.bisect_right(self.variables, (word, 1 << 64)) - 1
        if at >= 0 and word < self.variables[at][0] + self.variables[at][1]:
            address, _, _, pointers = self.variables[at]
            if at not in self.seen:
                self.seen.add(at)
                for offset in pointers:
                    self._add(address + offset, False)
            return
        index = bisect.bisect_right(self.starts, word) - 1
        if index >= 0 and word < self.starts[index] + len(self.frames[index].data) and not self._exact(index):
            self._whole(index)

    def _whole(self, index):
        if index in self.whole:
            return
        self.whole.add(index)
        frame = self.frames[index]
        for address in range(frame.sp, self._ends(frame)[0] - self.width + 1, self.width):
            self._add(address, True)

    def words(self, deferred):
        """All words that the dump does not list, by address."""
        self.ahead = list(deferred)
        for index, frame in enumerate(self.frames):
            if frame.name == PREEMPTED:
                self._whole(index)
                if index + 1 < len(self.frames):
                    self._whole(index + 1)
            for _, word in self.dump.words(frame.data, frame.fields):
                self._reach(word)
        while self.ahead:
            self._take(self.ahead.pop())
        return [self.found[address] for address in sorted(self.found)]


def words(dump, program=None, bias=0):
    """The words of all stacks that the dump does not list."""
    minor = re.match(r"go1\.(\d+)", dump.params.version)
    if not minor or int(minor[1]) < SINCE:
        return
    held = {}
    for record in dump.defers:
        held.setdefault(record.goroutine, []).extend((record.function, record.link))
    for record in dump.panics:
        held.setdefault(record.goroutine, []).append(record.address)
    frames = defaultdict(list)
    for frame in dump.frames:
        frames[frame.goroutine].append(frame)
    for index, goroutine in enumerate(dump.goroutines):
        deferred = [*held.get(goroutine.address, ()), goroutine.context]
        yield from Stack(dump, frames[index], program, bias).words(deferred)
