"""Names from the executable: functions, files and lines of frames, global variables, and which
executable is believed. Two of servers are too large to be here: they lie in ../shared/corpus,
and without them their tests are skipped."""

import collections
import functools
import gzip
import json
import lzma
import os
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile

from executables import dump_of, exe_of, truth_of
from harness import ONE, ROOT, UNPACKED, Skip, answer, equal, has_no_symbol, run, test

OTHERS = [
    "go1.15.15-server", "go1.19.8-server", "go1.19.8-small", "go1.21.13-small", "go1.22.12-small",
    "go1.24.4-small-386", "go1.24.4-small-mips", "go1.24.4-small-pie", "go1.24.4-small-s390x",
    "go1.24.4-small-stripped", "go1.26.10-server", "go1.27.3-small",
]
STRIPPED = "go1.24.4-small-stripped"


# ---- Lines


def traceback_of(text):
    """{goroutine: [(function, base name of the file, line), ...]}, innermost first."""
    goroutines = {}
    for block in text.split("\n\n"):
        lines = block.split("\n")
        head = re.match(r"goroutine (\d+) ", lines[0])
        frames = []
        for call, place in zip(lines[1:], lines[2:]):
            at = re.match(r"\t(.*):(\d+)", place)
            if at and not call.startswith(("\t", "created by")):
                function = re.sub(r"\([^()]*\)$", "", call)
                frames.append((function, os.path.basename(at[1]), int(at[2])))
        if head:
            goroutines[int(head[1])] = frames
    return goroutines


def logical_frames(dump, exe, goroutine):
    """The same of the program: every frame, with the calls inlined into it before it."""
    frames = []
    for row in answer("list", "frames", dump, goroutine, "--exe", exe):
        for call in (row["inlined"] or "").split(", "):
            inlined = re.fullmatch(r"(\S+)  (\S+):(\d+)", call)
            if inlined:
                frames.append((inlined[1], inlined[2], int(inlined[3])))
        frames.append((row["function"], row["file"], row["line"]))
    return frames


def some_of_each(stacks):
    """Goroutines with their frames; of those with the same ones, as servers have them, three."""
    seen = collections.Counter()
    for goroutine, frames in stacks.items():
        seen[tuple(frames)] += 1
        if seen[tuple(frames)] <= 3:
            yield goroutine, frames


def compare_lines(name):
    dump, exe, compared = dump_of(name), exe_of(name), 0
    for goroutine, expected in some_of_each(traceback_of(truth_of(name)["Stacks"])):
        # Goroutine 1 went on to write the dump. A traceback leaves out what is in the middle of a
        # deep stack: only functions that are there once can be told apart.
        functions = [frame[0] for frame in expected]
        expected = [f for f in expected if functions.count(f[0]) == 1]
        found = {}
        if goroutine != 1:
            for frame in reversed(logical_frames(dump, exe, goroutine)):
                found.setdefault(frame[0], frame)
        for frame in expected:
            if frame[0] in found:
                equal(found[frame[0]], frame, f"{name}, goroutine {goroutine}")
                compared += 1
    assert compared >= 40, f"only {compared} frames could be compared"


@test
def lines_are_those_of_the_traceback():
    compare_lines(ONE)


@test(each=OTHERS, builds=["gcc"])
def lines_of_other_builds(name):
    compare_lines(name)


@test(each=[ONE, *OTHERS], builds=["gcc"])
def creators_are_those_of_the_traceback(name):
    dump, exe = dump_of(name), exe_of(name)
    listed = answer("list", "goroutines", dump, "--exe", exe)
    rows = {row["id"]: row["created_by"] for row in listed}
    compared = 0
    for block in truth_of(name)["Stacks"].split("\n\n"):
        head = re.match(r"goroutine (\d+) ", block)
        creator = re.search(r"^created by (.*?)( in goroutine \d+)?$", block, re.MULTILINE)
        if head and (creator or head[1] == "1") and int(head[1]) in rows:
            equal(rows[int(head[1])], creator and creator[1], f"creator of goroutine {head[1]}")
            compared += 1
    assert compared >= 10, compared


# ---- Global variables


def compare_globals(name, named=True):
    rows = answer("list", "roots", dump_of(name), "--exe", exe_of(name))
    names = {int(row["address"], 16): row["name"] for row in rows if row["kind"] in ("data", "bss")}
    compared = 0
    for variable, place in (truth_of(name).get("Globals") or {}).items():
        start = int(place["addr"], 16)
        for address in range(start, start + place["size"]):
            if address in names:
                offset = f"+0x{address - start:x}" if address > start else ""
                # The words of a string or an interface are not told apart; those of others have a path.
                is_named = names[address] in (variable, variable + offset) or names[address].startswith(
                    (f"{variable}.", f"{variable}["))
                equal(is_named, named, f"{variable} is {names[address]}")
                compared += 1
    return compared


