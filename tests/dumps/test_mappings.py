"""The mapped memory of a process: what it is used for and what points there, against notes of the core file, what the
kernel tells of a process that runs, and what a program has mapped by construction."""

import collections
import contextlib
import json
import pathlib
import re
import struct
import subprocess
import tempfile

from core_files import CRASH, HERE, core, file, mapped
from cores import Core, changed
from elf import Elf
from harness import UNPACKED, answer, equal, input_of, run, stored, test, truth_in, unpack
from live import may_look, running

CGO = "go1.24-modes-cgopie"
CASE = "cases/rss-cgo-1.26"
NEWER = f"{CGO}-glibc2.43"  # the same program with a glibc whose arenas are smaller
FILES, STATUS = 0x46494C45, 1
STACK = 8 << 20  # what a thread has with the usual limit
BLOCKS = 32 << 10  # small ones of the program of the case, of 1000 bytes
OUTSIDE = ("other files", "first stack", "thread stacks", "malloc", "other mappings")


def files_of(path):
    """NT_FILE: number and size of a page; start, end and place of each; their names."""
    with open(path, "rb") as opened:
        image = Core(opened)
        for what, at, size in image.notes():
            if what == FILES:
                note = image.at(at, size)
                count = struct.unpack_from("<Q", note)[0]
                names = note[16 + 24 * count:].split(b"\0")
                return [(*struct.unpack_from("<QQ", note, 16 + 24 * i), names[i].decode()) for i in range(count)]
    return []


def threads_of(path):
    with open(path, "rb") as opened:
        return sum(what == STATUS for what, _, _ in Core(opened).notes())


@test
def a_go_library_is_the_program_s():
    """What has loaded it is a program of C: both files are the executable's, others are not."""
    case = "cases/c-shared-1.24"
    path = input_of(f"{case}/app.core")
    rows = answer("list", "mappings", path, "--exe", stored(f"{case}/libtable.so"))
    uses = collections.defaultdict(set)
    for row in rows:
        uses[row["use"]].add((row["name"] or "").rpartition("/")[2])
    assert {"app", "libtable.so"} <= uses["executable"], uses
    missing = run("info", path, "--exe", UNPACKED / "no-such-library.so", expect=2).err
    assert "no-such-library.so: No such file" in missing, missing
    assert "libc.so.6" in uses["other files"] and not uses["other files"] & {"app", "libtable.so"}, uses


@test(each=[*HERE, CRASH, CGO])
def all_mappings_add_up(name):
    rows = answer("list", "mappings", core(name))
    equal(sum(row["bytes"] for row in rows), mapped(core(name)), "all")
    uses = collections.Counter()
    for row in rows:
        uses[row["use"]] += row["bytes"]
    memory = {row["use"]: row["bytes"] for row in answer("list", "memory", core(name))}
    equal({use: uses[use] for use in OUTSIDE if use in uses}, {use: memory[use] for use in OUTSIDE if use in memory},
          "memory that is not Go's")
    named = {row["name"] for row in rows if row["use"] == "other files"}
    program = {row["name"] for row in rows if row["use"] == "executable"}
    equal(named | program, {path for _, _, path in files_of(core(name))} or program, "files")
    for use in uses:
        equal(answer("list", "mappings", core(name), use), [row for row in rows if row["use"] == use], use)


def tree_of(rows):
    """Of rows with a depth: each with the rows right below it."""
    above, below = [], []
    for row in rows:
        del above[row["depth"]:]
        below.append((row, []))
        if above:
            above[-1][1].append(row)
        above.append(below[-1])
    return below


RSS = "rss-cgo"


def files_of_case(name):
    if name != RSS:
        return (core(name), *(["--exe", file(name, "exe")] if name == CGO else []))
    return (input_of(f"{CASE}/app.core"), "--exe",
            input_of(f"{CASE}/app"))


