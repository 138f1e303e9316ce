"""Notes and verdicts: written, found again, and what may be wrong with their file."""

import json
import os
import pathlib
import shutil
import stat
import subprocess
import tempfile
import contextlib
import fcntl

import harness
from executables import dump_of, exe_of
from harness import ONE, equal, run, test, unpacked
from mcp_client import Client

FIRST, HEADER = "0xc000000000", "goheapx notes 1\n"


class State:
    """A folder of state of its own."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.file = self.folder / "goheapx" / "notes"
        self.environment = {"XDG_STATE_HOME": str(folder)}

    def do(self, *commands, dump=None, expect=0):
        words = [word for line in commands for word in ("-e", line)]
        return run(dump or unpacked(ONE), *words, environment=self.environment, expect=expect)

    def notes(self, dump=None):
        out = run("list", "notes", dump or unpacked(ONE), "--json", environment=self.environment, expect=0).out
        return [(row["kind"], row["subject"], row["verdict"], row["why"], row["note"]) for row in json.loads(out)]

    def write(self, text):
        self.file.parent.mkdir(exist_ok=True)
        self.file.write_bytes(text if isinstance(text, bytes) else text.encode())


@contextlib.contextmanager
def state():
    with tempfile.TemporaryDirectory() as folder:
        yield State(folder)


@test
def they_are_on_objects_types_paths_and_stacks():
    with state() as s:
        for view in ("objects", "types", "where", "groups"):
            s.do(view, f"note of {view}; and more", 'verdict leak "never" emptied')
            row = next(line for line in s.do(view, "screen").out.splitlines() if line.startswith("!"))
            assert row, view
        told = s.notes()
        equal([(kind, verdict, why, note) for kind, _, verdict, why, note in told],
              [(kind, "leak", '"never" emptied', f"of {view}; and more") for kind, view in
               (("object", "objects"), ("type", "types"), ("path", "where"), ("stack", "groups"))], "notes")
        equal(told[0][1], FIRST, "the object")
        equal(stat.S_IMODE(os.stat(s.file).st_mode), 0o600, "mode")
        equal(stat.S_IMODE(os.stat(s.file.parent).st_mode), 0o700, "mode of the folder")


@test
def pages_report_and_sql_have_them():
    with state() as s:
        s.do("objects", "verdict expected a cache", "note ask Bo")
        dump = unpacked(ONE)
        assert "expected: a cache; ask Bo" in s.do(f"object {FIRST}").out
        show = run("show", dump, FIRST, environment=s.environment, expect=0).out
        assert "note         expected: a cache; ask Bo\n" in show, show
        page = json.loads(run("show", dump, FIRST, "--json", environment=s.environment, expect=0).out)
        page = page[0] if isinstance(page, list) else page
        equal([page[name] for name in ("verdict", "verdict_why", "note")], ["expected", "a cache", "ask Bo"], "JSON")
        out = run("report", dump, "--format", "markdown", environment=s.environment).out
        assert "ask Bo" in out, out[-1000:]
        rows = run("sql", dump, "select o.size, verdict from notes n join objects o on o.address = n.address",
                   environment=s.environment, expect=0).out
        assert "expected" in rows and "16" in rows, rows


@test
def the_last_word_holds_and_can_be_taken_back():
    with state() as s:
        out = s.do("objects", "note one", "note two", "verdict open", "verdict leak so it is", "note").out
        assert "leak: so it is; two" in out, out
        s.do("objects", "note -")
        equal(s.notes(), [("object", FIRST, "leak", "so it is", None)], "without the note")
        s.do("objects", "verdict -")
        equal(s.notes(), [], "without both")
        assert "there is no note" in s.do("objects", "note").out
        assert "leak, expected or open" in s.do("objects", "verdict maybe", expect=1).err


@test
def another_dump_of_the_program_has_them():
    """The drift dumps are of one process; a dump of another program has none."""
    with state() as s:
        one, two = dump_of("go1.19-drift-1"), dump_of("go1.19-drift-2")
        s.do("types", "note of a type", "where", "note of a path", dump=one)
        equal([note for *_, note in s.notes(two)], ["of a type", "of a path"], "in the later dump")
        assert "(noted in go1.19-drift-1.dump)" in s.do("types", "note", dump=two).out
        equal(s.notes(), [], "of another program")


@test
def an_object_of_another_size_at_its_address_is_another():
    with state() as s:
        s.do("objects", "note mine")
        text = s.file.read_text()
        s.write(text.replace("\t16 ", "\t160 ").replace(f"{ONE}.dump", "old.dump"))
        equal(s.notes(), [], "another size")
        s.write(text.replace("~string data\t", "main.Other\t"))
        equal(s.notes(), [], "another type")


@test
def explorers_at_the_same_time_lose_nothing():
    with state() as s:
        processes = []
        for number in range(6):
            commands = "objects; " + "".join(f"row {number * 20 + i + 1}\nnote {number} {i}\n" for i in range(20))
            process = subprocess.Popen([harness.PROGRAM, unpacked(ONE), "--script", "-"], stdin=subprocess.PIPE,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                       env={**harness.ENVIRONMENT, **s.environment})
            process.stdin.write(commands.encode())
            process.stdin.close()
            processes.append(process)
        for process in processes:
            equal(process.wait(harness.DEADLINE), 0, "status")
            process.stderr.close()
        equal(sorted(note for *_, note in s.notes()), sorted(f"{n} {i}" for n in range(6) for i in range(20)), "notes")
        equal(s.file.read_text().count(HEADER), 1, "headers")


@test
def damaged_lines_are_counted_and_left_alone():
    with state() as s:
        s.do("objects", "note good")
        good = s.file.read_text().splitlines()[1]
        bad = ["x", "\t" * 8, good + "\tmore", good.replace("\tobject\t", "\tthing\t"),
               good.replace("\tnote\t", "\tmaybe\t"), "\x1b[31m\x00"]
        s.write(HEADER + "\n".join(["", *bad, good.replace("good", "go\x1b[31mod\x9b")]) + "\n" + good[:30])
        rows = run("list", "notes", unpacked(ONE), environment=s.environment)
        assert "\x1b" not in rows.out + rows.err, rows
        s.do("objects", "row 2", "note new", "notes", "screen")
        text = s.file.read_text()
        assert all(line in text for line in bad) and text.endswith("\tnew\n"), text
        equal([note for *_, note in s.notes()][-1], "new", "behind a line that was cut")


@test
def malformed_lines_are_told():
    with state() as s:
        s.write(HEADER + "x\ny\n")
        assert "2 lines of" in s.do("notes").out and "malformed" in s.do("notes").out


@test
def another_version_is_left_as_it_is():
    for text in ("goheapx notes 2\nx\n", "goheapx notes 12\n", "\0\n", "goheapx notes 1"):
        with state() as s:
            s.write(text)
            assert "another version" in s.do("objects", "note x", expect=1).err
            assert "another version" in s.do("notes").out
            equal(s.file.read_text(), text, "the file")


@test
def what_is_no_file_is_told():
    for make, why in ((os.mkfifo, "regular"), (os.mkdir, ""), (lambda p: os.symlink("/dev/null", p), ""),
                      (lambda p: pathlib.Path(p).write_bytes(HEADER.encode() + b"#" * (5 << 20)), "")):
        with state() as s:
            s.file.parent.mkdir()
            make(s.file)
            err = s.do("objects", "note x", expect=1).err
            assert why in err and "note" in err, err
            s.notes()


@test
def a_folder_that_cannot_be_written_is_told():
    for home in ("/proc", "/dev/null", "relative"):
        result = run(unpacked(ONE), "-e", "objects; note x", environment={"XDG_STATE_HOME": home, "HOME": home}, expect=1)
        assert "goheapx: " in result.err, result
    assert not os.path.exists("/nonexistent"), "a home that is not there is not made"
    run(unpacked(ONE), "-e", "objects; note x", expect=1)
    assert not os.path.exists("/nonexistent")


@test
def a_lock_that_is_held_is_told_and_does_not_hang():
    with state() as s:
        s.do("objects", "note one")
        with open(s.file) as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            assert "locked" in s.do("objects", "note two", expect=1).err
        equal([note for *_, note in s.notes()], ["one"], "notes")


@test
def a_moved_dump_is_the_same_dump():
    with state() as s, tempfile.TemporaryDirectory() as folder:
        s.do("objects", "note mine")
        copy = os.path.join(folder, "copy.dump")
        shutil.copy(unpacked(ONE), copy)
        equal([note for *_, note in s.notes(copy)], ["mine"], "notes of the copy")


@test
def subcommands_write_what_the_explorer_reads():
    with state() as s:
        dump = unpacked(ONE)

        def write(*words, expect=0):
            return run(words[0], dump, *words[1:], environment=s.environment, expect=expect)

        assert "object 0xc000000000: ask; Bo" in write("note", FIRST, "ask; Bo").out
        assert f"object {FIRST}: leak: never \\n emptied; ask; Bo" in write("verdict", "0xc000000001", "leak", "never \n emptied").out
        equal(s.notes(), [("object", FIRST, "leak", "never \\n emptied", "ask; Bo")], "as the explorer reads them")
        assert "leak: never" in s.do("objects", "note").out
        for text in ("-", exe_of(ONE)):
            write("note", FIRST, text)
            equal(s.notes()[0][4], text, "a text that could be an operand")
        write("verdict", FIRST, "none")
        write("note", FIRST, "")
        equal(s.notes(), [], "both are removed")
        for words in (("note", "0x10", "x"), ("note", "nothing.there", "x"), ("verdict", FIRST, "maybe"), ("verdict", FIRST, "")):
            got = run(words[0], dump, *words[1:], environment=s.environment)
            assert got.status in (1, 2) and got.err, words
        equal(s.notes(), [], "nothing is written")


@test
def an_agent_writes_them_too():
    with state() as s, Client(harness.PROGRAM, env={**harness.ENVIRONMENT, **s.environment}) as client:
        client.call("open", dump=dump_of(ONE), exe=exe_of(ONE))
        text, notes, bad = client.call("verdict", on="main.gBlob", verdict="expected", why="it is a test")
        equal((text, bad), ("path main.gBlob: expected: it is a test\n", False), notes)
        client.call("note", on="main.gBlob", text="--exe=/etc/passwd")
        equal(s.notes(), [("path", "main.gBlob", "expected", "it is a test", "--exe=/etc/passwd")], "notes")
        assert client.call("note", on="nothing", text="x")[2]
