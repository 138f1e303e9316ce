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
import textwrap
import time
import fcntl
import termios

from core_files import HERE, core, file
from executables import dump_of, exe_of
from harness import BUILD, DEADLINE, ONE, PROGRAM, ROOT, TESTDATA, Skip, answer, equal, run, test
from live import PARK, executable, may_look, parked

STATIC = ROOT / "build" / "static" / "goheapx"
ARM64 = ROOT / "build" / "release" / "goheapx-linux-arm64"
LIMIT = 60


@test
def the_version_says_with_what_it_was_built():
    lines = run("version", expect=0).out.splitlines()
    assert re.fullmatch(r"goheapx \d+\.\d+\.\d+\S*", lines[0]), lines
    assert re.match(r"built by (gcc|clang|.*Clang) ?\d", lines[1], re.I), lines
    for library in ("zlib", "liblzma", "zstd", "bzip2", "lz4", "jansson", "elfutils", "SQLite", "ncurses", "readline"):
        assert re.search(rf"\b{library} \d+\.\d", lines[2]), lines


PACKAGES = {"dpkg-deb": "dpkg", "dpkg-shlibdeps": "dpkg-dev", "strip": "binutils"}


def script(name, *arguments, tools=()):
    for tool in ("git", *tools):
        if not shutil.which(tool):
            raise Skip(f"there is no {tool}, package {PACKAGES.get(tool, tool)} has it")
    if not (ROOT / ".git").exists():
        raise Skip("this is no clone of the repository")
    done = subprocess.run(["sh", f"packaging/{name}", *map(str, arguments)], cwd=ROOT,
                          capture_output=True, text=True, timeout=DEADLINE, check=False)
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
                                  capture_output=True, text=True, timeout=DEADLINE, check=False)
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
                     "fish/vendor_completions.d/goheapx.fish", "doc/goheapx/copyright", "goheapx/drift/go1.19-drift-3.dump.xz", "zsh/vendor-completions/_goheapx",
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
                                  text=True, timeout=DEADLINE, check=False, **inside(folder))
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


@test(builds=["gcc"], most=0)
def the_image_opens_a_core_and_a_process():
    """Where buildah is, which runs what it builds without a daemon; make static is run for it."""
    if not shutil.which("buildah"):
        raise Skip("there is no buildah, package buildah has it")
    if not STATIC.exists():
        subprocess.run(["make", "--no-print-directory", "static"], cwd=ROOT, check=True, timeout=1500, capture_output=True)
    dump, exe = core(HERE[0]), file(HERE[0], "exe")
    with tempfile.TemporaryDirectory() as folder:
        def buildah(*words):
            store = ("--storage-driver", "vfs", "--root", f"{folder}/images", "--runroot", f"{folder}/run")
            return subprocess.run(["buildah", *store, *map(str, words)], capture_output=True, text=True, timeout=300,
                                  check=True).stdout

        image = buildah("build", "--isolation", "chroot", "-q", "-f", ROOT / "packaging/Containerfile", STATIC.parent)
        container = buildah("from", image.strip()).strip()
        told = buildah("run", "--isolation", "chroot", "-v", f"{pathlib.Path(dump).parent}:/in:ro", container, "--", "/goheapx",
                       "list", "goroutines", f"/in/{pathlib.Path(dump).name}", f"/in/{pathlib.Path(exe).name}", "--csv")
        equal(told, run("list", "goroutines", dump, exe, "--csv", expect=0).out.replace("\r\n", "\n"), "goroutines")
        may_look()
        with parked(PARK[1], "quiet") as process:
            words = ("list", "groups", str(process.pid), "--csv", "--columns", "count", "--where", "wait_reason = 'chan receive'")
            told = buildah("run", "--isolation", "chroot", "--cap-add", "CAP_SYS_PTRACE", container, "--", "/goheapx", *words)
            equal(told, run(*words, "-y", expect=0).out.replace("\r\n", "\n"), "groups of goroutines of a process")


