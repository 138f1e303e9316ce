"""Options, exit status, and what goes wrong on the command line."""

import bz2
import gzip
import lzma
import os
import pathlib
import shutil
import subprocess
import tempfile

import harness
import writer
from executables import exe_of
from harness import ENVIRONMENT, ONE, PROGRAM, TESTDATA, Skip, equal, run, test, truth, unpacked

NEEDLE = "0xc000193140"


@test
def help_and_version_answer():
    shown = run("--help", expect=0)
    for word in ("info", "list", "show", "path", "completion", "--json", "--where"):
        assert word in shown.out, f"{word} is not in the help"
    equal(shown.err, "", "stderr")
    assert run("--version", expect=0).out.startswith("goheapx "), "version"
    equal(run("-h", expect=0).out, shown.out, "-h")


def wrong(*arguments, says=""):
    """Usage that is wrong: status 2, one line that says why, nothing else."""
    result = run(*arguments, expect=2)
    equal(result.out, "", "stdout")
    equal(result.err.count("\n"), 1, f"lines of {result.err!r}")
    assert result.err.startswith("goheapx: ") and says in result.err, result


@test
def wrong_usage_is_status_2():
    dump = unpacked(ONE)
    wrong("--nonsense", says="--nonsense")
    wrong("info")
    wrong("info", dump, "exe", "more")
    wrong("list", dump)
    wrong("list", "nonsense", dump, says="nonsense")
    wrong("list", "objects", dump, "--sort", "nonsense", says="nonsense")
    wrong("list", "objects", dump, "--columns", "size,nonsense", says="nonsense")
    wrong("list", "objects", dump, "--columns", ",", says="no column")
    wrong("list", "objects", dump, "--columns", "", says="Which columns")
    wrong("list", "objects", dump, "--depth", "2", says="is not a tree")
    wrong("list", "owners", dump, "--depth", "0", says="--depth")
    wrong("list", "owners", dump, "--depth", "2", "--sort", "name", says="--sort")
    wrong("list", "objects", dump, "--limit", "many", says="many")
    wrong("list", "objects", dump, "--limit")
    wrong("list", "referrers", dump)
    wrong("list", "referrers", "/nonexistent", says="Say of what")  # before any work
    wrong("list", "groups", "/nonexistent", "more", says="takes no argument")
    wrong("list", "referrers", dump, "xyz", says="xyz")
    wrong("list", "frames", dump, "xyz", says="xyz")
    wrong("show", dump)
    wrong("show", dump, "xyz", says="xyz")
    wrong("show", dump, "0x")
    wrong("path", dump, "0x1ffffffffffffffff")
    wrong("completion", "tcsh", says="tcsh")
    wrong("info", dump, "--script", "x")
    wrong("--script", "/nonexistent/steps", dump, says="/nonexistent/steps")
    wrong("--size", "0x0", "-e", "overview", dump)


@test
def a_second_word_that_is_no_file_is_an_error():
    """It would be the executable; the dump would be opened without names although the right one may lie beside it."""
    with tempfile.TemporaryDirectory() as folder:
        dump, exe = os.path.join(folder, "a.dump"), os.path.join(folder, "a.exe")
        shutil.copy(unpacked(ONE), dump)
        wrong(dump, "top", says="perhaps goheapx top is meant")
        near, odd = os.path.join(folder, "drift.exe"), os.path.join(folder, "drift\x1b.ex")
        pathlib.Path(odd).touch()
        wrong("info", dump, near[:-1], says='which would be the executable.')
        pathlib.Path(near).touch()
        wrong("info", dump, near[:-1], says=f"perhaps {near} is meant")
        wrong(os.path.join(folder, "b.dump"), says=f"perhaps {dump} is meant")
        for command in ("info", "top", "report", "index"):
            wrong(command, dump, "nosuch.exe", says='no file "nosuch.exe"')
        shutil.copy(exe_of(ONE), exe)
        wrong("info", dump, "nosuch.exe", says=f"{exe} is found without being named")
        equal(run("info", dump, exe, expect=0).err, "", "messages")
        wrong("info", exe, says="This is an executable or a library: name a dump")


