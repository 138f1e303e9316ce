"""Files that are no dumps, and dumps that are damaged: a clear answer, what could be read stays, no
crash, no hang, no memory beyond what the file's size justifies."""

import contextlib
import gzip
import json
import lzma
import os
import pathlib
import random
import resource
import shutil
import subprocess
import tempfile

import harness
import survive
import writer
from harness import BOTH, ENVIRONMENT, ONE, answer, equal, run, test, unpacked

@contextlib.contextmanager
def path_of(content):
    """The path of a file that has this content for a while."""
    with survive.file_of(content) as file:
        yield file.name


def refused(path, *words):
    """The program does not open it, and says so in one line that has all of the words."""
    result = run("info", path, expect=2)
    equal(result.out, "", "output")
    line = result.err.rstrip("\n")
    assert line.startswith("goheapx: ") and "\n" not in line, result
    assert all(word in line for word in words), f"{line} lacks one of {words}"


@test
def what_is_no_file_is_refused():
    refused("/nonexistent/x.dump", "/nonexistent/x.dump", "No such file")
    refused("/dev/null", "device")
    refused("/dev/zero", "device")
    refused("/proc/self", "directory")
    with tempfile.TemporaryDirectory() as folder:
        refused(folder, "directory")
        os.mkfifo(f"{folder}/pipe")
        refused(f"{folder}/pipe", "pipe")


@test
def what_is_no_file_is_no_executable():
    """Whoever opens a pipe waits for a writer."""
    with tempfile.TemporaryDirectory() as folder:
        dump = f"{folder}/x.dump"
        with open(dump, "wb") as file:
            file.write(writer.tiny())
        os.mkfifo(f"{folder}/x.exe")
        for path, word in ((f"{folder}/x.exe", "pipe"), ("/dev/zero", "device"), (folder, "directory")):
            told = run("info", dump, "--exe", path, expect=0).err
            assert f"{path}: This is a {word};" in told and "going on without names" in told, told
            shown = run("-e", "overview", dump, "--exe", path, expect=0).out
            assert f"This is a {word};" in shown, shown
        # Found by its name, it is none.
        equal(run("info", dump, expect=0).err, "", "what is said of a pipe that nobody has named")


@test
def a_terminal_is_refused():
    master, slave = os.openpty()
    refused(os.ttyname(slave), "device")
    os.close(master)
    os.close(slave)