@test(each=[*HERE, CGO, RSS], builds=["gcc"])
def parts_of_uses_add_up_to_them(name):
    files = files_of_case(name)
    tree = tree_of(answer("list", "memory", *files, "--depth", "3"))
    plain = answer("list", "memory", *files)
    equal([{key: row[key] for key in plain[0]} for row, _ in tree if row["depth"] == 0], plain, "topmost rows")
    for row, below in tree:
        for key in ("bytes", "resident_bytes") if below else ():
            equal(sum(part[key] or 0 for part in below), row[key] or 0, f"{key} of the parts of {row['use']}")
    parts = {row["use"]: below for row, below in tree}
    names = {part["use"] or "unreachable": (part["bytes"], part["meaning"].split(" ")[0]) for part in parts["objects"]}
    right = answer("sql", *files, "SELECT owner, sum(size) AS bytes, count(*) AS n FROM objects GROUP BY owner")
    right = {row["owner"] or "unreachable": (row["bytes"], f"{row['n']:,}") for row in right}
    more = [name for name in names if name.endswith(" more") and name not in right]
    equal({name: part for name, part in names.items() if name not in more}, {name: right[name] for name in names if name not in more},
          "objects by owner")
    equal(len(names) - len(more) + sum(int(name.split(" ")[0].replace(",", "")) for name in more), len(right), "owners")
    stacks = collections.Counter()
    for row in answer("list", "goroutines", *files):
        stacks[row["function"]] += row["stack_bytes"]
    equal({part["use"]: part["bytes"] for part in parts["goroutine stacks"]}, stacks, "stacks by function")
    slots = {f"slots of {row['slot_size']:,} B": (row["free"], f"{row['n']:,}") for row in answer("sql", *files,
             "SELECT slot_size, sum(free_bytes) AS free, sum(free_slots) AS n FROM spans WHERE free_slots > 0 GROUP BY 1")}
    equal({part["use"]: (part["bytes"], part["meaning"].split(" ")[0]) for part in parts["free slots"]}, slots, "free slots")
    types = {row["type"]: row["bytes"] for row in answer("sql", *files,
             "SELECT type, sum(size) AS bytes FROM objects WHERE NOT reachable GROUP BY 1")}
    below = [(part["use"], part["bytes"]) for part in parts["unreachable"]]
    equal([part for part in below if part[0] not in types or types[part[0]] != part[1]],
          [part for part in below if part[0].endswith(" more")], "unreachable objects by type")
    paths = collections.Counter()
    for row in answer("list", "mappings", *files, *(["other files"] if "other files" in parts else [])):
        paths[row["name"]] += row["bytes"] * (row["use"] == "other files")
    equal({part["use"]: part["bytes"] for part in parts.get("other files", [])}, {path: n for path, n in paths.items() if n}, "files")


@test(each=[*HERE, CRASH, RSS], builds=["gcc"])
def what_is_resident_is_told_or_why_not(name):
    """Only cores that goheapx has written know it; by the kernel's own is the one of the crash."""
    files = files_of_case(name) if name == RSS else (core(name), *(["--exe", file(name, "exe")] if name != CRASH else []))
    shown = run("list", "memory", *files, expect=0)
    rows = answer("list", "memory", *files)
    equal("not recorded in a core file" in shown.err, name != RSS, "the note")
    equal("resident_bytes" in shown.out.splitlines()[0], name == RSS, "the column")
    equal(any(row["resident_bytes"] is not None for row in rows), name == RSS, "numbers")
    assert sum(row["bytes"] for row in rows) > 1 << 20, rows


@test
def memory_of_c_is_recognized():
    """Each thread of a program with cgo but the first has a stack and an arena."""
    rows = answer("list", "mappings", core(CGO))
    stacks = [row for row in rows if row["use"] == "thread stacks"]
    equal([row["bytes"] for row in stacks], [STACK] * (threads_of(core(CGO)) - 1), "stacks")
    parts = collections.Counter(row["name"] for row in rows if row["use"] == "malloc")
    equal(parts, {"malloc, [heap]": 1, "malloc, arena of threads": len(stacks)}, "malloc")


@test(each=[0, 8, 1 << 40, (1 << 64) - 16, 0x291 | 2, 0x291 | 4])
def a_heap_whose_chunks_lie_is_not_called_one(size):
    heap, = (row for row in answer("list", "mappings", core(CGO), "malloc") if "[heap]" in row["name"])
    with changed("chunk", CGO) as (image, path):
        for at in range(8, 0x2020, 8):  # wherever the first chunk may be
            image.put(int(heap["address"], 16) + at, size)
        rows = answer("list", "mappings", path, "--exe", file(CGO, "exe"))
    equal([row["name"] for row in rows if row["address"] == heap["address"]], ["other mappings"], "its name")
    equal(sum(row["bytes"] for row in rows), mapped(core(CGO)), "all")


@test(each=[8, 4096])
def what_is_before_the_first_chunk_is_no_chunk(size):
    """In a static program the thread-local memory of the first thread is there."""
    heap, = (row for row in answer("list", "mappings", core(CGO), "malloc") if "[heap]" in row["name"])
    with changed("before", CGO) as (image, path):
        image.put(int(heap["address"], 16) + 8, size)
        row, = (row for row in answer("list", "mappings", path, "malloc", "--exe", file(CGO, "exe")) if "[heap]" in row["name"])
    equal(row["malloc_chunks"], heap["malloc_chunks"] - 1, "chunks")
    assert 0 < heap["malloc_used"] - row["malloc_used"] <= 0x2000, row


