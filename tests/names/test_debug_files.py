"""Separate debug files: what a stripped executable and its debug file tell is what the executable told before, wherever
the debug file lies; one of another build, a damaged or a hostile one is not used, and a sentence says why."""

import json
import lzma
import pathlib
import re
import shutil
import subprocess
import tempfile
import zlib

from elf import Elf
from executables import dump_of, exe_of
from harness import ONE, TESTDATA, UNPACKED, Skip, equal, has_no_symbol, run, test, unpack

CORE = "go1.19-park-plain-quiet"  # without a build id of GNU


def tool(*arguments):
    if not shutil.which(arguments[0]):
        raise Skip(f"there is no {arguments[0]}, package binutils has it")
    subprocess.run(arguments, check=True, capture_output=True)


def core_of(suffix):
    return unpack(TESTDATA / "core" / f"{CORE}{suffix}.xz", UNPACKED / "debug" / f"{CORE}{suffix}")


def split(exe, folder, *options):
    """FOLDER/server, stripped, with a link to FOLDER/server.debug."""
    folder.mkdir(parents=True, exist_ok=True)
    stripped, debug = folder / "server", folder / "server.debug"
    tool("objcopy", "--only-keep-debug", *options, exe, debug)
    tool("objcopy", "--strip-all", f"--add-gnu-debuglink={debug}", exe, stripped)
    return stripped, debug


def build_id(exe):
    content = pathlib.Path(exe).read_bytes()
    at = content.index(b"\4\0\0\0\x14\0\0\0\3\0\0\0GNU\0") + 16
    return content[at : at + 20].hex()


def asked(dump, *arguments, environment=()):
    """What depends on symbols and on DWARF: variables, types, the variables of frames, owners."""
    return [
        json.loads(run(*question, "--json", "--no-cache", *arguments, expect=0, environment=environment).out)
        for question in (("list", "roots", dump), ("top", dump), ("list", "types", dump), ("list", "slots", dump, "1"))
    ]


def info(dump, *arguments, environment=()):
    result = run("info", dump, "--json", *arguments, expect=0, environment=environment)
    return json.loads(result.out), result.err


def in_folder(check):
    with tempfile.TemporaryDirectory() as folder:
        return check(pathlib.Path(folder))


PLACES = {
    "beside the executable": "{exe}/server.debug",
    "in .debug": "{exe}/.debug/server.debug",
    "beside the dump": "{dump}/x.debug",
    "beside the dump, packed": "{dump}/x.debug.xz",
    "by build id": "{root}/.build-id/{id}.debug",
    "by the path of the executable": "{root}{exe}/server.debug",
    "by option": "{root}/named",
}


@test(each=list(PLACES))
def it_is_found(place):
    def check(folder):
        stripped, debug = split(exe_of(ONE), folder / "made")
        number = build_id(exe_of(ONE))
        exe, dump = folder / "exe" / "server", folder / "dump" / "x.dump"
        for path in exe, dump:
            path.parent.mkdir()
        shutil.copy(stripped, exe)
        dump.symlink_to(dump_of(ONE))
        at = PLACES[place].format(exe=exe.parent, dump=dump.parent, root=folder / "root", id=f"{number[:2]}/{number[2:]}")
        pathlib.Path(at).parent.mkdir(parents=True, exist_ok=True)
        if at.endswith(".xz"):
            pathlib.Path(at).write_bytes(lzma.compress(debug.read_bytes(), preset=1))
        else:
            shutil.copy(debug, at)
        named = ["--debug-file", at] if place == "by option" else []
        environment = [("GOHEAPX_DEBUG_DIR", folder / "root")]
        told, err = info(dump, "--exe", exe, *named, environment=environment)
        equal((told["debug_file"], told["debug_file_refused"], err), (at, None, ""), "debug file")
        equal(
            asked(dump, "--exe", exe, *named, environment=environment), asked(dump_of(ONE), "--exe", exe_of(ONE)),
            "answers",
        )

    in_folder(check)


