"""Processes that tests look into, and what must hold of them afterwards."""

import contextlib
import ctypes
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

import harness
from harness import ENVIRONMENT, TESTDATA, UNPACKED, Skip, equal, unpack

LIBC = ctypes.CDLL(None, use_errno=True)
SEIZE, DETACH = 0x4206, 17


def ptrace(request, pid, data=0):
    """As the system call; False: it is refused."""
    return LIBC.ptrace(request, pid, ctypes.c_void_p(0), ctypes.c_void_p(data)) == 0


def may_look():
    """Are we allowed to trace a child of ours?"""
    with running("sleep", "60") as child:
        if not ptrace(SEIZE, child.pid):
            raise Skip("ptrace is not allowed here")
        LIBC.ptrace(DETACH, child.pid, None, None)


# How many snapshots of each kind of process: `make harm` takes 300.
TIMES = int(os.environ.get("HARM", "4" if harness.SANITIZED else "20"))
CORE = UNPACKED / f"harm.{os.getpid()}.core"
PARK = ["go1.26-park-stripped-quiet", "go1.19-park-plain-quiet"]


def executable(name):
    path = unpack(TESTDATA / "core" / f"{name}.exe.xz", UNPACKED / f"{name}.run")
    if not os.access(path, os.X_OK):
        os.chmod(path, 0o700)  # only once: it is a change that goheapx would tell of
    return path


@contextlib.contextmanager
def running(*words, says=None, **options):
    """A process, until the block ends. Its first line on the standard output is `says`."""
    if says is not None:
        options.setdefault("stdout", subprocess.PIPE)
    process = subprocess.Popen(words, **{"stdin": subprocess.DEVNULL, **options})
    try:
        if says is not None:
            equal(process.stdout.readline(), says, "what it says")
        yield process
    finally:
        process.kill()
        process.wait()


@contextlib.contextmanager
def parked(name, how, path=None, processors=None, begin=None, items=1500):
    """A process that has made its heap: quiet ones wait, busy ones go on allocating. begin() runs in it
    before the program does. 40,000 items take 24 MB."""
    out = UNPACKED / f"live.{os.getpid()}"
    process = subprocess.Popen([path or executable(name), str(items), str(out), how], cwd="/",
                               env={"GOMAXPROCS": str(processors)} if processors else {},
                               stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, preexec_fn=begin)
    try:
        assert process.stdout.readline(), "the process has ended"
        if process.poll() is not None:
            raise Skip("this machine does not run amd64 programs")
        yield process
    finally:
        process.kill()
        process.wait()
        for path in out.parent.glob(out.name + "*"):
            path.unlink()


def status(pid):
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        return dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)


def worked(process):
    """Ticks of processor time that all its threads have had."""
    with open(f"/proc/{process.pid}/stat", encoding="utf-8") as file:
        return sum(map(int, file.read().rpartition(") ")[2].split()[11:13]))