@test(each=[(0, 0), (0, 1 << 63), (16, 4095), (24, 1 << 40), (24, 4096)])
def an_arena_that_lies_is_not_called_one(change):
    offset, value = change
    arena = next(row for row in answer("list", "mappings", core(CGO), "malloc") if "arena" in row["name"])
    with changed("arena", CGO) as (image, path):
        image.put(int(arena["address"], 16) + offset, value)
        rows = answer("list", "mappings", path, "--exe", file(CGO, "exe"))
    equal([row["use"] for row in rows if row["address"] == arena["address"]], ["other mappings"], "its use")
    equal(sum(row["bytes"] for row in rows), mapped(core(CGO)), "all")


def walked(path, start, end):
    """Chunks in use, their bytes, and those of free ones, from a chunk on: malloc.c, "Boundary tags"."""
    count = used = free = 0
    with open(path, "rb") as opened:
        image = Core(opened)
        at, size = start, image.word(start + 8) & ~7
        while end - at >= 32:
            assert 16 <= size <= end - at and size % 16 == 0, hex(at)
            after = image.word(at + size + 8) if end - at - size >= 16 else 0
            count, used, free = (count + 1, used + size, free) if after & 1 else (count, used, free + size)
            at, size = at + size, after & ~7
    return count, used, free


@test(each=[CGO, NEWER], builds=["gcc"])
def chunks_of_malloc_are_counted(name):
    """The heap begins with a chunk; what an arena has before its first one is not counted."""
    path = file(name, "core")
    rows = answer("list", "mappings", path, "malloc", "--exe", file(CGO, "exe"))
    equal(len(rows), 1 + sum(row["name"] == "malloc, arena of threads" for row in rows), "the heap and arenas")
    assert len(rows) > 3, rows
    for row in rows:
        got = row["malloc_chunks"], row["malloc_used"], row["malloc_free"]
        start = int(row["address"], 16)
        if "arena of" not in row["name"]:
            equal(got, walked(path, start, start + row["bytes"]), row["name"])
        else:  # behind heap_info of 48 bytes and malloc_state, aligned: 2.43 has lost 10 lists and a number
            first = start + 48 + (0x840 if name == NEWER else 0x8a0)
            equal(got, walked(path, first, start + row["bytes"]), row["name"])
            equal(got[0], 1, "chunks, of the cache of the thread")


@test(each=[24, 0xffffffff0, 8])
def a_chunk_that_lies_is_not_counted(size):
    heap, = (row for row in answer("list", "mappings", core(CGO), "malloc") if "[heap]" in row["name"])
    arena = next(row for row in answer("list", "mappings", core(CGO), "malloc") if "arena" in row["name"])
    with changed("chunks", CGO) as (image, path):
        first = image.word(int(arena["address"], 16))
        for at in range(0x800, 0x940, 8):
            image.put(first + at, size)
        rows = answer("list", "mappings", path, "--exe", file(CGO, "exe"))
    equal([row["malloc_used"] for row in rows if row["address"] == arena["address"]], [None], "in use")
    equal([row["malloc_used"] for row in rows if row["address"] == heap["address"]], [heap["malloc_used"]], "the heap")


@test(each=[CGO, HERE[0]])
def without_the_names_of_files_the_rest_is_told(name):
    with changed("files", name) as (image, path):
        at, = (at for what, at, _ in image.notes() if what == FILES)
        image.write(at - 12 - 8 + 8, struct.pack("<I", FILES + 1))  # the type, before the name "CORE"
        rows = answer("list", "mappings", path, "--exe", file(name, "exe"))
    before = answer("list", "mappings", core(name))
    equal(sum(row["bytes"] for row in rows), sum(row["bytes"] for row in before), "all")
    for use in ("malloc", "thread stacks", "heap"):
        equal(*([row["address"] for row in these if row["use"] == use] for these in (rows, before)), use)
    equal([row for row in rows if row["use"] == "other files"], [], "files")


def meaning_of_others(*files):
    memory = {row["use"]: row["meaning"] for row in answer("list", "memory", *files)}
    told = run("list", "mappings", *files, expect=0).err
    named = re.search(r"(\w+): its chunks are not read$", memory["other mappings"])
    equal(re.findall(r"^(\w+): its chunks are not read", told, re.M), [named[1]] if named else [], "the note of mappings")
    return named and named[1]


