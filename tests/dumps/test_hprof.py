"""What is exported as hprof, against the dumps as the readers in tests/oracle see them."""

import functools
import os
import re
import stat
import subprocess
import tempfile
from collections import Counter, defaultdict

import hprof
import writer
from executables import exe_of
from harness import DUMPS, ONE, SERVER, TESTDATA, Skip, answer, equal, oracle, run, test, truth, unpacked
from survive import contents, file_of

CHECKER = os.environ.get("HPROFCHECK", "")  # a program that opens a file with VisualVM's library
SCAFFOLD = re.compile(r"java/|\[")  # classes that Java's tools insist on


def exported(file, *more, status=0):
    """A heap, and what is told on stderr."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.hprof")
        result = run("export", "--format", "hprof", file, "-o", path, *more, expect=status)
        equal(os.listdir(folder), ["x.hprof"], "files")
        equal(stat.S_IMODE(os.stat(path).st_mode), 0o600, "mode")
        with open(path, "rb") as made:
            return hprof.Heap(made.read()), result.err


@functools.lru_cache(maxsize=1)
def heap_of(name):
    return exported(unpacked(name))[0]


def objects(heap):
    """Those of Go."""
    return [number for number in heap.instances if not SCAFFOLD.match(heap.name(number))]


def references_of(graph, index):
    """Of what no root leads to, none are written: VisualVM would count them as holders."""
    return graph.references[index] if index in graph.distance else []


def type_of(name):
    """The type that a class is of."""
    name = re.sub(r"( \(\d+ bytes\))?( #\d+)?$", "", name)
    return re.sub(r"^(array|slice) (?=\[)", "", name)


@test(each=DUMPS)
def objects_are_those_of_the_dump(name):
    heap, graph = heap_of(name), oracle(name)
    base = {index: obj.slot + obj.header for index, obj in enumerate(graph.dump.objects)}
    equal(sorted(objects(heap)), sorted(base.values()), "objects")
    equal(heap.id_size, 8 if graph.dump.params.pointer_size == 8 else 4, "size of ids")
    assert max(heap.segments) <= 1 << 20 and len(heap.segments) > (name in SERVER), heap.segments
    equal(heap.time, graph.dump.memstats["LastGC"] // 10**6, "time")
    for index, address in base.items():
        equal(heap.size(address), graph.dump.objects[index].size, f"size of {address:#x}")
        got = [(int(field[1:], 16), target) for field, target in heap.references(address)]
        right = {offset: base[target] for offset, target in references_of(graph, index)}
        equal(got, sorted(right.items()), f"references of {address:#x}")


@test(each=DUMPS)
def roots_are_those_of_the_dump(name):
    heap, graph = heap_of(name), oracle(name)
    base = [obj.slot + obj.header for obj in graph.dump.objects]
    kinds = {
        "frame": "Java frame", "defer": "JNI local", "panic": "JNI local", "finalizer": "JNI global",
        "queued_finalizer": "JNI global", "other": "unknown", "data": "static", "bss": "static",
    }
    got = Counter((root.kind, root.target) for root in heap.roots if root.kind != "sticky class")
    sticky = {root.target for root in heap.roots if root.kind == "sticky class"}
    for number, cls in heap.classes.items():
        if cls.statics and not SCAFFOLD.match(cls.name):
            assert number in sticky, f"{cls.name} is no root"
            got.update(("static", value) for _, _, value in cls.statics)
    equal(got, Counter((kinds[root.kind], base[root.target]) for root in graph.roots), "roots")


@test(each=DUMPS)
def goroutines_are_threads(name):
    heap, graph = heap_of(name), oracle(name)
    base = [obj.slot + obj.header for obj in graph.dump.objects]
    rows = answer("list", "goroutines", unpacked(name))
    held = defaultdict(Counter)
    for root in heap.roots:
        if root.kind == "Java frame":
            held[root.thread, root.frame][root.target] += 1
    right = defaultdict(Counter)
    for root in graph.roots:
        if root.kind == "frame":
            frames = graph.dump.goroutines[root.goroutine].frames
            depth = next(i for i, frame in enumerate(frames) if frame.sp == root.frame.sp)
            right[root.goroutine + 1, depth][base[root.target]] += 1
    equal(held, right, "what frames hold")
    equal(len(heap.threads), len(rows), "threads")
    for row, goroutine, thread in zip(rows, graph.dump.goroutines, heap.threads):
        [(_, text)] = heap.references(thread.id)
        assert heap.java_text(text).startswith(f"goroutine {goroutine.id} ["), row
        waits = row["status"] == "waiting" and goroutine.reason  # others keep the reason of their last wait
        assert not waits or waits in heap.java_text(text), row
        frames = heap.traces[thread.trace].frames
        names = [frame.method if frame.cls == "go" else f"{frame.cls}.{frame.method}" for frame in frames]
        equal(names, [frame.name for frame in goroutine.frames], f"frames of goroutine {goroutine.id}")


def histogram(heap):
    counts, sizes = Counter(), Counter()
    for number in objects(heap):
        counts[type_of(heap.name(number))] += 1
        sizes[type_of(heap.name(number))] += heap.size(number)
    return {name: (counts[name], sizes[name]) for name in counts}


@test(each=DUMPS)
def classes_are_types(name):
    rows = answer("list", "types", unpacked(name), "--parts")
    right = {row["type"]: (row["count"], row["bytes"]) for row in rows}
    equal(histogram(heap_of(name)), right, "types")


@test
def what_stands_in_bytes_is_not_in_it():
    """Neither in a slice nor in an array: the program has many of them, of more than 8 bytes each."""
    heap = exported(unpacked(ONE), "--exe", exe_of(ONE))[0]
    names = Counter(name for instance in heap.instances.values() for name, _, _ in instance.values)
    assert names["Buf.len"] >= 250, "the buffers are there"
    types = {row["type"] for row in answer("list", "types", unpacked(ONE), "--exe", exe_of(ONE))}
    assert "[]byte" in types, types
    bytes_ = [name for number, instance in heap.instances.items() if re.fullmatch(r"\[\d*\](uint8|byte)", heap.name(number))
              for name, _, _ in instance.values if name.endswith("]")]
    equal(bytes_, [], "bytes")


@test
def with_an_executable_everything_has_a_name():
    exe = ("--exe", exe_of(ONE))
    heap, graph = exported(unpacked(ONE), *exe)[0], oracle(ONE)
    base = [obj.slot + obj.header for obj in graph.dump.objects]
    for index, address in enumerate(base):
        got = sorted(target for _, target in heap.references(address))
        equal(got, sorted(base[target] for _, target in references_of(graph, index)), f"{address:#x}")
    right = {row["type"]: (row["count"], row["bytes"])
             for row in answer("list", "types", unpacked(ONE), *exe, "--parts")}
    equal(histogram(heap), right, "types")
    statics = {f"{cls.name}.{name}": value for cls in heap.classes.values() for name, _, value in cls.statics}
    sessions = [int(text, 16) for text in truth(ONE)["CacheSessions"]]
    assert "main.gCache" in statics and set(sessions) <= set(base), "main.gCache"
    for i, address in enumerate(sessions):
        equal(heap.name(address), "main.Session", "type of a session")
        values = {name: value for name, _, value in heap.instances[address].values}
        equal(values["Next"], sessions[i - 1] if i else 0, "the session before it")
        equal((values["Buf.len"], values["Buf.cap"], values["ID.len"]), (4096, 4096, 12), "numbers")
    for thread, goroutine in list(zip(heap.threads, graph.dump.goroutines))[::4]:
        right = []
        for row in answer("list", "frames", unpacked(ONE), goroutine.id, *exe):
            inlined = row["inlined"].split(", ") if row["inlined"] else []
            right += [re.fullmatch(r"(.*)  (.*):(\d+)", call).groups() for call in inlined]
            right.append((row["function"], row["file"], str(row["line"])))
        got = [(f"{frame.cls}.{frame.method}", frame.file, str(frame.line))
               for frame in heap.traces[thread.trace].frames]
        equal(got, right, f"frames of goroutine {goroutine.id}")


@test
def what_has_several_sizes_has_a_class_above():
    heap = exported(unpacked(ONE), "--exe", exe_of(ONE))[0]
    groups = Counter(heap.classes[cls.super].name for cls in heap.classes.values()
                     if cls.name.endswith(" bytes)"))
    assert groups["string data"] > 3, groups
    for cls in heap.classes.values():
        if cls.name.endswith(" bytes)"):
            equal(type_of(cls.name), type_of(heap.classes[cls.super].name), "the class above")


# ---- What is odd

ODD = 'a"\n\u202e\U0001f600;[L/x\0'


@test
def names_are_what_java_can_read():
    with file_of(writer.tiny(name=ODD, reason=ODD, kind=ODD)) as file:
        heap, _ = exported(file.name)
    names = [frame.cls + frame.method for trace in heap.traces.values() for frame in trace.frames]
    assert any("\\U0001f600" in name for name in names), names


@test(each=[2, 3, 5])
def a_cut_dump_is_told(part):
    data = contents(ONE)
    with file_of(data[: len(data) * (part - 1) // part]) as file:
        heap, told = exported(file.name)
        assert told.startswith("goheapx: "), told
        rows = answer("list", "objects", file.name)
        exported(file.name, "--strict", status=2)
    equal(sorted(objects(heap)), sorted(int(row["address"], 16) for row in rows), "objects")


@test
def a_log_has_numbers():
    log = TESTDATA / "netcf" / "two_domains.gclog"
    heap, _ = exported(log)
    rows = answer("list", "objects", log)
    equal({number: heap.size(number) for number in objects(heap)},
          {int(row["address"], 16): row["size"] for row in rows}, "objects")
    for row in rows[:: max(1, len(rows) // 50)]:
        references = answer("list", "references", log, row["address"])
        got = [target for _, target in heap.references(int(row["address"], 16))]
        equal(got, [int(to["target"], 16) for to in references], row["address"])


@test
def it_says_what_cannot_be():
    trace = TESTDATA / "chromium" / "odd.json"
    for arguments, text in (
        ([trace], "has no objects"), ([unpacked(ONE), "allocator=x"], "takes no further arguments"),
        ([unpacked(ONE), "--cutoff", "5%"], "takes no --cutoff"),
    ):
        result = run("export", "--format", "hprof", *arguments)
        assert result.status in (1, 2) and text in result.err and not result.out, result


# ---- The library of VisualVM


def checked(path, *commands):
    """What the checker prints: the words of each line."""
    ran = subprocess.run([CHECKER, path, *commands], capture_output=True, text=True, check=True)
    return ran.stdout.splitlines()


def nearest(graph):
    """By object: steps from its nearest root. A static field is that of a class, which is the root."""
    distance, level = {}, [{root.target for root in graph.roots if root.kind not in ("data", "bss")}]
    level.append({root.target for root in graph.roots if root.kind in ("data", "bss")})
    while level:
        now = level.pop(0) - set(distance)
        distance.update(dict.fromkeys(now, max(distance.values(), default=-1) + 1))
        level = level or ([set()] if now else [])
        for index in now:
            level[0].update(target for _, target in graph.references[index])
    return distance


def check_path(graph, lines):
    """The path from an object to its nearest root, as the checker prints it."""
    address = int(lines[0].rpartition("@0x")[2], 16)
    index = graph.dump.find(address)
    steps = [line.rpartition("@0x")[2] for line in lines[1:] if line.startswith("  <- ")]
    if "  <- java.lang.Class#" in lines[len(steps)]:
        holders = {root.target for root in graph.roots if root.kind in ("data", "bss")}
        assert lines[-1] == "  root [sticky class]", lines
        steps.pop()
        extra = 1
    else:
        holders = {root.target for root in graph.roots if root.kind not in ("data", "bss")}
        extra = 0
    equal(len(steps) + extra, nearest(graph)[index], f"steps to {address:#x}")
    for step in steps:
        holder = graph.dump.find(int(step, 16))
        assert index in [target for _, target in graph.references[holder]], lines
        index = holder
    assert index in holders, lines


@test(each=["go1.19.8-small", "go1.26.10-server", "go1.24.4-small-386", "go1.24.4-small-s390x",
            "go1.24.4-small-mips"], builds=("gcc",))
def visualvm_sees_the_same(name):
    if not CHECKER:
        raise Skip("HPROFCHECK names no program that opens a file with VisualVM's library")
    dump = unpacked(name)
    tree = answer("list", "dominators", dump, "--limit", "20")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.hprof")
        run("export", "--format", "hprof", dump, "-o", path, expect=0)
        questions = [word for row in tree for word in ("retained", row["address"])]
        told = truth(name).get("CacheSessions") or [row["address"] for row in tree]
        for address in told[:: max(1, len(told) // 10)]:
            questions += ["path", address]
        lines = checked(path, "histo", "walk", "threads", *questions)
    starts = [i for i, line in enumerate(lines) if line.startswith("path ")]
    for start, end in zip(starts, starts[1:] + [len(lines)]):
        check_path(oracle(name), lines[start:end])
    assert len(starts) >= 10, starts
    counts, sizes = Counter(), Counter()
    for line in lines:
        if found := re.match(r"histo +(\d+) +(\d+) (.*)", line):
            kind = type_of(found[3])
            if not re.match(r"java\.|char\[\]$", kind):
                counts[kind] += int(found[1])
                sizes[kind] += int(found[2])
    rows = answer("list", "types", dump, "--parts")
    right = {row["type"].replace("/", "."): (row["count"], row["bytes"]) for row in rows}
    equal({kind: (counts[kind], sizes[kind]) for kind in counts}, right, "types")
    equal([int(line.split(" = ")[1]) for line in lines if line.startswith("retained ")],
          [row["retained_bytes"] for row in tree], "retained sizes")
    assert any(line.startswith("walk ") and line.endswith("dangling=0") for line in lines), lines[-1]
    frames = [re.sub(r"^  #\d+ |\([^()]*\)$", "", line) for line in lines if line.startswith("  #")]
    right = [frame.name.replace("/", ".") for goroutine in oracle(name).dump.goroutines
             for frame in goroutine.frames]
    equal([frame.removeprefix("go.") for frame in frames], right, "frames")
