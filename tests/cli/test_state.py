"""One state of the input, told by every subcommand: a dump is whole and unchanged, or each answer says
that it is not."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile

import harness
import writer
from elf import Elf
from executables import dump_of, exe_of
from harness import ENVIRONMENT, ONE, answer, equal, overwrite, run, test, unpacked
from survive import file_of

HEAP, CHANGED = writer.HEAP, "was written to after it was opened"
NODE, OTHER = f"{HEAP + 16:#x}", f"{HEAP + 32:#x}"
WHOLE = writer.tiny()
CUT = WHOLE[:-1]
SUBCOMMANDS = (
    ("explore", "FILE", "-e", "overview"), ("info", "FILE"), ("info", "FILE", "--json"),
    ("list", "objects", "FILE"), ("list", "warnings", "FILE", "--csv"), ("show", "FILE", NODE),
    ("path", "FILE", NODE), ("find", "FILE", "0x00"), ("top", "FILE"), ("retained", "FILE", NODE),
    ("why", "FILE", NODE), ("freed", "FILE", NODE), ("list", "between", "FILE", NODE, OTHER),
    ("check", "FILE", "--lenient", "--assert", "bytes() > 0"),
    ("export", "FILE", "--format", "chromium-heap"),
)


def told(content, *arguments):
    """What a subcommand says of a file on stderr, line by line."""
    with file_of(content) as file:
        result = run(*(file.name if word == "FILE" else word for word in arguments))
        assert result.status in (0, 1), result
        return result.err.replace(file.name, "FILE").splitlines()


@test(each=SUBCOMMANDS)
def a_cut_dump_is_told_once_by(arguments):
    lines = told(CUT, *arguments)
    equal([line for line in lines if line.startswith("goheapx: FILE: The file is truncated")],
          lines[:1], "first line")
    equal([line for line in told(WHOLE, *arguments) if "FILE" in line], [], "lines of a whole one")


@test
def info_has_it_as_fields():
    for content, whole, word in ((WHOLE, True, None), (CUT, False, "truncated"),
                                 (WHOLE + bytes(5), True, "unusual"), (WHOLE + b"x", False, "wrong")):
        with file_of(content) as file:
            info = answer("info", file.name)
            equal(info["whole"], whole, f"whole, {word}")
            assert word in info["state"] if word else info["state"] is None, info["state"]
            equal([row["loss"] for row in answer("list", "warnings", file.name)],
                  [not whole] if word else [], "losses")


# What there is none of, the tags of its records, and how a cut before it is told.
LACKS = (
    (("list", "goroutines"), (4, 5, 14, 15), "goroutines"), (("list", "groups"), (4, 5, 14, 15), "goroutines"),
    (("list", "threads"), (9,), "threads"), (("list", "segments"), (12, 13), "global variables"),
    (("list", "finalizers"), (7, 11, 2), "finalizers"), (("list", "memstats"), (10,), "statistics"),
    (("list", "profiles"), (16, 17), "allocation profile"), (("list", "samples"), (17,), "allocation profile"),
    (("export",), (16, 17), "allocation profile"),
)


@test(each=range(len(LACKS)))
def what_was_cut_off_is_not_denied(number):
    """Neither is it doubted where it is known that there was none: the tiny dump without those
    records, whole."""
    arguments, tags, name = LACKS[number]
    doubt = f"cut before the end of its {name}, so that there may have been some"
    records = writer.tiny_records()
    first = next(i for i, record in enumerate(records) if record[0] in tags)
    head, without = records[:first], [record for record in records if record[0] not in tags]
    for pieces, cut in ((head, True), (without, False)):
        with file_of(writer.HEADER + b"".join(pieces)) as file:
            more = ("--format", "chromium-heap") if arguments == ("export",) else ()
            result = run(*arguments, file.name, *more)
            assert (doubt in result.err) == cut, f"cut: {cut}, {result}"
            if 16 in tags:
                equal("the program ran without one" in result.err, not cut, f"{result}")


@test
def the_explorer_has_a_mark_at_every_size():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a-rather-long-name-" * 8 + ".dump")
        for content, mark in ((CUT, "[cut]"), (WHOLE + b"x", "[damaged]"), (WHOLE, None)):
            with open(path, "wb") as file:
                file.write(content)
            for size, row in (("80x24", 0), ("40x12", 0), ("80x10", 0)):
                lines = run("-e", "overview", "--size", size, path).out.splitlines()
                equal(mark in lines[row] if mark else "[" in lines[row], mark is not None,
                      f"mark at {size}: {lines[row]}")
            low = run("-e", "size 30x5; objects; screen", path).out.splitlines()[-5]
            equal(mark in low if mark else "[" in low, mark is not None, f"mark of a low screen: {low}")


@test
def check_is_strict_unless_lenient():
    holds, fails = ("--assert", "bytes() > 0"), ("--assert", "bytes() = 0")
    for content, status in ((WHOLE, None), (WHOLE + bytes(9), None), (CUT, 2), (WHOLE + b"x", 2)):
        with file_of(content) as file:
            for assertion, plain in ((holds, 0), (fails, 1)):
                result = run("check", file.name, *assertion, expect=plain if status is None else status)
                equal("--lenient" in result.err, status == 2, "advice")
                lenient = run("check", file.name, *assertion, "--lenient", expect=plain)
                equal(lenient.out, result.out, "rows")


@test
def what_is_odd_is_told_and_no_loss():
    """Go 1.5.4 itself wrote impossible names of types into this dump."""
    path = unpacked("go1.5.4-server")
    result = run("check", path, "--assert", "objects() > 0", expect=0)
    assert "2 things are unusual in the file; nothing is lost" in result.err, result
    run("--strict", "check", path, "--assert", "objects() > 0", expect=2)


@test
def damaged_debug_information_is_told_and_fails_a_check():
    """An executable of which only the bytes of .debug_info are zeros: all frames fit."""
    exe = Elf(pathlib.Path(exe_of(ONE)).read_bytes()).unpack()
    offset, size = exe.place(".debug_info")
    exe.bytes[offset : offset + size] = bytes(size)
    assertion = ("--assert", 'objects(type = "main.Session") < 1000000')
    with file_of(bytes(exe.bytes)) as file:
        info = answer("info", dump_of(ONE), file.name)
        equal([info["complete"], info["whole"]], [True, False], "complete, whole")
        result = run("check", dump_of(ONE), file.name, *assertion, expect=2)
        assert info["state"] in result.err and "--lenient" in result.err, result
    run("check", dump_of(ONE), exe_of(ONE), *assertion, expect=0)


class Streaming:
    """The program while it waits for somebody to read what it prints."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [harness.PROGRAM, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env=ENVIRONMENT, bufsize=0,
        )
        self.out = self.process.stdout.read(1)  # it has begun, so it has opened its files

    def rest(self):
        out, err = self.process.communicate(timeout=harness.DEADLINE)
        return (self.out + out).decode(), err.decode()


