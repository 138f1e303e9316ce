"""References, roots, reachability and distances over a Dump, by the plainest means."""

from collections import Counter, defaultdict, deque, namedtuple
from functools import cached_property

import stack_objects

# A pointer from outside of the heap. `address` is that of the word, 0 where there is none;
# `goroutine` the index of the one that has it in a frame, or as a deferred call or panic, or None; `guess`: every
# word of the frame counts as a pointer.
Root = namedtuple("Root", "kind address target frame goroutine guess", defaults=[False])

PAGE = 8192


class Graph:
    def __init__(self, dump, program=None, bias=0):
        """`program`: the executable, a program.Program, and where it was loaded."""
        self.dump = dump
        self.hidden = list(stack_objects.words(dump, program, bias))
        self.references = []  # by object: [(offset from the object's address, target)]
        self.referrers = defaultdict(list)  # by object: [(object, offset)]
        self.pointers = self.dangling = 0
        self._link()
        self._goroutine_at = {g.address: i for i, g in enumerate(dump.goroutines)}
        self.roots = list(self._roots())
        self.distance = self._distances(set())

    def _link(self):
        dump = self.dump
        pages = set()
        for obj in dump.objects:
            pages.update(range(obj.slot // PAGE, (obj.slot + obj.size - 1) // PAGE + 1))
        for index, obj in enumerate(dump.objects):
            row = []
            for offset, word in dump.words(obj.data, obj.fields):
                target = dump.find(word)
                if target is not None:
                    row.append((offset - obj.header, target))
                    self.referrers[target].append((index, offset - obj.header))
                elif word // PAGE in pages:
                    self.dangling += 1
            self.references.append(row)
            self.pointers += len(row)

    def _roots(self):
        """What keeps objects alive, with the kind that the program's JSON names."""
        dump = self.dump
        for segment in dump.segments:
            for offset, word in dump.words(segment.data, segment.fields):
                yield from self._root(segment.kind, word, segment.address + offset)
        for frame in dump.frames:
            for offset, word in dump.words(frame.data, frame.fields):
                yield from self._root("frame", word, frame.sp + offset, frame)
        for word in self.hidden:
            for root in self._root("frame", word.value, word.address, word.frame):
                yield root._replace(guess=word.guess)
        for finalizer in dump.finalizers:
            kind = "queued_finalizer" if finalizer.queued else "finalizer"
            yield from self._root(kind, finalizer.function)
            obj = dump.find(finalizer.object)
            if finalizer.queued:
                yield from self._root(kind, finalizer.object)
            elif obj is not None:
                for _, target in self.references[obj]:
                    if target != obj:  # Go's collector skips pointers to what it scans, up to 128 KB
                        yield Root(kind, 0, target, None, None)
        for record in dump.defers:
            yield from self._root("defer", record.address, of=record.goroutine)
            yield from self._root("defer", record.function, of=record.goroutine)
        for record in dump.panics:
            yield from self._root("panic", record.data, of=record.goroutine)
        for _, word in dump.otherroots:
            yield from self._root("other", word)

    def _root(self, kind, word, address=0, frame=None, of=None):
        target = self.dump.find(word)
        if target is not None:
            index = self._goroutine_at.get(of) if frame is None else frame.goroutine
            yield Root(kind, address, target, frame, index)

    def root_class(self, root):
        """The lower, the firmer it holds: variables, goroutines that wait with what they
        will call, those that run (the one that wrote the dump does, whatever its
        status says), other records of the runtime, finalizers."""
        classes = {"data": 0, "bss": 0, "defer": 1, "panic": 1, "other": 3}
        if root.kind != "frame":
            return classes.get(root.kind, 4)
        goroutine = self.dump.goroutines[root.frame.goroutine]
        dumping = any(
            frame.name in ("runtime/debug.WriteHeapDump", "runtime.writeHeapDump")
            for frame in goroutine.frames
        )
        return 1 if goroutine.status == 4 and not dumping else 2

    @cached_property
    def beside(self):
        """The same distances past none of the runtime's plumbing."""
        return self._distances(self._plumbing())

    def _plumbing(self):
        """What may be one of the structures by which the runtime ties everything to everything:
        goroutines, threads, and all that refer to one of these, as waits and processors do."""
        tied = {self.dump.find(g.address) for g in self.dump.goroutines}
        tied |= {self.dump.find(address) for address, *_ in self.dump.threads}
        return tied | {source for at in tied for source, _ in self.referrers.get(at, ())}

    def _distances(self, without):
        """Objects on the shortest path, by object, from a root of the firmest class, past none of
        those without which it is to be done."""
        distance = {}
        for held in range(5):
            starts = [root.target for root in self.roots if self.root_class(root) == held]
            queue = deque()
            for target in starts:
                if target not in distance and target not in without:
                    distance[target] = 1
                    queue.append(target)
            while queue:
                index = queue.popleft()
                for _, target in self.references[index]:
                    if target not in distance and target not in without:
                        distance[target] = distance[index] + 1
                        queue.append(target)
        return distance

    def ancestors(self, index):
        """The object, and all that lead to it."""
        seen, ahead = {index}, [index]
        while ahead:
            for above, _ in self.referrers[ahead.pop()]:
                if above not in seen:
                    seen.add(above)
                    ahead.append(above)
        return seen

    def root_counts(self):
        return Counter(root.kind for root in self.roots)

    def reachable_bytes(self):
        return self.size(self.distance)

    def gone(self, roots=None, without=(), follows=None):
        """The objects that a search from these roots misses, which enters none of the objects `without`
        and takes only references that it `follows`: follows(source, offset, target)."""
        seen = set(without)
        ahead = list({root.target for root in (self.roots if roots is None else roots)} - seen)
        seen.update(ahead)
        while ahead:
            index = ahead.pop()
            for offset, target in self.references[index]:
                if target not in seen and (follows is None or follows(index, offset, target)):
                    seen.add(target)
                    ahead.append(target)
        return set(self.distance) - seen.difference(without)

    def size(self, objects):
        return sum(self.dump.objects[index].size for index in objects)

    def lost(self, *without, roots=None):
        """(bytes, objects) that only these objects, or only roots other than `roots`, lead to."""
        gone = self.gone(roots, set(without))
        return self.size(gone), len(gone)