@test
def globals_have_their_names():
    assert compare_globals(ONE) >= 40


@test(each=[name for name in OTHERS if "-small" in name], builds=["gcc"])
def globals_of_other_builds(name):
    assert compare_globals(name, named=name != STRIPPED) >= 40


@test
def roots_of_one_variable():
    address = truth_of(ONE)["Globals"]["main.gCache"]["addr"]
    rows = answer("list", "roots", dump_of(ONE), "main.gCache", "--exe", exe_of(ONE))
    equal([(row["name"], row["address"]) for row in rows], [("main.gCache", address)], "roots")


@test
def a_path_begins_at_the_variable():
    needle = truth_of(ONE)["Objects"]["needle"]["addr"]
    paths = answer("path", dump_of(ONE), needle, "--exe", exe_of(ONE))
    equal(paths[0][0]["name"], "main.gDeep", "root of the path")


@test
def goto_knows_variables():
    shown = run("--exe", exe_of(ONE), "-e", "goto main.gCache; screen", dump_of(ONE), expect=0)
    assert f"object {truth_of(ONE)['Objects']['map_cache']['addr']}" in shown.out, shown
    unknown = run("--exe", exe_of(ONE), "-e", "goto main.none", dump_of(ONE), expect=1)
    assert "is no address, variable" in unknown.err, unknown


# ---- Which executable is believed


def stripped(folder):
    """The shipped executable, without symbols and DWARF."""
    if not shutil.which("strip"):
        raise Skip("there is no strip, package binutils has it")
    path = pathlib.Path(folder) / "stripped.exe"
    subprocess.run(["strip", "-s", "-o", path, exe_of(ONE)], check=True)
    return path


@test
def a_stripped_executable_is_its_twin():
    with tempfile.TemporaryDirectory() as folder:
        exe = stripped(folder)
        info = answer("info", dump_of(ONE), exe)
        equal(info["executable"], str(exe), "executable")
        frames = answer("list", "frames", dump_of(ONE), 1, "--exe", exe)
        equal(frames, answer("list", "frames", dump_of(ONE), 1, "--exe", exe_of(ONE)), "frames")
        names = {row["name"] for row in answer("list", "roots", dump_of(ONE), "bss", "--exe", exe)}
        assert all(map(has_no_symbol, names)), names


@test(each=[ONE, "go1.19-corner", "go1.27-corner"], builds=["gcc"])
def a_variable_found_without_symbols_is_accepted(name):
    """The variables of the runtime that are known by what stands in them; the symbols say where each of them lies."""
    symbols = {row["address"]: row for row in answer("list", "roots", dump_of(name), "--exe", exe_of(name))}
    rows = [row for row in answer("list", "roots", dump_of(name)) if row["name"].startswith("runtime.") and row["object"]]
    assert len(rows) >= 6, rows
    for row in rows:
        found = answer("show", dump_of(name), row["name"])["address"]
        equal(found, symbols[row["address"]]["object"], row["name"])
        variable = re.match(r"[\w.]+", row["name"])[0]
        assert symbols[row["address"]]["name"].startswith(variable), (row["name"], symbols[row["address"]]["name"])
    lost = run("show", dump_of(name), "runtime.allmm", expect=2).err
    assert "is no address, variable" in lost, lost