def changed_while_printing(folder, victim, *arguments):
    """What is said when a file is written to while an answer waits in a full pipe."""
    streaming = Streaming(*arguments)
    path = os.path.join(folder, victim)
    with open(path, "rb") as file:
        content = file.read()
    overwrite(path, content + b"\0")
    return streaming.rest()


@test
def a_file_that_is_overwritten_while_its_rows_are_printed_is_told():
    with tempfile.TemporaryDirectory() as folder:
        dump, exe = os.path.join(folder, "x.dump"), os.path.join(folder, "x.exe")
        shutil.copy(dump_of(ONE), dump)
        shutil.copy(exe_of(ONE), exe)
        rows = ("list", "objects", dump, "--json")
        equal(Streaming(*rows).rest()[1], "", "stderr while nothing changes")
        _, err = changed_while_printing(folder, "x.exe", *rows)
        equal(err.count(CHANGED), 1, err)
        assert err.startswith(f"goheapx: {dump}: The executable {CHANGED}"), err
        _, err = changed_while_printing(folder, "x.dump", *rows)
        equal(err.count(CHANGED), 1, err)
        assert err.startswith(f"goheapx: {dump}: The file {CHANGED}"), err


@test
def the_explorer_tells_and_opens_it_anew():
    """First the small dump; the pipe is full of its screens when the other one takes its place."""
    other = unpacked(ONE)
    with open(other, "rb") as file:
        content = file.read()
    with file_of(WHOLE) as file:
        command = "screen; " * 100 + "reopen; screen; objects; screen"
        streaming = Streaming("-e", "objects", "-e", command, file.name)
        overwrite(file.name, content)
        out, err = streaming.rest()
    heads = [line for line in out.splitlines() if os.path.basename(file.name) in line]
    equal(heads[0].count("[changed]"), 0, f"mark before: {heads[0]}")
    equal(len(heads), 102, "screens")
    assert "[changed]" in heads[99] and CHANGED in out and ":reopen opens it anew" in out, out[-4000:]
    equal([head.count("[changed]") for head in heads[-2:]], [0, 0], "marks afterwards")
    objects = f"{answer('info', other)['objects']:,}"
    assert f"{objects} objects" in heads[-1], heads[-1]
    equal(err, "", "stderr: what is open at the end is whole")


