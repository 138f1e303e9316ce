"""What is given away: one file without shared libraries, a Debian package, the source as one file."""

import gzip
import io
import os
import pathlib
import pty
import re
import select
import shutil
import struct
import subprocess
import tarfile
import tempfile
import time
import fcntl
import termios

from harness import BUILD, ONE, PROGRAM, ROOT, TESTDATA, Skip, equal, run, test

STATIC = ROOT / "build" / "static" / "goheapx"
LIMIT = 20


@test
def the_version_says_with_what_it_was_built():
    lines = run("version", expect=0).out.splitlines()
    assert re.fullmatch(r"goheapx \d+\.\d+\.\d+\S*", lines[0]), lines
    assert re.match(r"built by (gcc|clang|.*Clang) ?\d", lines[1], re.I), lines
    for library in ("zlib", "liblzma", "zstd", "bzip2", "lz4", "jansson", "elfutils", "SQLite", "ncurses", "readline"):
        assert re.search(rf"\b{library} \d+\.\d", lines[2]), lines


def script(name, *arguments, tools=()):
    for tool in ("git", *tools):
        if not shutil.which(tool):
            raise Skip(f"{tool} is not installed")
    if not (ROOT / ".git").exists():
        raise Skip("this is no clone of the repository")
    done = subprocess.run(["sh", f"packaging/{name}", *map(str, arguments)], cwd=ROOT,
                          capture_output=True, text=True, timeout=100, check=False)
    equal((done.returncode, done.stderr), (0, ""), name)
    return pathlib.Path(done.stdout.strip().splitlines()[-1])


@test(builds=["gcc"])
def the_source_is_the_same_bytes_each_time_and_knows_its_version():
    with tempfile.TemporaryDirectory() as folder:
        first = script("dist.sh", "1.2.3", f"{folder}/a").read_bytes()
        time.sleep(1.1)  # what a clock would change
        equal(script("dist.sh", "1.2.3", f"{folder}/b").read_bytes() == first, True, "same bytes")
        with tarfile.open(fileobj=io.BytesIO(gzip.decompress(first))) as tar:
            names = tar.getnames()
            equal(tar.extractfile("goheapx-1.2.3/VERSION").read(), b"1.2.3\n", "version")
        for name in ("Makefile", "LICENSE", "src/main/main.c", "man/goheapx.1", "packaging/deb.sh"):
            assert f"goheapx-1.2.3/{name}" in names, name


@test(builds=["gcc"])
def the_package_installs_and_is_removed():
    with tempfile.TemporaryDirectory() as folder:
        package = script("deb.sh", BUILD / "goheapx", "1.2.3", folder, tools=("dpkg-deb", "dpkg-shlibdeps", "strip"))
        root = pathlib.Path(folder, "root")
        admin = root / "var/lib/dpkg"
        for name in ("info", "updates", "triggers"):
            (admin / name).mkdir(parents=True)
        for name in ("status", "available"):
            (admin / name).touch()
        if shutil.which("lintian"):
            done = subprocess.run(["lintian", "--allow-root", "--fail-on", "error", package],
                                  capture_output=True, text=True, timeout=100, check=False)
            equal(done.returncode, 0, f"lintian: {done.stdout}{done.stderr}")
        fields = subprocess.run(["dpkg-deb", "-f", package, "Version", "Depends"], capture_output=True,
                                text=True, check=True).stdout
        assert "Version: 1.2.3-1" in fields and "libsqlite3-0" in fields, fields
        if os.geteuid() != 0:
            raise Skip("only root can install packages")
        dpkg = ["dpkg", f"--root={root}", "--force-depends", "--force-not-root", "--force-script-chrootless"]
        subprocess.run([*dpkg, "--install", package], capture_output=True, check=True)
        equal(subprocess.run([root / "usr/bin/goheapx", "version"], capture_output=True, text=True,
                             check=True).stdout, run("version").out, "version")
        for name in ("man/man1/goheapx.1.gz", "man/man7/goheapx-tutorial.7.gz",
                     "fish/vendor_completions.d/goheapx.fish", "doc/goheapx/copyright", "zsh/vendor-completions/_goheapx",
                     "bash-completion/completions/goheapx"):
            assert (root / "usr/share" / name).is_file(), name
        subprocess.run([*dpkg, "--purge", "goheapx"], capture_output=True, check=True)
        equal([path for path in root.rglob("*") if path.is_file() and "goheapx" in str(path.relative_to(root))],
              [], "files left")