@test(each=HERE, builds=["gcc"])
def the_program_of_another_architecture_answers_the_same(name):
    if not shutil.which("qemu-aarch64"):
        raise Skip("there is no qemu-aarch64, package qemu-user has it; make release builds what it runs")
    if not ARM64.exists():
        raise Skip("make release builds it")
    dump, exe = core(name), file(name, "exe")
    built = subprocess.run(["qemu-aarch64", ARM64, "version"], capture_output=True, text=True, check=True).stdout
    if built.splitlines()[0] != run("version").out.splitlines()[0]:
        raise Skip("make release has built another version")
    for words in (("info",), ("list", "goroutines", "--csv"), ("list", "types", "--csv"), ("list", "owners", "--csv"),
                  ("list", "where", "--csv"), ("list", "memory", "--csv"), ("list", "collections", "--csv")):
        table = words[:2] if words[0] == "list" else words[:1]
        question = (*table, dump, exe, *words[len(table):])
        done = subprocess.run(["qemu-aarch64", ARM64, *question], capture_output=True, text=True, timeout=DEADLINE, check=False,
                              env={**os.environ, "XDG_CACHE_HOME": "/nonexistent"})
        equal((done.returncode, done.stdout), (0, run(*question, expect=0).out.replace("\r\n", "\n")), words)


# ---- In a cluster

KUBECTL = r"""#!/bin/sh
# Stands for a cluster with one pod: what a container runs, this machine runs.
echo "$*" >>"$TOLD"
while [ $# -gt 0 ] && [ "$1" != -- ]; do
	case $1 in debug | exec | get) what=$1 ;; esac
	last=$1
	shift
done
case $what in
get) case $last in *containers*) echo main ;; *) echo '{"running":{}}' ;; esac ;;
exec) shift 2; [ -n "${FAILS:-}" ] && { printf half; exit 1; }; exec "$PROGRAM" "$@" ;;
esac
"""


@test(builds=["gcc"])
def a_snapshot_of_a_pod_is_copied_with_its_executable():
    may_look()
    with parked(PARK[1], "quiet") as process, tempfile.TemporaryDirectory() as folder:
        kubectl = pathlib.Path(folder, "kubectl")
        kubectl.write_text(KUBECTL)
        kubectl.chmod(0o755)
        told = pathlib.Path(folder, "told")

        def plugin(*words, **more):
            return subprocess.run(["sh", ROOT / "packaging/kubectl-goheapx", *words], cwd=folder, capture_output=True,
                                  text=True, timeout=DEADLINE, check=False, stdin=subprocess.DEVNULL,
                                  env={"PATH": f"{folder}:{os.environ['PATH']}", "TOLD": str(told), "PROGRAM": PROGRAM, **more})

        done = plugin("web-1", "-n", "shop", "-p", str(process.pid), "-i", "registry/goheapx:1")
        equal((done.returncode, done.stdout), (0, "web-1.core, web-1.core.exe\n"), done.stderr)
        assert "registry/goheapx:1" in told.read_text() and "-n shop" in told.read_text(), told.read_text()
        assert answer("list", "goroutines", f"{folder}/web-1.core"), "no goroutine"
        equal(plugin().returncode, 2, "without a pod")
        kept = pathlib.Path(folder, "web-1.core").stat().st_mtime_ns
        equal(plugin("web-1", "-p", str(process.pid), FAILS="1").returncode, 1, "a cut copy")
        equal((sorted(path.name for path in pathlib.Path(folder).glob("web*")),
               pathlib.Path(folder, "web-1.core").stat().st_mtime_ns), (["web-1.core", "web-1.core.exe"], kept), "no half file")


@test(builds=["gcc"])
def a_step_of_a_workflow_checks_assertions():
    step = textwrap.dedent((ROOT / "packaging/action.yml").read_text().partition("run: |\n")[2])
    dump, exe = dump_of(ONE), exe_of(ONE)
    with tempfile.TemporaryDirectory() as folder:
        for asserted, status in (("bytes() > 0\ntypes() > 0\n", 0), ("bytes() > 0\nbytes() < 7\n", 1)):
            report = pathlib.Path(folder, f"{status}.html")
            done = subprocess.run(["sh", "-e", "-c", step], capture_output=True, text=True, timeout=DEADLINE, check=False, env={
                **os.environ, "DUMP": dump, "EXE": exe, "OLD": "", "ASSERT": asserted,
                "REPORT": str(report), "GOHEAPX": PROGRAM})
            equal((done.returncode, report.exists()), (status, True), done)


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
            if b"MB heap" in shown and not told:
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