@test
def what_is_opened_anew_is_asked_as_before():
    """With parts, and by the same kind of retained size."""
    def screen(commands):
        return run("-e", f"types; {commands}screen", unpacked(ONE), expect=0).out.splitlines()[:-1]
    asked = screen("set parts on; set retain strong; ")
    assert asked != screen("set parts on; ") != screen(""), asked
    equal(screen("set parts on; set retain strong; reopen; "), asked, "types")


@test
def another_dump_is_opened_and_compared_in_place():
    """As if goheapx had been started with it; a later one, or none, changes nothing."""
    first, last = (dump_of(f"go1.27-drift-{n}") for n in (1, 3))

    def screen(commands, *files, expect=0):
        out = run("-e", f"{commands}screen", *files, expect=expect)
        return [line for line in out.out.splitlines() if "opened" not in line], out.err
    equal(screen(f"open {first}; ", last), screen("", first), "open")
    equal(screen(f"since {first}; types; ", last), screen("types; ", first, last), "since")
    equal(screen(f"since {first}; open {first}; ", last), screen("", first), "since, open")
    for command, says in ((f"since {last}", "later dump"), ("open nowhere", "No such file"),
                          ("since nowhere", "No such file"), ("open", "Name the file"), ("since", "Name the file"),
                          (f"since {unpacked(ONE)}", "")):
        shown, err = screen(f"{command}; ", first, expect=1)
        assert says in err and command.split()[0] in err, err


@test
def what_cannot_be_opened_anew_stays_open():
    with file_of(WHOLE) as file:
        streaming = Streaming("-e", "screen; " * 100 + "reopen", "-e", "screen", file.name)
        overwrite(file.name, b"x" * 100)
        out, err = streaming.rest()
        equal(streaming.process.returncode, 1, "status")
    assert "does not begin like a heap dump" in err and CHANGED in err, err


def matched(*arguments, expect=0):
    result = run("check", *arguments, "--json", expect=expect)
    return result, [(row["matched"], row["holds"]) for row in json.loads(result.out)]