@test
def an_executable_is_one_wherever_it_stands():
    dump, packed = unpacked(ONE), os.path.join(TESTDATA, "go1.24.4-small.exe.xz")
    for question in (
        ["top"], ["info"], ["list", "roots"], ["show", "main.gCache"], ["path", "main.gCache"], ["why", "main.gCache"],
        ["find", "session-0001"], ["sql", "SELECT count(*) FROM objects"], ["retained", "main.gCache"],
        ["export", "--format", "pprof"],
    ):
        exe, place = packed if question == ["info"] else exe_of(ONE), 2 if question[0] == "list" else 1
        named = question[:place] + [dump] + question[place:]
        want = run(*named, "--exe", exe, expect=0).out
        for files in ([dump, exe], [exe, dump]):
            equal(run(*question[:place], *files, *question[place:], expect=0).out, want, (question, files))
        equal(run(*named, exe, expect=0).out, want, (question, "last"))


@test
def a_dump_comes_from_the_standard_input():
    exe = os.path.join(TESTDATA, "go1.24.4-small.exe.xz")
    want = run("top", unpacked(ONE), exe, expect=0).out
    with open(unpacked(ONE), "rb") as dump:
        content = dump.read()
    for how in (subprocess.PIPE, "file"):
        with open(unpacked(ONE), "rb") as file:
            given = {"input": content} if how != "file" else {"stdin": file}
            told = subprocess.run([PROGRAM, "top", "-", exe], capture_output=True, env=ENVIRONMENT, **given)
        equal((told.stdout.decode(), told.returncode), (want, 0), how)


@test
def files_of_other_tools_are_named():
    for content, noun in (
        (b"JAVA PROFILE 1.0.2\0" + bytes(20), "heap dump in the format of Java"),
        (b"PERFILE2" + bytes(100), "perf"), (b"\x0a\x04\x08\x01\x10\x02\x0a\x04", "pprof"),
    ):
        with tempfile.NamedTemporaryFile() as file:
            file.write(content)
            file.flush()
            wrong("info", file.name, says=noun)


@test
def what_does_not_exist_is_status_1():
    dump = unpacked(ONE)
    garbage = truth(ONE)["Garbage"][0]
    for arguments in (
        ("show", dump, "0x1"), ("path", dump, "0x1"), ("path", dump, garbage),
        ("list", "referrers", dump, "0x1"), ("list", "frames", dump, "999999"),
    ):
        result = run(*arguments, expect=1)
        equal((result.out + result.err).count("\n"), 1, f"lines of {result}")


@test
def an_empty_table_is_an_answer():
    equal(harness.answer("list", "warnings", unpacked(ONE)), [], "warnings")


@test
def options_may_stand_anywhere():
    dump = unpacked(ONE)
    first = run("--json", "show", dump, NEEDLE, expect=0)
    equal(run("show", dump, "--json", NEEDLE, expect=0).out, first.out, "output")
    equal(run("show", "--json", "--", dump, NEEDLE, expect=0).out, first.out, "output after --")


def zstd(data):
    """A zstd frame of raw blocks: no compressor is needed to write one."""
    blocks = [data[at : at + 131072] for at in range(0, len(data), 131072)]
    last = len(blocks) - 1
    headers = [(len(block) << 3 | (i == last)).to_bytes(3, "little") for i, block in enumerate(blocks)]
    head = b"\x28\xb5\x2f\xfd\xa0" + len(data).to_bytes(4, "little")
    return head + b"".join(header + block for header, block in zip(headers, blocks))


def lz4(data):
    """An lz4 frame of one raw block, without sums."""
    assert len(data) < 1 << 18
    return b"\x04\x22\x4d\x18\x60\x50\xfb" + (len(data) | 1 << 31).to_bytes(4, "little") + data + bytes(4)


PACKERS = {"xz": lzma.compress, "gz": lambda data: gzip.compress(data, 1), "zst": zstd,
           "bz2": bz2.compress, "lz4": lz4}