@test(each=[(), ("--compress-debug-sections",), ("--decompress-debug-sections",)])
def a_core_file_has_all_names(options):
    def check(folder):
        stripped, _ = split(core_of(".exe"), folder, *options)
        equal(asked(core_of(".core"), "--exe", stripped), asked(core_of(".core"), "--exe", core_of(".exe")), "answers")

    in_folder(check)


def refuse(folder, stripped, debug, why):
    """Named or found, it is not used, and the answers are those of the stripped executable."""
    alone = folder / "alone"
    alone.mkdir(exist_ok=True)
    shutil.copy(stripped, alone / "program")
    shutil.copy(debug, folder / "other")
    told, err = info(dump_of(ONE), "--exe", alone / "program", "--debug-file", folder / "other")
    equal(told["debug_file"], None, "debug file")
    for sentence in told["debug_file_refused"], err:
        assert re.search(why, sentence), sentence
    roots = asked(dump_of(ONE), "--exe", alone / "program", "--debug-file", folder / "other")[0]
    roots = [row for row in roots if row["kind"] == "bss"]
    assert all(has_no_symbol(row["name"]) for row in roots), roots


@test
def of_another_build():
    def check(folder):
        stripped, _ = split(exe_of(ONE), folder)
        refuse(folder, stripped, split(core_of(".exe"), folder / "core")[1], "of another build: its build id is")

    in_folder(check)


@test
def a_build_id_that_leads_elsewhere():
    def check(folder):
        stripped, _ = split(exe_of(ONE), folder / "one")
        exe = shutil.move(stripped, folder / "program")
        number = build_id(exe_of(ONE))
        link = folder / ".build-id" / number[:2] / f"{number[2:]}.debug"
        link.parent.mkdir(parents=True)
        link.symlink_to(split(core_of(".exe"), folder / "core")[1])
        told, err = info(dump_of(ONE), "--exe", exe, environment=[("GOHEAPX_DEBUG_DIR", folder)])
        equal(told["debug_file"], None, "debug file")
        assert "of another build" in told["debug_file_refused"] and "of another build" in err, told

    in_folder(check)


@test
def another_checksum():
    def check(folder):
        stripped, debug = split(exe_of(ONE), folder)
        content = bytearray(debug.read_bytes())
        equal(Elf(stripped.read_bytes()).place(".gnu_debuglink")[1], 20, "size of the link")
        content[len(content) // 2] ^= 1
        debug.write_bytes(content)
        refuse(folder, stripped, debug, f"its checksum is {zlib.crc32(content):08x}")

    in_folder(check)


@test
def what_is_none():
    def check(folder):
        stripped, debug = split(exe_of(ONE), folder)
        for content, why in (
            (b"no ELF file at all\n" * 9, "no ELF file"), (b"", "empty"), (debug.read_bytes()[:5000], "."),
            (b"\x7fELF\2\1\1" + bytes(200), "."), (pathlib.Path(dump_of(ONE)).read_bytes()[:4000], "no ELF file"),
        ):
            (folder / "bad").write_bytes(content)
            refuse(folder, stripped, folder / "bad", why)
        told, err = info(dump_of(ONE), "--exe", stripped, "--debug-file", folder / "nowhere")
        assert "No such file" in told["debug_file_refused"] and "No such file" in err, told

    in_folder(check)


@test
def a_debug_file_is_no_executable():
    def check(folder):
        _, debug = split(exe_of(ONE), folder)
        told, err = info(dump_of(ONE), "--exe", debug)
        assert "is a separate debug file" in told["executable_refused"] and "--debug-file" in err, told

    in_folder(check)


@test
def where_it_would_be():
    def check(folder):
        stripped, debug = split(exe_of(ONE), folder)
        debug.unlink()
        number = build_id(exe_of(ONE))
        text = " ".join(run("info", dump_of(ONE), stripped, expect=0).out.split())
        want = f"(--debug-file): build id {number}, file /usr/lib/debug/.build-id/{number[:2]}/{number[2:]}.debug"
        assert want in text and "package" not in text, text  # it came with none

    in_folder(check)
