"""Redacted dumps and core files: nothing of the program's contents is in them, and everything else is as before."""

import base64
import functools
import gzip
import os
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile

import harness
from core_files import file as core_file
from cores import LOAD, NOTE, changed, core_and_exe
from elf import Elf
from executables import exe_from, exe_of
from harness import ONE, Skip, answer, equal, run, test, unpacked
from live import PARK, may_look, on_a_small_device, parked
from program import Program

SOURCE = pathlib.Path(__file__).with_name("canaries.go")
WORD = "kanarie"
CASES = ("map-collections-1.22", "syncmap-1.22", "timers-owner-1.26", "generic-shape-1.26")
# kinds of places in canaries.go
EVERYWHERE = "sakvwpoxqelCPgbST"
NUMBERS = "cV2LWEiy"


def forms():
    """The word as it may stand in a file."""
    yield from (WORD.encode(code) for code in ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"))
    yield WORD[::-1].encode()
    for shift in range(3):
        packed = base64.b64encode(b"\0" * shift + WORD.encode())
        yield packed[(0, 2, 3)[shift]: -4 if (shift + len(WORD)) % 3 else None]


def canaries(path):
    """How often the word is in a file, in any form, or with zeros between."""
    data = pathlib.Path(path).read_bytes()
    dense = data.translate(None, b"\0")
    data = re.sub(rb"\0{64,}", bytes(64), data)  # a core file has many zeros; no form has as many in a row
    return sum(data.count(form) for form in forms()) + dense.count(WORD.encode())


def kinds(path):
    data = pathlib.Path(path).read_bytes()
    return {chr(kind) for kind in set(re.findall(WORD.encode() + b"([A-Za-z0-9])", data.translate(None, b"\0")))
            for kind in kind}


@functools.lru_cache(maxsize=None)
def program():
    """The program with its dump, a core file of it, and a redacted snapshot of the same process."""
    may_look()
    exe = exe_from(SOURCE)
    folder = pathlib.Path(exe).parent
    dump, core, snapshot = (str(folder / name) for name in ("canaries.dump", "canaries.core", "snapshot.core"))
    with subprocess.Popen([exe, dump, f"{WORD}A0001"], env={"SECRET": f"{WORD}N0001"}, cwd="/", stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout.readline() == b"{}\n", "it has ended"
        run("snapshot", str(process.pid), "-y", "-o", core, expect=0)
        run("snapshot", str(process.pid), "-y", "--redact", "-o", snapshot, expect=0)
        process.stdin.close()
    return dump, core, snapshot, exe


@test(builds=["gcc"])
def no_canary_survives():
    dump, core, snapshot, exe = program()
    equal(set(EVERYWHERE + NUMBERS) - kinds(dump), set(), "kinds of places in the dump as it was")
    equal(set(EVERYWHERE + NUMBERS + "ANBnrf") - kinds(core), set(), "kinds of places in the core file as it was")
    assert canaries(dump) > 1000 and canaries(core) > 1000
    equal(canaries(snapshot), 0, "in a redacted snapshot")
    with tempfile.TemporaryDirectory() as folder:
        for path, words in ((dump, ["--exe", exe]), (core, ["--exe", exe]), (dump, ["--exe", "/dev/null"])):
            out = os.path.join(folder, "out")
            run("redact", path, *words, "-o", out, expect=0)
            equal(canaries(out), 0, f"in {path}, redacted")
            again = os.path.join(folder, "again")
            run("redact", out, *words, "-o", again, expect=0)
            equal(os.path.getsize(again), os.path.getsize(out), "it says once that it is redacted")
            equal(canaries(again), 0, "redacted twice")


@test(builds=["gcc"])
def a_debugger_opens_the_core_file():
    if not shutil.which("gdb"):
        raise Skip("there is no gdb, package gdb has it")
    _, _, snapshot, exe = program()
    told = subprocess.run(["gdb", "-nx", "-batch", "-ex", "thread apply all bt", exe, snapshot], capture_output=True,
                          text=True, check=False).stdout
    assert "main.spin (" in told and "main.main.func1" in told, told
    assert WORD not in told


def inputs():
    yield "go1.24.4-small"
    yield "raftkv-go1.19"
    yield "go1.19-corner"
    yield "go1.24-park-plain-quiet.core"
    yield "go1.24-park-arm64-quiet.core"
    yield "go1.27-corner"
    yield "go1.26-park-stripped-quiet.core"
    yield from CASES


def opened(name):
    if name.endswith(".core"):
        return core_file(name[:-5], "core"), core_file(name[:-5], "exe")
    if name.startswith("raftkv"):
        return harness.real_files(name)[0], exe_of(name)
    if name in CASES:
        return tuple(harness.input_of(f"cases/{name}/app{end}") for end in (".dump", ""))
    return unpacked(name), exe_of(name)


def tables_of(path, exe, *words):
    """What `export --format tables` writes of each table, without what tells the file itself."""
    with tempfile.TemporaryDirectory() as folder:
        run("export", path, "--exe", exe, "--format", "tables", "--no-cache", "-o", os.path.join(folder, "all"), *words, expect=0)
        made = pathlib.Path(folder, "all").glob("*/*.csv")
        return {file.name: re.sub(rb"(?m)^[^,]*,[^,]*,[^,]*,", b"", file.read_bytes()) for file in made
                if file.name not in ("dumps.csv", "info.csv", "records.csv", "notes.csv")}


@test(each=list(inputs()), builds=["gcc"], most=4)
def a_redacted_file_answers_as_the_hidden_original(name):
    path, exe = opened(name)
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, os.path.basename(path))
        run("redact", path, exe, "-o", out, expect=0)
        now, hidden = tables_of(out, exe), tables_of(path, exe, "--redact")
        assert len(now) > 20 and all(name in now for name in ("types.csv", "owners.csv", "goroutines.csv")), sorted(now)
        equal([table for table in now.keys() | hidden.keys() if now.get(table) != hidden.get(table)], [], "tables that differ")
        told, hidden, plain = (answer("info", *words) for words in (
            (out, "--exe", exe), (path, "--exe", exe, "--hide"), (path, "--exe", exe)))
        equal((told["redacted"], hidden["redacted"], plain["redacted"]), (True, True, False), "says so")
        equal((told["whole"], told["complete"]), (plain["whole"], plain["complete"]), "damage")
        same = ("objects", "bytes", "reachable_objects", "reachable_bytes", "roots", "goroutines", "references")
        equal({key: told.get(key) for key in same}, {key: plain.get(key) for key in same}, "against the original")
        # Unused parts are told by contents, and so are types that only guesses give, in a stripped program.
        found = [{(row["kind"], row["what"], row["count"]) for row in answer("list", "findings", *words)
                  if row["kind"] not in ("duplicates", "unused parts", "unused capacity", *(["place"] if "stripped" in name else []))}
                 for words in ((out, "--exe", exe), (path, "--exe", exe))]
        equal(found[1] - found[0], set(), "findings of the original that are missing")
        by_address = [{row["address"]: row["retained_bytes"] for row in answer("list", "dominators", *words)}
                      for words in ((out, "--exe", exe), (path, "--exe", exe))]
        equal(by_address[0], by_address[1], "retained sizes")
        waits = [[(row["id"], row.get("lost")) for row in answer("list", "lost", *words)]
                 if run("list", "lost", *words).status == 0 else [] for words in ((out, "--exe", exe), (path, "--exe", exe))]
        equal(waits[0], waits[1], "goroutines that can never wake up")


def redacted(core, exe, *words):
    """What `info` tells of a redacted copy, in which there is no canary."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.core")
        run("redact", core, exe, *words, "-o", out, expect=0)
        equal(canaries(out), 0, "canaries in the copy")
        told = answer("info", out, "--exe", exe)
        equal(told["redacted"], True, "says so")
        return told


@test(builds=["gcc"])
def what_c_code_wrote_goes():
    """In every word that is zero in memory of C code: it is looked for structures of malloc."""
    name = "go1.24-modes-cgopie"
    exe = core_file(name, "exe")
    core_file(name, "core")
    rows = answer("list", "mappings", core_file(name, "core"), "--exe", exe)
    uses = ("first stack", "thread stacks", "malloc", "other mappings")
    ranges = [(int(row["address"], 16), row["bytes"]) for row in rows if row["use"] in uses]
    with changed("canaries", name) as (core, path):
        count = 0
        for kind, _, at, start, _, size, _, _ in core.parts:
            for first, length in ranges if kind == LOAD else ():
                low, high = max(first, start), min(first + length, start + min(size, 1 << 20))
                if low >= high:
                    continue
                old = core.at(at + low - start, high - low)
                new = b"".join(old[i:i + 8] if any(old[i:i + 8]) else WORD.encode() + b"M" for i in range(0, len(old), 8))
                count += new != old
                core.write(at + low - start, new)
        assert count > 10 and canaries(path) > 10_000, count
        redacted(path, exe)


@test(builds=["gcc"])
def variables_of_a_stripped_program_go():
    """Among them its allocation profile is looked for."""
    exe = core_and_exe()[1]
    elf = Elf(pathlib.Path(exe).read_bytes())
    start, _, size = elf.header(elf.number[".noptrbss"])[3:6]
    with changed("canaries") as (core, path):
        core.write(core.offset(start + size - 512), (WORD.encode() + b"N") * 64)
        equal(canaries(path) >= 64, True, "canaries in the variables")
        redacted(path, exe)


def with_notes(data, notes):
    """A core file with more notes: (name, type, content), padded by canaries."""
    start, count = struct.unpack_from("<Q", data, 32)[0], struct.unpack_from("<H", data, 56)[0]

    def padded(field):
        return field + WORD.encode()[:-len(field) % 4]

    made = b"".join(struct.pack("<III", len(name), len(content), kind) + padded(name) + padded(content)
                    for name, kind, content in notes)
    made += WORD.encode()
    more = struct.pack("<IIQQQQQQ", NOTE, 0, len(data), 0, 0, len(made), 0, 4)
    table = bytearray(data[start:start + 56 * count] + more)
    for at in range(0, len(table), 56):
        table[at + 24:at + 32] = WORD.encode() + b"p"
    return data[:32] + struct.pack("<Q", len(data) + len(made)) + data[40:56] + struct.pack("<H", count + 1) + data[58:] + made + table


@test(builds=["gcc"])
def nothing_of_the_notes_is_left():
    """Of no owner and no type, and not between them: threads, registers, the name that the program gave itself."""
    path, exe = opened("go1.24-park-plain-quiet.core")
    word = WORD.encode()
    long = word * 100
    notes = [(owner, kind, content) for owner in (b"CORE\0", b"LINUX\0", b"goheapx\0", b"GDB\0", b"GNU\0", word + b"xyz\0")
             for kind, content in (
                 (1, bytes(112) + long), (2, long), (3, bytes(40) + word + b"f\0" + long), (4, long), (0x46e62b7f, long),
                 (0x202, long), (0x53494749, bytes(16) + long), (0x46494c45, struct.pack("<QQ", 99, 4096) + long),
                 (6, struct.pack("<QQQQ", 25, 0x1000, 0, 0) + long), (0x12345, long), (0, word))]
    with tempfile.TemporaryDirectory() as folder:
        core = os.path.join(folder, "notes.core")
        pathlib.Path(core).write_bytes(with_notes(pathlib.Path(path).read_bytes(), notes) + long)
        assert canaries(core) > 1000
        told, before = redacted(core, exe), answer("info", core, "--exe", exe)
        equal([told[key] for key in ("objects", "goroutines")], [before[key] for key in ("objects", "goroutines")], "as before")


@test(builds=["gcc"])
def the_oldest_dumps_say_so():
    path = harness.ROOT / "tests" / "fuzz" / "regress" / "tables" / "object_of_2_to_the_63"
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.dump")
        run("redact", str(path), "-o", out, expect=0)
        told = answer("info", out)
        equal((told["format"], told["redacted"]), ("go1.3-early", True), "format, and whether it says so")


@test(builds=["gcc"])
def it_says_what_cannot_be_told():
    path, exe = opened("go1.24.4-small")
    for words in ("list", "duplicates"), ("find", "--limit", "1"):
        result = run(words[0], *([words[1], path] if words[0] == "list" else [path, "abc"]), "--exe", exe, "--hide")
        equal((result.status, result.out), (1, ""), result.err)
        assert "what was in its objects cannot be told" in result.err, result.err
    assert "[redacted]" in run("-e", "wait all", path, "--exe", exe, "--hide", expect=0).out


@test(builds=["gcc"])
def the_explorer_writes_the_same_copy():
    """Compressed as its name says; never over a file."""
    path, exe = opened("go1.24.4-small")
    with tempfile.TemporaryDirectory() as folder:
        want, mine, packed = (os.path.join(folder, name) for name in ("want.dump", "mine.dump", "mine.dump.gz"))
        run("redact", path, exe, "-o", want, expect=0)
        run("-e", f"wait names; redact {mine}", path, "--exe", exe, expect=0)
        run("-e", f"wait names; redact {packed}", path, "--exe", exe, expect=0)
        whole = pathlib.Path(want).read_bytes()
        equal(pathlib.Path(mine).read_bytes() == whole, True, "the copy")
        equal(gzip.decompress(pathlib.Path(packed).read_bytes()) == whole, True, "the compressed copy")
        for command, why in ((f"redact {mine}", "is there already"), ("redact", "Say which file"),
                             (f"redact {folder}/none/x", "cannot be written")):
            result = run("-e", f"wait names; {command}", path, "--exe", exe, expect=1)
            assert why in result.err, result.err
        log = harness.TESTDATA / "netcf/small.gclog"
        result = run("-e", f"wait all; redact {folder}/x", log, expect=1)
        assert "cannot be redacted" in result.err, result.err
        equal(sorted(os.listdir(folder)), ["mine.dump", "mine.dump.gz", "want.dump"], "files")


@test(builds=["gcc"])
def an_export_has_no_texts():
    dump, _, _, exe = program()
    with tempfile.TemporaryDirectory() as folder:
        for form in "hprof", "heapsnapshot", "sqlite":
            plain, hidden = (os.path.join(folder, f"{name}.{form}") for name in ("plain", "hidden"))
            run("export", dump, "--exe", exe, "-o", plain, expect=0)
            run("export", dump, "--exe", exe, "--redact", "-o", hidden, expect=0)
            equal(canaries(hidden), 0, form)
            assert form != "hprof" or canaries(plain), form


@test(builds=["gcc"])
def what_is_behind_damage_is_left_out():
    path, exe = opened("go1.24.4-small")
    data = pathlib.Path(path).read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        cut, out = os.path.join(folder, "cut.dump"), os.path.join(folder, "out.dump")
        pathlib.Path(cut).write_bytes(data[: len(data) // 2])
        told = run("redact", cut, exe, "-o", out, expect=0).out
        assert re.search(r"\d bytes? after damage (is|are) left out", told), told
        assert os.path.getsize(out) <= len(data) // 2 + 40
        info = answer("info", out, "--exe", exe)
        equal((info["redacted"], info["complete"]), (True, False), "redacted, and cut as before")
        equal(info["objects"], answer("info", cut, "--exe", exe)["objects"], "objects before the damage")


@test(builds=["gcc"])
def no_half_file_is_left():
    path, exe = opened("go1.24.4-small")
    with tempfile.TemporaryDirectory() as folder:
        copy, text = os.path.join(folder, "copy.dump"), os.path.join(folder, "text")
        pathlib.Path(copy).write_bytes(pathlib.Path(path).read_bytes())
        pathlib.Path(text).write_text("no dump\n")
        for words, why in (((copy, exe, "-o", copy), "would be overwritten"),
                           ((copy, exe), "Name the file to write with -o"),
                           ((text, "-o", os.path.join(folder, "out")), "text: "),
                           ((copy, exe, "-o", os.path.join(folder, "none", "out")), "cannot be written"),
                           (("/proc/4194305", "-o", os.path.join(folder, "out")), "/proc/4194305")):
            result = run("redact", *words)
            equal(result.status, 2, words)
            assert why in result.err, result.err
        equal(sorted(os.listdir(folder)), ["copy.dump", "text"], "files")
        equal(pathlib.Path(copy).read_bytes() == pathlib.Path(path).read_bytes(), True, "the input is as it was")


@test(builds=["gcc"])
def a_full_disk():
    told = on_a_small_device("redacted", "64k", "snapshot", "PID", "-y", "--redact", "-o", "FOLDER/x")
    assert "No space left on device" in told.stderr, told


@test(builds=["gcc"])
def the_plain_copy_of_a_process_is_on_no_disk():
    may_look()
    if not shutil.which("strace"):
        raise Skip("there is no strace, package strace has it")
    with parked(PARK[0], "quiet") as process, tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "trace")
        subprocess.run(["strace", "-f", "-e", "trace=openat,memfd_create", "-o", trace, harness.PROGRAM, "snapshot", "-y",
                        "--redact", str(process.pid), "-o", os.path.join(folder, "x.core")], check=True,
                       capture_output=True)
        opened_files = pathlib.Path(trace).read_text()
    assert "memfd_create" in opened_files
    written = re.findall(r'openat\([^"]*"([^"]*)", [^)]*O_(?:RDWR|WRONLY)', opened_files)
    equal([name for name in written if not name.startswith(("/proc/", folder))], [], "files that are written")


@test(builds=["gcc"])
def a_filter_on_what_is_zero_says_so():
    """Fields, texts and keys are zero in a redacted file: that no row matches proves nothing. Sizes are as before."""
    files = (unpacked("go1.24.4-small"), "--exe", exe_of("go1.24.4-small"))
    told = "The file is redacted: what was in its objects cannot be told."
    for words, contents in ((("objects", "--where", ".value = 987654"), True), (("objects", "--where", "size = 3"), False),
                            (("types", "--where", "nosuchword"), True), (("find", "a", "--where", "text = b"), None)):
        out, plain = (run("list", *words[:1], *files[:1], *words[1:-2], *words[-2:], *files[1:], *hide) for hide in (("--hide",), ()))
        if contents is None:
            assert "redacted" in out.err, out
            continue
        equal((told in out.err, "No row matches." in out.err), (contents, True), words)
        equal((told in plain.err, "No row matches." in plain.err), (False, True), words)


def number(value, width):
    """A number of a dump's record, in as many bytes."""
    return bytes(value >> 7 * i & 0x7F | (0x80 if i + 1 < width else 0) for i in range(width))


def constant_text(exe):
    """A text constant of a program: the address of its header, and the text."""
    program = Program(exe, "go1.24")
    _, _, start, offset, size = program.named[".rodata"]
    for at in range(0, size - 16, 8):
        address, length = struct.unpack_from("<QQ", program.raw, offset + at)
        if start <= address < start + size and 4 <= length < 40:
            text = program.raw[offset + address - start :][:length]
            if text.isalpha():
                return start + at, text.decode()
    raise AssertionError("there is none")


@test(each=["with", "without"], builds=["gcc"])
def which_constant_a_panic_has_is_not_told(each):
    """A panic of a constant text shows it; no redacted copy tells which it is, with and without the executable."""
    exe = exe_of(ONE)
    at, text = constant_text(exe)
    whole = bytearray(pathlib.Path(unpacked(ONE)).read_bytes())
    row = next(row for row in answer("list", "records", unpacked(ONE), "panic") if "type 0x4e0c00" in row["text"])
    place = bytes(whole).index(number(int(row["text"].split(" at ")[1].split(",")[0], 16), 6), row["offset"])
    assert place < row["offset"] + row["length"], row
    whole[place : place + 6] = number(at, 6)
    panics = lambda path: [r for r in answer("list", "panics", path, "--exe", exe) if r["value_type"] == "string"]
    with tempfile.TemporaryDirectory() as folder:
        file, copy = pathlib.Path(folder, "a.dump"), pathlib.Path(folder, "b.dump")
        file.write_bytes(whole)
        assert f'"{text}"' in [r["text"] for r in panics(file)], (text, panics(file))
        run("redact", file, *(["--exe", exe] if each == "with" else []), "-o", copy, expect=0)
        told = panics(copy)
        assert hex(at) not in [r["data"] for r in told] and f'"{text}"' not in [r["text"] for r in told], told
        equal(answer("list", "warnings", copy, "--exe", exe), [], "warnings")