@test(each=PACKERS)
def compressed_dumps_open_as_they_are(suffix):
    content = writer.tiny()
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/x.dump"
        with open(path, "wb") as file:
            file.write(content)
        with open(f"{path}.{suffix}", "wb") as file:
            file.write(PACKERS[suffix](content))
        plain = run("list", "objects", path, expect=0, environment={"TMPDIR": folder}).out
        packed = run("list", "objects", f"{path}.{suffix}", expect=0, environment={"TMPDIR": folder})
        equal(packed.out, plain, "objects")
        equal(sorted(os.listdir(folder)), ["x.dump", f"x.dump.{suffix}"], "files")


@test
def dumps_of_testdata_open_as_they_are():
    equal(
        run("list", "sizes", TESTDATA / f"{ONE}.dump.xz", expect=0).out,
        run("list", "sizes", unpacked(ONE), expect=0).out, "sizes",
    )


@test
def no_room_for_the_unpacked_dump_is_said():
    result = run(
        "info", TESTDATA / f"{ONE}.dump.xz", environment={"TMPDIR": "/dev/null"}, expect=2
    )
    assert "TMPDIR" in result.err, result


def tells_full_disk(*arguments):
    with open("/dev/full", "wb") as full:
        process = subprocess.run(
            [harness.PROGRAM, *arguments], env=ENVIRONMENT, stdout=full, stderr=subprocess.PIPE,
            check=False,
        )
    equal(process.returncode, 2, f"status of {arguments}")
    equal(process.stderr, b"goheapx: The output cannot be written: No space left on device.\n",
          f"what {arguments} says")


@test(builds=["gcc"])
def every_subcommand_tells_a_full_disk():
    dump = unpacked(ONE)
    for output in ((), ("--json",), ("--csv",)):
        tells_full_disk("list", "sizes", dump, *output)
        tells_full_disk("find", dump, "nothing like this is there", "--json")
    for arguments in (
        ("-e", "overview", dump), ("info", dump), ("check", dump, "--assert", "bytes() > 1"),
        ("export", dump, "--format", "chromium-heap"), ("show", dump, "0xc0000028c0"),
        ("path", dump, "0xc0000028c0"), ("why", dump, "0xc0000028c0"), ("top", dump),
        ("manual",), ("help",), ("help", "list"), ("completion", "zsh"), ("--version",), ("--help",),
    ):
        tells_full_disk(*arguments)


@test
def a_full_disk_is_an_error_and_a_reader_that_leaves_is_not():
    tells_full_disk("list", "objects", unpacked(ONE))
    tells_full_disk(unpacked(ONE), "-e", "overview; objects")
    process = subprocess.Popen(
        [harness.PROGRAM, "list", "objects", unpacked(ONE)], env=ENVIRONMENT,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )
    process.stdout.read(100)
    process.stdout.close()
    equal(process.stderr.read(), b"", "stderr")
    assert process.wait() >= -13, process.returncode


@test
def nothing_of_the_dump_reaches_the_terminal_raw():
    """Names with escape sequences, in every output that shows them."""
    evil = "a\x1b[31m\x07\x9b2J\u202eb\nc\x7f"
    content = writer.tiny(name=evil, reason=evil, kind=evil)
    with tempfile.NamedTemporaryFile(suffix=".dump") as file:
        file.write(content)
        file.flush()
        views = "overview; screen; goroutines; screen; frames 1; screen; types; screen; roots; screen"
        for arguments in (
            ("info",), ("info", "--json"), ("info", "--csv"), ("list", "types"),
            ("list", "goroutines"), ("list", "goroutines", "--json"), ("list", "groups", "--csv"),
            ("list", "roots"), ("-e", views),
            *(("list", table, file.name, "1") for table in ("frames", "slots", "stack")),
        ):
            named = arguments if file.name in arguments else (*arguments, file.name)
            raw = run(*named, expect=0).raw_out.replace(b"\r\n", b"\n")  # the line ends of CSV
            for bad in (b"\x1b", b"\x07", b"\x7f", b"\xc2\x9b", "\u202e".encode(), b"\r"):
                assert bad not in raw, f"{bad} in the output of {named}"