@test(each=[("libjemalloc.so.2", "jemalloc"), ("libtcmalloc_minimal.so.4.5.10", "tcmalloc"),
            ("libmimalloc.so.2.0", "mimalloc"), ("ld-musl-x86_64.so.1", "musl"), ("musl/libc.so", "musl"),
            ("libc.so.6", None), ("libjemalloc.txt", None), ("musl/libm.so", None), ("libjemalloc.so/x", None)])
def allocators_are_recognized_by_the_names_of_libraries(change):
    """That of libc.so.6 in the core file becomes another one of the same length."""
    library, allocator = change
    before = answer("list", "mappings", core(CGO))
    path = next(path for _, _, path in files_of(core(CGO)) if path.endswith("/libc.so.6")).encode()
    name = b"/" + b"l" * (len(path) - 2 - len(library)) + b"/" + library.encode()
    with changed("library", CGO) as (image, changed_path):
        at, size = next((at, size) for what, at, size in image.notes() if what == FILES)
        image.write(at, image.at(at, size).replace(b"\0" + path + b"\0", b"\0" + name + b"\0"))
        files = changed_path, "--exe", file(CGO, "exe")
        equal(meaning_of_others(*files), allocator, "its name")
        rows = answer("list", "mappings", *files)
    equal(sum(row["bytes"] for row in rows), mapped(core(CGO)), "all")
    malloc = [row["address"] for row in before if row["use"] == "malloc"]
    equal([row["address"] for row in rows if row["use"] == "malloc"], [] if allocator == "musl" else malloc, "of glibc")


@test(each=[("mallctl", "jemalloc"), ("_rjem_mallctl", "jemalloc"), ("tc_malloc", "tcmalloc"), ("mi_malloc", "mimalloc"),
            ("__libc_malloc_impl", "musl"), ("__expand_heap", "musl"), ("libc_malloc_impl", None)])
def allocators_are_recognized_by_symbols(change):
    """A function of the program gets the name of one that only the allocator has."""
    symbol, allocator = change
    path = input_of(f"{CASE}/app.core")
    exe = Elf(pathlib.Path(input_of(f"{CASE}/app")).read_bytes())
    offset, size = exe.place(".strtab")
    at = exe.bytes.index(b"\0_cgo_get_context_function\0", offset, offset + size) + 1
    exe.bytes[at : at + len(symbol) + 1] = symbol.encode() + b"\0"
    with tempfile.NamedTemporaryFile(dir=UNPACKED, suffix=".exe") as renamed:
        renamed.write(exe.bytes)
        renamed.flush()
        equal(meaning_of_others(path, "--exe", renamed.name), allocator, "its name")


@test
def there_is_no_such_use():
    assert "is no use of mapped memory" in run("list", "mappings", core(CGO), "nothing", expect=2).err


# ---- A program that has 64 MB by malloc, 48 MB mapped without a file, and a mapped file of 24 MB


def parts_are(rows, truth):
    by_name = collections.defaultdict(int)
    for row in rows:
        by_name[re.sub(r"\[\d+\]", "[*]", row["pointed_from"] or "")] += row["bytes"]
    malloc = by_name["main.t.blocks[*]"] + by_name["main.t.large"]
    assert abs(malloc - truth["malloc_bytes"]) < 2 << 20, by_name  # its small blocks are of 1000 bytes, not of 1024
    blocks = [row for row in rows if (row["pointed_from"] or "").startswith("main.t.blocks")]
    equal(sum(row["pointers"] for row in blocks), BLOCKS, "pointers to blocks")
    assert 0 <= sum(row["malloc_chunks"] for row in blocks) - BLOCKS < 100, blocks
    assert 0 <= sum(row["malloc_used"] for row in blocks) - 1008 * BLOCKS < 1 << 17, blocks
    equal(by_name["main.t.arena"], truth["mmap_bytes"], "mapped without a file")
    equal(by_name["main.t.file"], truth["file_bytes"], "the file")


@test(builds=["gcc"])
def what_variables_point_to_is_named_after_them():
    path = input_of(f"{CASE}/app.core")
    exe = input_of(f"{CASE}/app")
    truth = truth_in(f"{CASE}/program-truth.json")
    parts_are(answer("list", "mappings", path, "--exe", exe), truth)
    rows = answer("list", "findings", path, "--exe", exe)
    found = [row for row in rows if row["kind"] in ("memory", "mapping")]
    equal([row["name"] for row in found[1:]], ["main.t.arena", "main.t.large", "main.t.file", "main.t.blocks[0]"], "rows")
    assert found[0]["bytes"] > sum(truth.values()), found
    malloc, = (row for row in rows if row["kind"] == "malloc")
    mapped_by = answer("list", "mappings", path, "malloc", "--exe", exe)
    free, whole = (sum(row[key] for row in mapped_by) for key in ("malloc_free", "bytes"))
    equal((malloc["what"], malloc["bytes"]), ("malloc of glibc", sum(row["resident_bytes"] for row in mapped_by)), "malloc")
    equal(malloc["name"], f"free: {free / 1024:.1f} KB of {whole / (1 << 20):.1f} MB", "what is free in it")
    equal([row for row in rows if row["kind"] == "allocator"], [], "allocators that are not read")


