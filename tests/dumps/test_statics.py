"""Variables of C, of a library and of the program itself, are its static data: where nm says, what nm says."""

import json
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile

from executables import exe_from, strip
from harness import Skip, answer, equal, run, test
from live import may_look, running
from toolchains import building

FOLDER = pathlib.Path(__file__).parent
NAMED, PAGE = 4096, 4096  # the least that has a row of its own; of memory
REST = "static data"  # without a symbol
LOAD, RELRO, WRITABLE = 1, 0x6474E552, 2
WAYS = {  # options of go and of gcc
    "plain": ((), ()), "pie": (("-buildmode=pie",), ()), "stripped": ((), ()), "no build id": ((), ("-Wl,--build-id=none",)),
}


def library(folder, *options):
    path = folder / "libcstatics.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", *options, "-o", path, FOLDER / "cstatics.c"], check=True)
    return path


def built(way, folder):
    """The program and its library, in a folder."""
    building(True)
    path = library(folder, *WAYS[way][1])
    exe = folder / "cstatics"
    shutil.copy(exe_from(FOLDER / "cstatics.go", *WAYS[way][0], CGO_ENABLED="1",
                         CGO_LDFLAGS=f"-L{folder} -lcstatics -Wl,-rpath,$ORIGIN", CGO_LDFLAGS_ALLOW=".*"), exe)
    if way == "stripped":
        for file in exe, path:
            file.write_bytes(strip(file))
    return exe, path


def place_of(pid, path):
    """Where a file begins in the memory of a process, less the address that the linker gave it."""
    lines = pathlib.Path("/proc", str(pid), "maps").read_text(encoding="utf-8").splitlines()
    begin, = (int(line.split("-")[0], 16) for line in lines if line.endswith(str(path)) and line.split()[2] == "00000000")
    return begin - min(start for kind, _, start, _ in headers_of(path) if kind == LOAD) // PAGE * PAGE


def headers_of(path):
    content = path.read_bytes()
    table, = struct.unpack_from("<Q", content, 32)
    count, = struct.unpack_from("<H", content, 56)
    for n in range(count):
        kind, flags, _, start, _, _, size, _ = struct.unpack_from("<IIQQQQQQ", content, table + 56 * n)
        yield kind, flags, start, size


def writable(path, place):
    """Begin and end of what a library may write."""
    (begin, size), = ((start, size) for kind, flags, start, size in headers_of(path) if kind == LOAD and flags & WRITABLE)
    relro = sum(start + size for kind, _, start, size in headers_of(path) if kind == RELRO)
    return max(begin, relro) + place, (begin + size + place + PAGE - 1) // PAGE * PAGE


def symbols(path, *options):
    """Variables of C as nm tells them: name, address, size."""
    out = subprocess.run(["nm", "-S", *options, path], capture_output=True, encoding="utf-8", check=True).stdout
    rows = (line.split() for line in out.splitlines())
    return [(row[3], int(row[0], 16), int(row[1], 16)) for row in rows
            if len(row) == 4 and row[3].startswith(("own_", "library_"))]


def expected(way, exe, path, pid):
    """Rows of variables with names, and all of the library."""
    files = {"plain": (exe, path), "pie": (exe, path), "stripped": (path,), "no build id": (exe,)}[way]
    rows = {}
    for file in files:
        for name, address, size in symbols(file, *["-D"] * (way == "stripped")):
            if size >= NAMED:
                rows[f"{name} of {file}"] = (address + place_of(pid, file), size, size)
    return rows, writable(path, place_of(pid, path))


def rows_of(core):
    """Asked anew, as the files beside it change."""
    rows = json.loads(run("list", "mappings", str(core), "static data", "--json", expect=0).out)
    return {row["name"]: (int(row["address"], 16), row["bytes"], row["resident_bytes"]) for row in rows}