@test
def commands_print_their_screens():
    for commands, screens in ((["objects; types"], 1), (["size 90x20", "objects"], 1), (["objects", "types"], 2),
                              (["objects", "screen", "types", "screen"], 2), (["wait all", "objects", "keys G; screen", "keys k"], 3)):
        steps = [word for command in commands for word in ("-e", command)]
        equal(run(*steps, unpacked(ONE), expect=0).out.count("1 Overview"), screens, f"screens of {commands}")
    result = run("-e", "objects", "-e", "screen", unpacked(ONE), expect=0)
    assert "0xc000" in result.out, result
    lines = result.out.rstrip("\n").split("\n")
    assert all(len(line) <= 80 for line in lines), "a line is longer than the screen"
    wide = run("--size", "132x50", "-e", "objects", unpacked(ONE), expect=0).out
    assert any(len(line) > 80 for line in wide.splitlines()), "the screen is not wider"


@test
def a_wrong_command_in_a_script_is_status_1():
    result = run("-e", "nonsense", unpacked(ONE), expect=1)
    assert "nonsense" in result.err, result


@test
def a_script_is_read_from_standard_input():
    with tempfile.TemporaryFile() as steps:
        steps.write(b"# a comment\n\ngoroutines\n")
        steps.seek(0)
        result = run("--script", "-", unpacked(ONE), stdin=steps, expect=0)
    assert "goroutines" in result.out, result


@test
def completion_is_valid_for_its_shell():
    for shell in ("bash", "fish", "zsh"):
        script = run("completion", shell, expect=0).out
        if shutil.which(shell):
            checked = subprocess.run([shell, "-n"], input=script, text=True, capture_output=True, check=False)
            equal((checked.returncode, checked.stderr), (0, ""), f"{shell} -n")
    assert run("completion", "zsh", expect=0).out.startswith("#compdef goheapx"), "zsh"


@test(builds=["gcc"])
def fish_completes_subcommands_tables_and_columns():
    if not shutil.which("fish"):
        raise Skip("there is no fish, package fish has it")
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder, "goheapx.fish")
        script.write_text(run("completion", "fish", expect=0).out, encoding="utf-8")
        for line, expected in (("goheapx li", "list"), ("goheapx list obj", "objects"),
                               ("goheapx info --js", "--json"), ("goheapx cache cl", "clear"),
                               ("goheapx list objects x.dump --sort refere", "references")):
            got = subprocess.run(["fish", "--no-config", "-c", f"source {script}; complete -C '{line}'"],
                                 env={**os.environ, "HOME": folder}, capture_output=True, text=True, check=False)
            words = [row.split("\t")[0] for row in got.stdout.splitlines()]
            assert expected in words, (line, got)


@test
def bash_completes_subcommands_tables_and_options():
    script = run("completion", "bash", expect=0).out
    for words, expected in (
        (["goheapx", "li"], "list"), (["goheapx", "list", "obj"], "objects"),
        (["goheapx", "info", "--js"], "--json"),
        (["goheapx", "list", "objects", "x.dump", "--where", "refere"], "references"),
    ):
        line = " ".join(words)
        ask = f"""{script}
complete -p goheapx >/dev/null || exit 3
COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; COMP_LINE='{line}'; COMP_POINT={len(line)}
function_name=$(complete -p goheapx | sed 's/.*-F \\([^ ]*\\).*/\\1/')
$function_name goheapx {words[-1]} {words[-2]}
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
        got = subprocess.run(["bash", "-c", ask], capture_output=True, text=True, check=False)
        assert expected in got.stdout.split(), (line, got)


@test
def former_names_are_understood():
    for now, *former in (("what-if", "freed", "cuts"), ("root-classes", "strengths"), ("merged-paths", "merged")):
        told = run("help", now, expect=0).out
        for name in former:
            equal(run("help", name, expect=0).out, told, name)