@test
def an_assertion_that_nothing_matches_does_not_hold_silently():
    """A misspelt name; = 0 and < 1 say that there is nothing, and mean it."""
    files = (dump_of(ONE), exe_of(ONE))
    for expression in ('retained(type ~ "main.Sesion") < 1MB', 'objects(type ~ "main.Sesion") < 10',
                       'bytes(size = 3) <= 100', 'goroutines(status = "asleep") != 7'):
        result, rows = matched(*files, "--assert", expression, expect=2)
        equal(rows[0][0], 0, f"rows like {expression}")
        assert "--allow-empty" in result.err and expression in result.err, result
        run("check", *files, "--assert", expression, "--allow-empty", expect=0)
    for expression in ('objects(type = "main.Session" and size = 3) = 0', "objects(size = 3) < 1", "warnings() < 9"):
        result, _ = matched(*files, "--assert", expression, expect=0)
        equal(result.err, "", f"stderr of {expression}")
    run("check", *files, "--assert", "objects(size = 3) > 0", expect=1)


ABSENT = {
    'objects(type = "main.Sesion") = 0': "main.Session is meant", "retained(type = main.Nosuch) < 1": "no such type",
    "objects(type = main.Session or type = main.Nosuch) < 100k": '"main.Nosuch"', "objects(type != main.Nosuch) > 1": '"main.Nosuch"',
    "objects(type ~ Nosuch) = 0": '"Nosuch"', "bytes(package = no/such) = 0": "no such package", "bytes(nosuch) = 0": '"nosuch"',
    "objects(owner = main.gNosuch) = 0": "as owner", "goroutines(function = main.nosuch) = 0": "no row of goroutines",
    "sum(size, type = main.Nosuch) = 0": '"main.Nosuch"', 'types(type = "[]main.Nosuch") = 0': '"[]main.Nosuch"',
}
THERE = ["objects(type = sync.Map) = 0", "objects(type = main.Session and size = 3) = 0", "goroutines(status = asleep) = 0",
         "objects(package = main and size = 3) = 0", "bytes(session and size = 3) = 0", "objects(owner = main.gCache) > 0"]


@test(each=ABSENT)
def a_name_that_is_not_there_is_reported(expression):
    """Also where it changes no status: what guards against a type that is gone guards nothing."""
    files = (dump_of(ONE), exe_of(ONE))
    result = run("check", *files, "--assert", expression, "--allow-empty", expect=0)
    assert "is not in the dump" in result.err and ABSENT[expression] in result.err, result
    run("check", *files, "--assert", expression, "--allow-empty", "--strict", expect=2)


@test(each=THERE)
def a_name_that_is_there_is_not_reported(expression):
    """A type of the program without objects, and words of goheapx, are no mistakes."""
    equal(run("check", dump_of(ONE), exe_of(ONE), "--assert", expression, "--strict", expect=0).err, "", expression)


@test
def a_name_of_an_earlier_dump_is_there():
    """What has gone since then counts 0."""
    dumps = [dump_of(f"go1.27-drift-{number}") for number in (1, 3)]
    exe = exe_of("go1.27-drift-1")
    names = [{row["name"] for row in answer("list", "owners", dump, "--exe", exe)} for dump in dumps]
    assert names[0] - names[1], names
    for name in sorted(names[0] - names[1]):
        expression = f'owners(name = "{name}") = 0'
        alone = run("check", dumps[1], exe, "--assert", expression, expect=0)
        assert "is not in the dump:" in alone.err, alone
        equal(run("check", dumps[1], exe, "--since", dumps[0], "--assert", expression, expect=0).err, "", name)
    expression = "objects(owner = main.gNosuch) = 0"
    both = run("check", dumps[1], exe, "--since", dumps[0], "--assert", expression, expect=0)
    assert "not in the dump or an earlier one" in both.err, both


@test
def objects_and_bytes_go_by_type():
    """As the table types counts them."""
    files = (dump_of(ONE), exe_of(ONE))
    types = answer("list", "objects", dump_of(ONE), "--exe", exe_of(ONE), "--columns",
                   "type,size", "--where", 'type = "main.Session"')
    assert len(types) > 200, types
    _, rows = matched(*files, "--assert", f'objects(type = "main.Session") = {len(types)}',
                      "--assert", f'bytes(type = "main.Session") = {sum(r["size"] for r in types)}')
    equal(rows, [(len(types), True)] * 2, "rows")
