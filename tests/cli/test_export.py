"""Where an export is written to, and what happens when that fails. What is written is tested by format."""

import os
import signal
import stat
import subprocess
import tempfile

import harness
from harness import ENVIRONMENT, ONE, TESTDATA, equal, run, test, truth, unpacked
from survive import contents, file_of

FORMAT = ("export", "--format", "chromium-heap")
WHOLE = ("hprof", "heapsnapshot", "pprof", "pprof-alloc", "folded")  # written of any dump of a program
GRAPHS = ("dot", "dot-tree")  # of one object


@test
def a_file_is_its_owners_and_takes_the_place_of_what_was_there():
    right = run(*FORMAT, unpacked(ONE), expect=0).raw_out
    with tempfile.TemporaryDirectory() as folder:
        made, link = os.path.join(folder, "x"), os.path.join(folder, "y")
        os.symlink("x", link)
        for name in (made, link):
            equal(run(*FORMAT, unpacked(ONE), "-o", name, expect=0).raw_out, b"", "printed")
            with open(made, "rb") as file:
                equal(file.read(), right, name)
            equal(stat.S_IMODE(os.stat(made).st_mode), 0o600, "mode")
            with open(made, "w", encoding="ascii") as file:
                file.write("old")
        assert os.path.islink(link), "the link"
        equal(sorted(os.listdir(folder)), ["x", "y"], "files")
    equal(run(*FORMAT, unpacked(ONE), "--output=-", expect=0).raw_out, right, "the standard output")


@test
def a_device_stays_what_it_is():
    run(*FORMAT, unpacked(ONE), "-o", "/dev/null", expect=0)
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    result = run(*FORMAT, unpacked(ONE), "-o", "/dev/full", expect=2)
    assert "cannot be written: No space left on device" in result.err, result