@test(each=[ONE, "go1.27-corner"], builds=["gcc"])
def a_word_of_a_stack_without_a_name_is_accepted(name):
    """Such as "main.serve +0x20", of one goroutine and of all that run it."""
    files = (dump_of(name), "--exe", exe_of(name))
    rows = [row for row in answer("list", "roots", *files) if "goroutine" in row["name"] and row["object"]]
    words = [row for row in rows if re.search(r" \+0x[0-9a-f]+$", row["name"])]
    places = [row for row in answer("list", "where", *files) if re.search(r" \+0x[0-9a-f]+$", row["name"])]
    assert len(words) > 1 and places, (len(words), places)
    for row in words[:: len(words) // 20 + 1]:
        equal(answer("show", files[0], row["name"], *files[1:])["address"], row["object"], row["name"])
    for row in places[:20]:
        found = answer("list", "objects", files[0], f"at={row['name']}", *files[1:])
        assert row["example"] in {one["address"] for one in found}, row


@test(builds=["gcc"])
def the_unstripped_twin_of_a_stripped_build():
    """Its data lies some bytes off, since the flags of the build are part of it."""
    dump, twin = dump_of(STRIPPED), exe_of(ONE)
    equal(answer("info", dump, twin)["executable"], twin, "executable")
    rows = answer("list", "roots", dump, "--exe", twin)
    names = {row["address"]: row["name"] for row in rows}
    place = truth_of(STRIPPED)["Globals"]["main.gCache"]["addr"]
    equal(names[place], "main.gCache", "variable")


def refused(dump, exe, why):
    result = run("info", "--json", dump, exe, expect=0)
    info = json.loads(result.out)
    equal(info["executable"], None, "executable")
    assert re.search(why, info["executable_refused"]), info["executable_refused"]
    assert "going on without names" in result.err, result
    listed = run("list", "roots", dump, "bss", "--exe", exe, "--json", expect=0).out
    names = {row["name"] for row in json.loads(listed)}
    assert all(map(has_no_symbol, names)), names


@test(each=["go1.22.12-small", "go1.24.4-small-386", "go1.24.4-small-pie", "go1.19.8-server"])
def another_build_is_refused(name):
    machine = "another kind of machine" if "386" in name else r"\d+ of [\d,]+ frames"
    refused(dump_of(name), exe_of(ONE), machine)


@test
def what_is_no_executable_is_refused():
    told = run("list", "roots", dump_of(ONE), "--exe", "/nonexistent", expect=0).err
    assert "No such file" in told and "going on without names" in told, told
    refused(dump_of(ONE), ROOT / "Makefile", "no ELF executable")
    refused(dump_of(ONE), dump_of(ONE), "heap dump")
    with tempfile.TemporaryDirectory() as folder:
        for magic, why in ((b"MZ\x90\0", "PE"), (b"\xcf\xfa\xed\xfe", "Mach-O")):
            path = pathlib.Path(folder) / "program"
            path.write_bytes(magic + bytes(100))
            refused(dump_of(ONE), path, why + ".*only ELF")


# ---- Where it is found


def segment_of(content, mark=b""):
    """An ELF program of 64 bits with one loaded segment and no sections; the mark stands behind its headers."""
    start = 64 + 56 + len(mark)
    head = struct.pack("<4s5B7x2HI3QI6H", b"\x7fELF", 2, 1, 1, 0, 0, 2, 62, 1, 0x400000 + start, 64, 0, 0, 64, 56, 1, 64, 0, 0)
    size = start + len(content)
    return head + struct.pack("<2I6Q", 1, 5, 0, 0x400000, 0x400000, size, size, 4096) + mark + content


OTHER_PROGRAMS = {  # contents, what stands behind the headers, what is said
    "upx": (b"", b"\xe1;\xab\x89UPX!", "is packed by UPX: unpack it with upx -d"),
    "gccgo": (b"\0__go_init_main\0", b"", "is built by gccgo"),
    "tinygo": (b"\0tinygo_startTask\0", b"", "is built by TinyGo"),
    "none": (b"\0main.main\0", b"", "holds no Go program: it has no table of functions"),
}


@test(each=OTHER_PROGRAMS)
def programs_of_other_compilers_are_called_so(name):
    """The marks are those that upx 3.96 and gccgo 12 write; that of TinyGo is a prefix of its symbols."""
    content, mark, why = OTHER_PROGRAMS[name]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "program"
        path.write_bytes(segment_of(content + bytes(256), mark))
        refused(dump_of(ONE), path, why)


@test(each=["x.dump.exe", "x.exe", "x"])
def it_is_found_beside_the_dump(file):
    with tempfile.TemporaryDirectory() as folder:
        dump, exe = pathlib.Path(folder) / "x.dump", pathlib.Path(folder) / file
        dump.symlink_to(dump_of(ONE))
        exe.symlink_to(exe_of(ONE))
        equal(answer("info", dump)["executable"], str(exe), "executable")


PACKERS = {"xz": functools.partial(lzma.compress, preset=1), "gz": functools.partial(gzip.compress, compresslevel=1)}


@test(each=list(PACKERS))
def it_is_found_beside_the_dump_compressed(suffix):
    with tempfile.TemporaryDirectory() as folder:
        dump, exe = pathlib.Path(folder) / "x.dump", pathlib.Path(folder) / f"x.exe.{suffix}"
        dump.symlink_to(dump_of(ONE))
        exe.write_bytes(PACKERS[suffix](pathlib.Path(exe_of(ONE)).read_bytes()))
        equal(answer("info", dump)["executable"], str(exe), "executable")


@test
def it_is_found_by_the_environment():
    dump, exe = dump_of(ONE), exe_of(ONE)
    for environment, expected in (((), None), ([("GOHEAPX_EXE", exe)], exe)):
        result = run("info", "--json", dump, expect=0, environment=environment)
        equal(json.loads(result.out)["executable"], expected, "executable")


@test
def the_overview_tells_of_it():
    dump = dump_of(ONE)
    for arguments, line in (((), "No executable"), (("--exe", exe_of(ONE)), "all 455 frames")):
        assert line in run(*arguments, "-e", "wait all; accounts; screen", dump, expect=0).out, line
        assert line in run("info", *arguments, dump, expect=0).out, line