@test(each=WAYS, builds=["gcc"])
def variables_of_c_are_named(way):
    may_look()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(os.path.realpath(name))
        exe, path = built(way, folder)
        core = folder / "core"
        with running(exe, says=b"ready\n", stdin=subprocess.PIPE) as process:
            right, (begin, end) = expected(way, exe, path, process.pid)
            run("snapshot", str(process.pid), "-y", "-o", core, expect=0)
            live = rows_of(process.pid)
        rows = rows_of(core)
        equal({name: row for name, row in rows.items() if not name.startswith(REST)}, right, "variables")
        equal(live, rows, "the process itself")
        of_library = [row for name, row in rows.items() if name.endswith(str(path))]
        equal(sum(size for _, size, _ in of_library), end - begin, "all of the library")
        equal(min(at for at, _, _ in of_library), begin, "its begin")
        own = sum(size for name, (_, size, _) in rows.items() if name.endswith(str(exe)))
        assert 0 <= own - (9 << 20) - (104 << 10) - 1024 < 4 * PAGE, own
        check_sums(core, rows, way)
        out = folder / "redacted"
        run("redact", core, "-o", out, expect=0)
        equal(rows_of(out), rows, "redacted")
        check_others(core, path, rows)


def check_sums(core, rows, way):
    uses = {row["use"]: row for row in answer("list", "memory", core)}
    equal((uses["static data"]["bytes"], uses["static data"]["resident_bytes"]),
          tuple(sum(row[n] for row in rows.values()) for n in (1, 2)), "the use")
    for use in "other mappings", "executable", "rest of the runtime":
        assert uses[use]["resident_bytes"] < 3 << 20, (use, uses[use])
    own, = (row for row in answer("list", "mappings", core, "static data")
            if row["name"].startswith(f"{REST} of {core.parent}/cstatics" if way == "stripped" else "own_large of ")
            and not row["name"].endswith(".so"))
    equal((bool(own["pointers"]), own["pointed_from"]), (True, None if way == "stripped" else "main._Cvar_own_large"),
          "what points to it")


def check_others(core, path, rows):
    """Without the library, and with another build in its place, nothing of it but its path has a name."""
    path.unlink()
    missing = rows_of(core)
    of_library = {name: row for name, row in missing.items() if name.endswith(f" of {path}")}
    equal(set(of_library), {f"{REST} of {path}"}, "without it")
    rest = {name: row for name, row in rows.items() if not name.endswith(f" of {path}")}
    equal({name: row for name, row in missing.items() if name not in of_library}, rest, "others")
    equal(sum(row[1] for row in missing.values()), sum(row[1] for row in rows.values()), "bytes")
    library(path.parent, "-DBYTES=(5<<20)")
    equal(rows_of(core), missing, "another build")


@test(builds=["gcc"])
def damaged_headers_make_no_static_data():
    """What a header says that the memory does not bear out is not believed, and all mappings still add up."""
    may_look()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(os.path.realpath(name))
        exe, path = built("plain", folder)
        core = folder / "core"
        with running(exe, says=b"ready\n", stdin=subprocess.PIPE) as process:
            run("snapshot", str(process.pid), "-y", "-o", core, expect=0)
        whole = sum(row["bytes"] for row in answer("list", "mappings", core))
        content = core.read_bytes()
        header = path.read_bytes()[:64]
        at = content.find(header)
        if at < 0:
            raise Skip("the snapshot has no headers of libraries")
        for place, value in ((54, b"\xff\xff"), (56, b"\xff\xff"), (32, b"\xff" * 8), (0, b"\0"), *of_segments(header, content, at)):
            changed = bytearray(content)
            changed[at + place : at + place + len(value)] = value
            core.write_bytes(changed)
            rows = answer("list", "mappings", core)
            equal(sum(row["bytes"] for row in rows), whole, f"all, with {value} at {place}")


def of_segments(header, content, at):
    """Sizes and addresses of the segments that no process has."""
    table, = struct.unpack_from("<Q", header, 32)
    count, = struct.unpack_from("<H", header, 56)
    for n in range(count):
        start = table + 56 * n
        kind, flags = struct.unpack_from("<II", content, at + start)
        if kind == RELRO or kind == LOAD and flags & WRITABLE:
            for value in (2**64 - 1, 2**63, 1 << 40):
                yield from ((start + member, struct.pack("<Q", value)) for member in (16, 40))