@test(each=WHOLE + GRAPHS)
def every_format_ends_whole_or_not_at_all(form):
    """A pipe that is closed, a disk that is full, a folder that is not there, and a file."""
    words = ["export", "--format", form, unpacked(ONE)]
    words += [truth(ONE)["Objects"]["deep2"]["addr"]] if form in GRAPHS else []
    right = run(*words, "-o", "-", expect=0).raw_out
    assert "No space left on device" in run(*words, "-o", "/dev/full", expect=2).err
    with tempfile.TemporaryDirectory() as folder:
        made = os.path.join(folder, "x")
        assert "cannot be written" in run(*words, "-o", f"{folder}/no/x", expect=2).err
        limited = subprocess.run(
            ["sh", "-c", 'ulimit -f 1; exec "$@"', "sh", harness.PROGRAM, *words, "-o", made],
            env=ENVIRONMENT, capture_output=True, check=False,
        )
        assert limited.returncode == 2 and b"File too large" in limited.stderr, limited
        equal(os.listdir(folder), [], "files that are left")
        run(*words, "-o", made, expect=0)
        with open(made, "rb") as file:
            equal(file.read(), right, "the file")
        equal(stat.S_IMODE(os.stat(made).st_mode), 0o600, "mode")
    with subprocess.Popen(["sh", "-c", '"$@"; echo $? >&2', "sh", harness.PROGRAM, *words], env=ENVIRONMENT,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() in (b"2\n", b"141\n"), "the program says something, or goes on"


@test
def a_database_ends_whole_or_not_at_all():
    with tempfile.TemporaryDirectory() as folder:
        words = [harness.PROGRAM, "export", "--format", "sqlite", unpacked(ONE), "-o", os.path.join(folder, "x")]
        limited = subprocess.run(["sh", "-c", 'ulimit -f 100; exec "$@"', "sh", *words],
                                 env=ENVIRONMENT, capture_output=True, check=False)
        assert limited.returncode == 2 and b"File too large" in limited.stderr, limited
        equal(os.listdir(folder), [], "files that are left")
        with subprocess.Popen(words, env=ENVIRONMENT) as process:
            while process.poll() is None and not os.listdir(folder):
                pass
            process.send_signal(signal.SIGINT)
        assert process.returncode in (-signal.SIGINT, 0), process.returncode
        equal(os.listdir(folder), [] if process.returncode else ["x"], "files that are left")


@test(each=WHOLE)
def the_name_of_the_file_says_the_format(form):
    with tempfile.TemporaryDirectory() as folder:
        run("export", unpacked(ONE), "-o", f"{folder}/x.{form}", expect=0)
        right = run("export", "--format", form, unpacked(ONE), "-o", "-", expect=0).raw_out
        with open(f"{folder}/x.{form}", "rb") as file:
            equal(file.read(), right, form)
        assert "Name the format" in run("export", unpacked(ONE), "-o", f"{folder}/x.y", expect=2).err


@test
def what_is_read_is_never_replaced():
    """By whatever name: the dump, older ones, the executable."""
    with tempfile.TemporaryDirectory() as folder:
        names = {name: os.path.join(folder, name) for name in ("new", "old", "exe", "link", "hard")}
        for name in ("new", "old", "exe"):
            with open(names[name], "wb") as file:
                file.write(contents(ONE))
        for name in ("new", "old", "exe"):
            os.symlink(names[name], names["link"])
            os.link(names[name], names["hard"])
            for target in (name, "link", "hard"):
                for words in (("list", "types", names["new"], "--since", names["old"]), ("report", names["new"]),
                              ("export", "csv", names["new"]) if name == "new" else ("info", names["new"])):
                    if name == "old" and "--since" not in words:
                        continue
                    told = run(*words, "--exe", names["exe"], "-o", names[target])
                    assert told.status == 2 and told.err.count("\n") == 1, told
            os.unlink(names["link"])
            os.unlink(names["hard"])
        for name in ("new", "old", "exe"):
            with open(names[name], "rb") as file:
                equal(file.read(), contents(ONE), name)


@test
def what_fails_leaves_nothing():
    log = TESTDATA / "netcf/small.gclog"
    with file_of(contents(ONE)) as dump, tempfile.TemporaryDirectory() as folder:
        made = os.path.join(folder, "x")
        for arguments, text in (
            ([log, "-o", made], "no sizes by call stack"),
            ([dump.name, "allocator=none", "-o", made], "There is no such heap"),
            ([dump.name, "-o", dump.name], "would be overwritten"),
            ([dump.name, "-o", f"{folder}/no/x"], "cannot be written"),
            ([dump.name, "-o", folder], "cannot be written"),
        ):
            result = run(*FORMAT, *arguments)
            assert result.status in (1, 2) and text in result.err and not result.out, result
        equal(os.listdir(folder), [], "files that are left")
        with open(dump.name, "rb") as file:
            equal(file.read(), contents(ONE), "the dump")


@test
def a_file_that_grows_too_large_leaves_what_was_there():
    with tempfile.TemporaryDirectory() as folder:
        made = os.path.join(folder, "x")
        with open(made, "w", encoding="ascii") as file:
            file.write("old")
        words = [harness.PROGRAM, *FORMAT, unpacked(ONE), "-o", made]
        result = subprocess.run(
            ["sh", "-c", 'ulimit -f 1; exec "$@"', "sh", *words], env=ENVIRONMENT,
            capture_output=True, check=False,
        )
        equal(result.returncode, 2, "status")
        assert b"cannot be written: File too large" in result.stderr, result
        with open(made, encoding="ascii") as file:
            equal(file.read(), "old", "what was there")
        equal(os.listdir(folder), ["x"], "files that are left")


@test(each=[signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def an_interrupted_export_leaves_nothing(number):
    """The signal comes once the file is begun; it may come too late."""
    with tempfile.TemporaryDirectory() as folder:
        words = [harness.PROGRAM, *FORMAT, unpacked(ONE), "-o", os.path.join(folder, "x")]
        with subprocess.Popen(words, env=ENVIRONMENT) as process:
            while process.poll() is None and not os.listdir(folder):
                pass
            process.send_signal(number)
        assert process.returncode in (-number, 0), process.returncode
        equal(os.listdir(folder), [] if process.returncode else ["x"], "files that are left")


@test
def help_and_completion_name_the_formats():
    for arguments in (["help", "export"], ["completion", "bash"], ["completion", "zsh"], ["manual"]):
        assert "chromium-heap" in run(*arguments, expect=0).out, arguments