def of_threads(pid, file):
    """What a file of each of its threads holds, by the thread's id; those that end meanwhile are left out."""
    contents = {}
    for thread in os.listdir(f"/proc/{pid}/task"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            with open(f"/proc/{pid}/task/{thread}/{file}", encoding="utf-8") as opened:
                contents[int(thread)] = opened.read()
    return contents


def wait_for(condition, what):
    deadline = time.monotonic() + harness.DEADLINE
    while not condition():
        assert time.monotonic() < deadline, what() if callable(what) else what
        time.sleep(0.02)


def goes_on(process):
    """It runs, untraced, all threads of it; it is given a moment to be let go."""

    def state():
        threads = [text.partition("State:\t")[2][:1] for text in of_threads(process.pid, "status").values()]
        return status(process.pid)["TracerPid"], "".join(sorted(threads))

    wait_for(lambda: re.fullmatch("0[RSD]+", "".join(state())), lambda: f"tracer and states of threads: {state()}")


def restless_program():
    path = unpack(TESTDATA / "processes" / "restless.exe.xz", UNPACKED / "restless")
    if not os.access(path, os.X_OK):
        os.chmod(path, 0o755)  # only once: it is a change that goheapx would tell of
    return path


@contextlib.contextmanager
def restless(how, *before, path=None, variables=(), **options):
    """A process of the program, which has begun; `before` are words that start it."""
    process = subprocess.Popen([*before, path or restless_program()], cwd="/", env={"RESTLESS": how, **dict(variables)}, stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, **options)
    try:
        if process.stdout.readline() != b"begun\n":
            raise Skip(f"this machine does not run it: status {process.wait()}")
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()
        CORE.unlink(missing_ok=True)


def snapshot(pid, *words, by=()):
    """What is said of a snapshot, and its status."""
    try:
        done = subprocess.run([*by, harness.PROGRAM, "snapshot", str(pid), "-y", "-o", str(CORE), *words], env=ENVIRONMENT,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=harness.DEADLINE, check=False)
    except subprocess.TimeoutExpired as error:
        raise AssertionError("goheapx hangs") from error
    return done.returncode, done.stdout + done.stderr


def snapshot_in_time(pid, *words):
    """The same, again while a machine with too much to do stops or copies nothing in time: then everything goes on."""
    deadline = time.monotonic() + harness.DEADLINE
    while True:
        code, told = snapshot(pid, *words)
        late = "try again later" in told or "could not be stopped in time" in told
        if not code or not late or time.monotonic() > deadline:
            return code, told


def copies(pid):
    """Children that are neither its own nor alive: those of the process are told to it by SIGCHLD when they end."""
    left = []
    for child in " ".join(of_threads(pid, "children").values()).split():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            with open(f"/proc/{child}/stat", encoding="utf-8") as file:
                if int(file.read().rpartition(") ")[2].split()[35]) != signal.SIGCHLD:
                    left.append(child)
    return left


def folder_of(name):
    """An empty one, of this program's own: the same tests of another build may run beside these."""
    folder = UNPACKED / f"{name}.{harness.BUILD.name}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def is_interrupted(how, *words):
    """Snapshots of a process that are interrupted at several moments: each leaves the file that has its
    name and is whole, or none."""
    folder = folder_of(f"interrupted{''.join(words)}")
    with parked(PARK[0], how) as process:
        for wait in range(14):
            program = subprocess.Popen(
                [harness.PROGRAM, "snapshot", str(process.pid), "-y", "-o", str(folder / "x"), *words],
                env={**ENVIRONMENT, "TMPDIR": str(folder)}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(wait * (0.02 if how == "quiet" else 0.003))
            program.send_signal(signal.SIGINT)
            whole = program.wait() == 0
            left = [path.name for path in folder.iterdir()]
            assert left == ["x"] or (not left and not whole), f"{left} at status {program.returncode}"
            for path in folder.iterdir():  # it may have had its name before the signal came
                info = harness.answer("info", path, "--exe", executable(PARK[0]))
                equal((info["whole"], info["complete"]), (True, True),
                      f"whole, complete, after {wait} waits, of {info.get('state')} {info.get('warnings')}")
                path.unlink()
            goes_on(process)


@contextlib.contextmanager
def control_group():
    """A folder for a control group with memory of its own, and the names of its limit and of its processes."""
    first = pathlib.Path("/sys/fs/cgroup/memory")
    top, limit, members = (first, "memory.limit_in_bytes", "tasks") if first.is_dir() else \
        (first.parent, "memory.max", "cgroup.procs")
    folder = top / f"goheapx-test-{os.getpid()}"
    try:
        folder.mkdir()
    except OSError as why:
        raise Skip(f"no control group can be made: {why.strerror}") from why
    try:
        if not (folder / limit).exists():
            raise Skip("control groups here have no limit of memory")
        yield folder, limit, members
    finally:
        folder.rmdir()


def on_a_small_device(name, size, *words):
    """What is said of a snapshot for which there is no room; it leaves no file, and the process goes on.
    PID and FOLDER in the words stand for the process and for the folder that is small."""
    if os.getuid() != 0 or not shutil.which("unshare"):
        raise Skip("only root can mount a small file system")
    folder = folder_of(name)
    script = ('mount -t tmpfs -o size="$1" none "$2" || exit 9; program=$0; folder=$2; shift 2; '
              '"$program" "$@"; s=$?; ls "$folder"; exit $s')
    with parked(PARK[0], "quiet") as process:
        words = [word.replace("PID", str(process.pid)).replace("FOLDER", str(folder)) for word in words]
        done = subprocess.run(["unshare", "-m", "sh", "-c", script, harness.PROGRAM, size, str(folder), *words],
                              env=ENVIRONMENT, capture_output=True, text=True, check=False)
        if done.returncode in (1, 9):
            raise Skip("no file system can be mounted here")
        assert done.returncode == 2, done
        goes_on(process)
    return done


@contextlib.contextmanager
def in_group(pid, controller, first, second):
    """The process in a control group of its own, with what is written to its files: of version 1, and of version 2.
    The names of these are told where there are none here."""
    top = pathlib.Path("/sys/fs/cgroup")
    if first and (top / controller).is_dir():
        top, values = top / controller, first
    else:
        top, values = top / "unified" if (top / "unified").is_dir() else top, second
    group = top / f"goheapx-test-{os.getpid()}-{pid}"
    try:
        group.mkdir()
    except OSError as why:
        raise Skip(f"no control group can be made: {why.strerror}") from why
    try:
        if not values or not all((group / name).exists() for name in values):
            raise Skip(f"control groups here have no {' '.join(values) or controller}")
        (group / "cgroup.procs").write_text(str(pid))
        for name, value in values.items():
            (group / name).write_text(value)
        yield group
    finally:
        for name, value in (("freezer.state", "THAWED"), ("cgroup.freeze", "0")):
            if (group / name).exists():
                (group / name).write_text(value)
        with contextlib.suppress(OSError):
            (top / "cgroup.procs").write_text(str(pid))
        wait_for(lambda: not (group / "cgroup.procs").read_text().strip(), "the control group does not get empty")
        group.rmdir()


def snapshot_into(path, process):
    """Takes one of a process that runs."""
    subprocess.run([harness.PROGRAM, "snapshot", str(process.pid), "-y", "-o", path], env=ENVIRONMENT, check=True,
                   stdout=subprocess.DEVNULL)