# ---- Alone in an empty folder: no libraries, no /tmp, no /proc, no descriptions of terminals

def alone(folder):
    if not STATIC.exists():
        raise Skip("make static builds it")
    if os.geteuid() != 0:
        raise Skip("only root can change the root folder")
    shutil.copy(STATIC, f"{folder}/goheapx")
    shutil.copy(TESTDATA / f"{ONE}.dump.xz", f"{folder}/dump.xz")
    shutil.copy(TESTDATA / f"{ONE}.exe.xz", f"{folder}/exe.xz")


def inside(folder):
    return {"cwd": "/", "preexec_fn": lambda: (os.chroot(folder), os.chdir("/"))}


@test(builds=["gcc"])
def the_single_file_answers_in_an_empty_root():
    with tempfile.TemporaryDirectory() as folder:
        alone(folder)

        def ask(*arguments, stdin=""):
            done = subprocess.run(["/goheapx", *arguments], input=stdin, env={}, capture_output=True,
                                  text=True, timeout=100, check=False, **inside(folder))
            equal((done.returncode, done.stderr), (0, ""), arguments)
            return done.stdout

        assert "without shared libraries" in ask("version"), "how it was linked"
        dump, exe = TESTDATA / f"{ONE}.dump.xz", TESTDATA / f"{ONE}.exe.xz"
        for question in (("list", "types"), ("list", "owners"), ("list", "goroutines")):
            equal(ask(*question, "/dump.xz", "--exe", "/exe.xz", "--csv"),
                  run(*question, dump, "--exe", exe, "--csv", expect=0).out.replace("\r\n", "\n"), question)
        query = "select type, count(*) as n from objects group by type order by n desc, type"
        equal(ask("sql", "/dump.xz", "--exe", "/exe.xz", "--csv", stdin=query + ";"),
              run("sql", dump, query, "--exe", exe, "--csv", expect=0).out.replace("\r\n", "\n"), "query")
        ask("report", "/dump.xz", "/exe.xz", "-o", "/leak.html")
        assert pathlib.Path(folder, "leak.html").stat().st_size > 10000


def draw(program, terminal, language, **options):
    """What the explorer draws until there are goroutines; then it is quit."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    process = subprocess.Popen(program, stdin=theirs, stdout=theirs, stderr=theirs,
                               env={"TERM": terminal, "LANG": language}, start_new_session=True, **options)
    os.close(theirs)
    shown, until, told = b"", time.monotonic() + LIMIT, False
    try:
        while time.monotonic() < until:
            if select.select([ours], [], [], 0.1)[0]:
                shown += os.read(ours, 65536)
            if b"GOROUTINES" in shown and not told:
                told = os.write(ours, b"q")
    except OSError:  # it has closed the terminal
        pass
    finally:
        status = process.wait(LIMIT) if told else process.kill()
        process.wait()
        os.close(ours)
    equal(status, 0, f"status after {shown[-300:]}")
    return shown


@test(each=["xterm", "xterm-256color", "screen", "screen-256color", "tmux", "tmux-256color", "linux"],
      builds=["gcc"])
def the_single_file_draws_screens_in_an_empty_root(terminal):
    with tempfile.TemporaryDirectory() as folder:
        alone(folder)
        shown = draw(["/goheapx", "/dump.xz"], terminal, "en_US.UTF-8", **inside(folder))
        assert b"\x1b[4;2H" in shown, shown[-300:]


@test(builds=["gcc"])
def letters_need_no_locale_of_that_name():
    shown = draw([PROGRAM, str(TESTDATA / f"{ONE}.dump.xz")], "xterm", "xx_YY.UTF-8")
    assert "──".encode() in shown, shown[-300:]