def resident_of(pid):
    """What the kernel counts: by the name of a mapping, and of all."""
    names, name = collections.Counter(), ""
    with open(f"/proc/{pid}/smaps", encoding="utf-8") as lines:
        for line in lines:
            if re.match(r"[0-9a-f]+-", line):
                name = line.split(maxsplit=5)[5].strip() if len(line.split(maxsplit=5)) > 5 else ""
            elif line.startswith("Rss:"):
                names[name] += int(line.split()[1]) << 10
    return names


@contextlib.contextmanager
def program():
    exe = unpack(stored(f"{CASE}/app"), UNPACKED / "rss-cgo.run")
    folder = UNPACKED / "rss-cgo.files"
    folder.mkdir(exist_ok=True)
    subprocess.run(["chmod", "700", exe], check=True)
    with running(exe, "dump", "truth", says=b"ready\n", cwd=folder, env={"NODUMP": "1"},
                 stdin=subprocess.PIPE) as process:
        yield process, exe, folder


@test(builds=["gcc"])
def a_running_program_has_what_the_kernel_counts():
    may_look()
    path = UNPACKED / "rss-cgo.snapshot"
    with program() as (process, exe, folder):
        run("snapshot", str(process.pid), "-y", "-o", str(path), expect=0)
        right = resident_of(process.pid)
        truth = json.loads((folder / "truth").read_text())
        rows = answer("list", "mappings", path, "--exe", exe)
    parts_are(rows, truth)
    named = {row["name"]: row["resident_bytes"] for row in rows}
    equal(named[str(folder / "table.dat")], right[str(folder / "table.dat")], "the file")
    heap = sum(size for name, size in named.items() if "[heap]" in name)
    assert abs(heap - right["[heap]"]) <= 1 << 16, (heap, right["[heap]"])
    everything = sum(row["resident_bytes"] for row in rows)
    assert abs(everything - sum(right.values())) <= sum(right.values()) // 200, (everything, right)


@test(builds=["gcc"])
def checks_measure_what_is_resident():
    path = input_of(f"{CASE}/app.core")
    exe = input_of(f"{CASE}/app")
    memory = {row["use"]: row["resident_bytes"] for row in answer("list", "memory", path, "--exe", exe)}
    asked = {
        "rss()": sum(size or 0 for size in memory.values()),
        'memory(use = "malloc")': memory["malloc"],
        'memory(use ~ "stacks")': sum(size for use, size in memory.items() if "stacks" in use),
    }
    for what, right in asked.items():
        for relation, status in ((f"= {right}", 0), (f"> {right}", 1)):
            run("check", path, "--exe", exe, "--assert", f"{what} {relation}", expect=status)
    told = run("check", core(HERE[0]), "--assert", "rss() > 0", expect=2).err
    assert "cannot be told" in told, told
    run("check", path, "--exe", exe, "--assert", 'memory(use = "nothing") < 1GB', expect=2)


@test(builds=["gcc"])
def an_address_beside_the_heap_is_named():
    """After the variable, also of C, or the file that is mapped there."""
    path, exe = input_of(f"{CASE}/app.core"), input_of(f"{CASE}/app")
    names = {row["name"]: int(row["address"], 16) for row in answer("list", "mappings", path, "--exe", exe)}
    library = next(name for name in names if "/libc.so" in (name or ""))
    told = run("show", path, hex(names[library]), "--exe", exe, expect=0)
    assert f"is no object: it is in a mapping of {library}." in told.out, told
    told = run("show", path, "0x10", "--exe", exe, expect=1)
    assert "lies at 0x10; the table" in told.err, told
    other, plain = (file("go1.24-park-plain-quiet", kind) for kind in ("core", "exe"))
    listed = subprocess.run(["nm", plain], capture_output=True, text=True, check=True).stdout
    address = int(re.search(r"^(\w+) \w runtime\.mheap_$", listed, re.M)[1], 16)
    told = run("show", other, hex(address + 16), "--exe", plain, expect=0)
    assert "it is in the variable runtime.mheap_+0x10." in told.out, told