@test
def an_unreadable_file_is_refused():
    """Root reads everything, so root runs a copy of the program as nobody."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        program = shutil.copy(harness.PROGRAM, folder)
        path = f"{folder}/x.dump"
        with open(path, "wb") as file:
            file.write(writer.tiny())
        os.chmod(path, 0)
        done = subprocess.run(
            [program, "info", path], user=65534 if os.geteuid() == 0 else None, text=True,
            env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, check=False,
        )
    equal(done.returncode, 2, "status")
    assert "Permission denied" in done.stderr, done.stderr


@test
def an_empty_file_is_refused():
    with path_of(b"") as path:
        refused(path, "empty")


@test
def a_wrong_header_is_refused():
    for content in (b"x", b"go1.7 heap dump", b"go9.9 heap dump\n", b"\x7fELF" * 100, b"\0" * 5000):
        with path_of(content) as path:
            refused(path, path)


@test
def an_archive_of_something_else_is_refused():
    with path_of(gzip.compress(b"no dump\n")) as path:
        refused(path)


@test
def an_archive_of_nothing_is_not_unpacked():
    """200 MB of zeros; more than 4 MB may not be written."""
    with path_of(gzip.compress(bytes(200 << 20), 1)) as path:
        for arguments in (("info", path), ("info", unpacked(ONE), "--exe", path)):
            done = subprocess.run(
                [harness.PROGRAM, *arguments], env=ENVIRONMENT, stdin=subprocess.DEVNULL, text=True,
                capture_output=True, check=False,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4 << 20, 4 << 20)),
            )
            assert path in done.stderr and "unpacked" not in done.stderr, done
            equal(done.returncode, 2 if arguments[1] == path else 0, "status")
            word = "does not begin like" if arguments[1] == path else "no executable"
            assert word in done.stderr, done


@test
def an_archive_may_unpack_to_so_much():
    content = writer.tiny()
    with path_of(lzma.compress(content)) as path:
        equal(answer("info", path, "--max-unpacked", str(len(content)))["objects"], 11, "objects")
        result = run("info", path, "--max-unpacked", str(len(content) - 1), expect=2)
        equal(result.err.count(path), 1, "names of the file")
        assert "--max-unpacked" in result.err, result
    assert "20G" in run("info", path, "--max-unpacked", "much", expect=2).err


def flipped(content, at):
    """With one bit of a byte changed; at < 0 counts from the end."""
    changed = bytearray(content)
    changed[at] ^= 4
    return bytes(changed)


@test
def a_damaged_archive_is_blamed_and_not_the_dump():
    """All of the dump is there: only a sum, a length or the end of the archive is not right."""
    dump = writer.tiny()
    packed, xz = gzip.compress(dump), lzma.compress(dump)
    with path_of(dump) as path:
        rows = answer("list", "objects", path)
    for archive, words in (
        (flipped(packed, -5), "gzip zlib incorrect data check"),
        (flipped(packed, -1), "gzip zlib incorrect length check"),
        (packed[:-1], "gzip cut"), (packed[:-8], "gzip cut"), (packed + b"garbage", "gzip follows"),
        (xz[:-1], "xz cut"), (flipped(xz, -13), "xz liblzma"), (xz + xz[:3], "xz follows"),
    ):
        with path_of(archive) as path:
            info = json.loads(run("info", path, "--json", "--strict", expect=2).out)
            equal([info["complete"], info["whole"]], [True, False], f"the dump in it, {words}")
            result = run("list", "objects", path, "--json", expect=0)
            equal(json.loads(result.out), rows, "objects")
            assert all(word in result.err for word in words.split()), f"{result.err} lacks {words}"


@test
def a_damaged_archive_of_an_executable_is_told():
    with open(f"{harness.TESTDATA}/{ONE}.exe.xz", "rb") as file:
        packed = file.read()
    with path_of(packed[:-1]) as path:
        told = answer("info", unpacked(ONE), "--exe", path)["executable_damage"]
        assert "The xz archive is cut" in told, told


@test
def members_of_an_archive_are_one_dump():
    content = writer.tiny()
    for pack in (gzip.compress, lzma.compress):
        with path_of(pack(content[:100]) + pack(b"") + pack(content[100:])) as path:
            info = answer("info", path)
            equal([info["complete"], info["warnings"]], [True, []], "whole")


@test
def a_message_names_the_file_once():
    with tempfile.TemporaryDirectory() as folder:
        empty, foreign = f"{folder}/empty", f"{folder}/foreign"
        pathlib.Path(empty).touch()
        pathlib.Path(foreign).write_bytes(b"{}")
        for path in (f"{folder}/missing", folder, empty, foreign, "/dev/null"):
            for arguments in (("info", path), ("-e", "overview", path), ("list", "objects", path)):
                result = run(*arguments, expect=2)
                equal(result.err.count(path), 1, f"names of the file in {result.err}")
            result = run("info", unpacked(ONE), "--exe", path, expect=0)
            equal(result.err.count(path), 1, f"names of the executable in {result.err}")


@test
def a_name_with_escapes_is_shown_harmless():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a\x1b[31mb\nc\x07.dump")
        result = run("info", path, expect=2)
        assert b"\x1b" not in result.raw_err and b"\x07" not in result.raw_err, result
        equal(result.raw_err.count(b"\n"), 1, "lines")


# Every view. A script ends at the first command that has no answer, so there are several.
NODE = "0xc000000010"
TOURS = (
    "overview; groups; goroutines; roots; objects; keys G Enter x; sizes; types; itabs; finalizers; "
    "defers; panics; threads; memstats; warnings; help",
    f"object {NODE}; keys G; hex {NODE}; fields {NODE}; references {NODE}; referrers {NODE}; "
    f"holders {NODE}; path {NODE}; keys n",
    "stack 2; keys j j Enter; frames 2; slots 2",
)


def tour(content):
    """Looks at everything in the explorer, with and without an answer."""
    with path_of(content) as path:
        for commands in TOURS:
            result = run("-e", commands, path)
            assert result.status in (0, 1, 2), result


def survives(content, *, size=None):
    """Runs the report. Gives what it says as JSON, None when the file was refused."""
    size = len(content) if size is None else size
    with path_of(content) as path:
        result = run("info", "--json", path)
        assert result.status in (0, 2), result
        if result.status == 2:
            assert result.err.startswith("goheapx: "), result
            return None
        info = json.loads(result.out)
        for warning in info["warnings"]:
            assert warning["offset"] is None or warning["offset"] <= size, warning
        assert info["complete"] or info["warnings"], "incomplete, but no warning says so"
        return info


@test(builds=BOTH)
def a_dump_cut_at_any_byte_keeps_what_is_before():
    whole = writer.tiny()
    previous = 0
    # With sanitizers every 39th byte: the fuzzers' seeds are cut like that by the thousand, in one process.
    step = 39 if harness.SANITIZED else 7
    for length in range(len(writer.HEADER) + len(writer.params()), len(whole), step):
        info = survives(whole[:length])
        if length % 5 == 0:
            tour(whole[:length])
        if info:
            equal(info["complete"], False, f"complete when cut at {length}")
            assert info["objects"] >= previous, f"cut at {length} there are fewer objects"
            previous = info["objects"]
    equal(previous, 11, "objects before the last cut")


@test
def the_tiny_dump_itself_is_whole():
    info = survives(writer.tiny())
    equal(info["complete"], True, "complete")
    equal(info["warnings"], [], "warnings")
    with path_of(writer.tiny()) as path:
        for commands in TOURS:
            run("-e", commands.replace("; keys n", ""), path, expect=0)


VALUES = (0x00, 0xFF, 0x80)


@test(each=VALUES, builds=BOTH)
def every_byte_of_a_tiny_dump_set_to(value):
    whole = bytearray(writer.tiny())
    end_of_memstats = len(whole) - 60
    # The 256 zeros of the pause ring are alike.
    places = [i for i in range(16, len(whole)) if i < end_of_memstats - 240 or i > end_of_memstats]
    # Every seventh byte, with sanitizers every thirty-first: fuzzing tries the others.
    step = 31 if harness.SANITIZED else 7
    for number, place in enumerate(places[VALUES.index(value) :: step]):
        before, whole[place] = whole[place], value
        survives(bytes(whole), size=len(whole))
        if number % 10 == 0:
            tour(bytes(whole))
        whole[place] = before


@test(each=range(8))
def random_damage_of_a_real_dump(seed):
    """Flipped bits, cut ends, blocks that are missing or doubled."""
    with open(unpacked(ONE), "rb") as file:
        whole = file.read()
    chance = random.Random(seed)
    # Half of the damage goes to the records after the objects, which are a small part of the file.
    for at in (chance.randrange(16, len(whole)), chance.randrange(len(whole) * 9 // 10, len(whole))):
        bit = bytes([whole[at] ^ 1 << chance.randrange(8)])
        length = chance.randrange(1, 100000)
        survives(whole[:at] + bit + whole[at + 1 :])
        survives(whole[:at])
        survives(whole[:at] + whole[at + length :])
        survives(whole[:at] + whole[max(0, at - length) :])


@test
def huge_lengths_cost_no_memory():
    """2^63 bytes of contents, 2^64-1 characters of a name, a frame at the top of the address space."""
    start = writer.HEADER + writer.params()
    for value in (1 << 31, 1 << 32, (1 << 63) - 1, 1 << 63, (1 << 64) - 16, (1 << 64) - 1):
        length = writer.uvarint(value)
        survives(start + b"\1" + writer.uvarint(writer.HEAP) + length + b"x" * 50)
        survives(start + b"\3" + writer.uvarint(1) + writer.uvarint(8) + length + b"x" * 50)
        survives(start + writer.record(1, value, writer.words(writer.HEAP), [0]) + b"\0")
        survives(start + writer.record(1, writer.HEAP, writer.words(1), [0, value]) + b"\0")
        survives(start + writer.record(16, 1, 16) + length + b"\0")
        survives(start + writer.record(12, value, writer.words(writer.HEAP), [0, value]) + b"\0")


@test(builds=["gcc"])
def memory_stays_near_the_size_of_the_file():
    scattered = b"".join(
        writer.record(1, (i * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFF0, writer.words(i), [0])
        for i in range(20000)
    )
    content = writer.HEADER + writer.params() + scattered + writer.record(0)
    with path_of(content) as path:
        result = survive.measured("info", path)
    equal(result.status, 0, "status")
    assert result.memory < 100 << 20, f"{result.memory} bytes for {len(content)} bytes"


@test(builds=["gcc"])
def a_long_chain_is_no_recursion():
    length = 300_000
    with path_of(writer.deep_chain(length)) as path:
        last = f"{writer.HEAP + (length - 1) * 16:#x}"
        steps = harness.answer("path", path, last)[0]
        equal(len(steps), length + 1, "steps")
        equal(steps[-1]["address"], last, "the last one")


@test
def duplicate_and_overlapping_objects_do_no_harm():
    one = writer.record(1, writer.HEAP, writer.words(writer.HEAP, 0), [0])
    inside = writer.record(1, writer.HEAP + 8, writer.words(writer.HEAP, 0), [0])
    info = survives(writer.HEADER + writer.params() + one * 3 + inside + writer.record(0))
    equal(info["objects"], 1, "objects")
    assert info["warnings"], "nothing says that objects overlap"
