"""goheapx watch: a snapshot at each bound, of a process that always lives on."""

import contextlib
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from harness import DEADLINE, ENVIRONMENT, PROGRAM, ROOT, SANITIZED, UNPACKED, Skip, answer, equal, run, test
from live import (
    PARK, control_group, executable, folder_of, goes_on, may_look, on_a_small_device, parked, running,
    wait_for,
)

MB = 1 << 20
CLIMBS = int(os.environ.get("HARM", "3" if SANITIZED else "8"))
TAKEN = re.compile(r"\S+Z Process (\d+) \(.*\) (reached|is above) (.*?)( already)?: .*, and it was stopped for "
                   r"[0-9.]+ (?:µs|us|ms|s) and copied(?: from a fork)?, [0-9.]+ [KM]B, to (.*\.core)\.")
USED = re.compile(r": ([0-9.]+) MB of ([0-9.]+) MB are used,")

# Takes memory: at once up to a first share of the limit, then slowly up to a second one. It notes how much is used.
CLIMBER = """
import mmap, sys, time
used, limit, first, last, log = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4]), sys.argv[5]
kept, log, stat = [], open(log, "w"), used.rpartition("/")[0] + "/memory.stat"
names = [f"{'total_' if 'usage' in used else ''}{kind}active_file" for kind in ("in", "")]
def without_files():
    rows = dict(line.split() for line in open(stat))
    return int(open(used).read()) - sum(int(rows[name]) for name in names)
def climb(share, step, wait):
    while True:
        now = without_files()
        print(time.monotonic(), now, file=log, flush=True)
        if now >= limit * share:
            return
        kept.append(mmap.mmap(-1, step))
        kept[-1].write(bytes([1]) * step)
        time.sleep(wait)
climb(first, 1 << 20, 0)
time.sleep(0.3)
climb(last, 1 << 18, 0.005)
print("there", flush=True)
time.sleep(600)
"""


def watching(*words, **how):
    return subprocess.Popen([PROGRAM, "watch", *map(str, words)], env=ENVIRONMENT, text=True, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, **how)


def line_of(program, word):
    """The next line that has a word."""
    killer = threading.Timer(DEADLINE, program.kill)
    killer.start()
    try:
        return next_line(program, word)
    finally:
        killer.cancel()


def next_line(program, word):
    for line in program.stdout:
        if word in line:
            return line
    raise AssertionError(f"no line with {word}: {program.stderr.read()}")


def ended(program, status):
    out, err = program.communicate(timeout=DEADLINE)
    equal(program.returncode, status, f"status with {out}{err}")
    return out, err


def all_of(folder):
    return sorted(os.listdir(folder))


def joins(folder, members):
    return lambda: (folder / members).write_text(str(os.getpid()))


def used_in(group, members, *words):
    """A process in a control group that takes memory of it."""
    used = group / ("memory.current" if members == "cgroup.procs" else "memory.usage_in_bytes")
    return running(sys.executable, "-c", CLIMBER, used, *map(str, words), stdout=subprocess.PIPE,
                   preexec_fn=joins(group, members))


@contextlib.contextmanager
def limited(megabytes):
    """A quiet process in a control group of its own with a limit, and that group."""
    with control_group() as (group, limit, members):
        (group / limit).write_text(str(megabytes * MB))
        try:
            with parked(PARK[0], "quiet", begin=joins(group, members)) as process:
                yield process, group, limit, members
        finally:
            wait_for(lambda: not (group / members).read_text().strip(), "the control group does not get empty")


def was_in_time(line, bound, limit, log):
    """What was used when it was read is at most what was used a second after the bound was crossed."""
    used, of = map(float, USED.search(line).groups())
    equal(of, limit / MB, "limit")
    rows = [tuple(map(float, row.split())) for row in log.read_text().splitlines()]
    crossed = next(when for when, now in rows if now >= limit * bound / 100)
    later = max(now for when, now in rows if when <= crossed + 1)
    assert limit * bound / 100 <= used * MB + MB and used * MB <= later + MB, (line, later / MB)


@test
def snapshots_are_taken_on_the_way_to_a_limit():
    """Again and again, and never does the process end of it: neither where goheapx is outside of the group, nor
    where it shares the limit."""
    may_look()
    megabytes, bounds = 100, ("70", "85", "95")
    with tempfile.TemporaryDirectory() as top:
        folder, log = pathlib.Path(top) / "out", pathlib.Path(top) / "log"
        for climb in range(CLIMBS):
            reports = climb == 0 and not SANITIZED  # in the time that others leave, of which sanitizers need much
            folder.mkdir()
            with limited(megabytes) as (process, group, _, members):
                program = watching(process.pid, "-o", folder, *(f"--at={bound}%" for bound in bounds),
                                   *(["--report"] if reports else []),
                                   preexec_fn=joins(group, members) if climb % 2 else None)
                line_of(program, "is followed")
                with used_in(group, members, megabytes * MB, 0.6, 0.97, log) as climber:
                    out, err = ended(program, 0)
                    goes_on(process)
                    climber.stdout.readline()  # it has noted all that it has taken
                equal(err, "", "stderr")
                lines = out.splitlines()
                taken = [TAKEN.fullmatch(line) for line in lines]
                equal({line.group(1, 2) for line in taken}, {(str(process.pid), "reached")}, f"lines of {out}")
                # on a busy machine two bounds may be crossed during one copy
                of_lines = [re.findall(r"(\d+)%", line.group(3)) for line in taken]
                equal(sum(of_lines, []), list(bounds), f"bounds of {out}")
                for of_line, line in zip(of_lines, lines):
                    for bound in of_line:
                        was_in_time(line, int(bound), megabytes * MB, log)
                    assert "fork" not in line, "a fork has no room near the limit"
                files = [TAKEN.fullmatch(line).group(5) for line in lines]
                equal(sorted(files), [str(folder / name) for name in all_of(folder) if name.endswith(".core")], "files")
                report = pathlib.Path(files[-1] + ".html")
                equal(report.exists(), reports, "report")
                assert not reports or "Growth" in report.read_text(), "the report compares nothing"
            info = answer("info", files[-1], "--exe", executable(PARK[0]))
            equal((info["snapshot_pid"], info["complete"], info["dangling_pointers"]), (process.pid, True, 0), "info")
            shutil.rmtree(folder)


@test
def a_bound_below_what_is_used_is_taken_at_once():
    may_look()
    folder = folder_of("watch-below")
    with parked(PARK[0], "quiet") as process:
        out = run("watch", process.pid, "--at", "1MB", "--at", "2MB", "-o", folder, expect=0).out.splitlines()
        equal(len(out), 2, f"lines of {out}")
        equal(TAKEN.fullmatch(out[1]).group(1, 2, 3, 4), (str(process.pid), "is above", "1MB and 2MB", " already"), out[1])
        equal(len(all_of(folder)), 1, "files")
        goes_on(process)


@test
def a_limit_that_is_lowered_is_seen():
    may_look()
    folder = folder_of("watch-lowered")
    with limited(300) as (process, group, limit, members):
        with used_in(group, members, 300 * MB, 0.3, 0.3, folder / "log") as other:
            assert other.stdout.readline(), "the climber has ended"
            program = watching(process.pid, "--at", "80%", "-o", folder)
            line_of(program, "of the 300.0 MB that its control group")
            (group / limit).write_text(str(100 * MB))
            out, _ = ended(program, 0)
            first, second = out.splitlines()
            assert "has a new limit" in first and "of the 100.0 MB" in first, first
            equal(TAKEN.fullmatch(second).group(3), "80%", second)
            goes_on(process)


@test
def growth_within_a_minute_is_a_bound():
    may_look()
    folder = folder_of("watch-rate")
    with subprocess.Popen([executable(PARK[0]), "1500", str(folder / "x"), "busy"], stdout=subprocess.DEVNULL, cwd="/",
                          env={"GOGC": "off", "GOMEMLIMIT": "200MiB", "GOMAXPROCS": "1"}) as process:
        try:
            program = watching(process.pid, "--rate", "20MB/min", "-o", folder)
            line = TAKEN.fullmatch(line_of(program, "added within a minute")[:-1])
            equal(line.group(2, 3), ("reached", "20MB/min"), "bound")
            ended(program, 0)
            goes_on(process)
        finally:
            process.kill()


def renamed(name):
    path = UNPACKED / f"{name}{os.getpid()}"
    shutil.copy(executable(PARK[0]), path)
    path.chmod(0o700)
    return path


@test
def a_process_that_restarts_is_followed_under_its_name():
    """Each start is a new process, at which bounds can be reached again; files and lines are limited in number."""
    may_look()
    folder, path, pids = folder_of("watch-restarts"), renamed("again"), []
    program = watching(path.name, "--at", "1MB", "--count", "2", "--report", "-o", folder)  # of one process
    try:
        line_of(program, "is waited for")
        for _ in range(3):  # the third snapshot is not taken before four seconds have passed
            with parked(PARK[0], "quiet", str(path)) as process:
                line_of(program, "1MB")
                pids.append(process.pid)
                goes_on(process)
        program.send_signal(signal.SIGTERM)
        out, err = ended(program, 3)
        equal(err, "", "stderr")
        assert out.count("has ended") <= 1, out
        equal(sorted(int(name.split("-")[1]) for name in all_of(folder)), sorted(pids[-2:]), f"files {all_of(folder)}")
    finally:
        program.kill()
        program.wait()
        path.unlink()


@test
def what_is_said_of_restarts_is_limited():
    folder, path, lines = folder_of("watch-often"), renamed("often"), []
    program = watching(path.name, "--at", "1G", "-o", folder)
    reader = threading.Thread(target=lambda: lines.extend(program.stdout))
    reader.start()
    try:
        for _ in range(6):
            with parked(PARK[0], "quiet", str(path)):
                time.sleep(1.3)
        time.sleep(1.3)
    finally:
        program.send_signal(signal.SIGINT)
        equal(program.wait(), 3, "status")
        reader.join()
        program.stderr.close()
        path.unlink()
    numbers = [int(number) for number in re.findall(r"number (\d+) of that name", "".join(lines))]
    equal((sum("is followed" in line for line in lines), numbers), (3, [2, 4]), f"lines {lines}")
    equal(all_of(folder), [], "files")


@test
def a_process_that_ends_is_told():
    folder = folder_of("watch-ends")
    with parked(PARK[0], "quiet") as process:
        program = watching(process.pid, "--at", "1G", "-o", folder)
        line_of(program, "is followed")
        process.kill()
        out, err = ended(program, 1)
        equal((out.count("\n"), err), (1, ""), "lines")
        assert f"Process {process.pid}" in out and "has ended" in out, out
    equal(all_of(folder), [], "files")


@test(each=[signal.SIGINT, signal.SIGTERM])
def a_signal_ends_it_and_a_snapshot_leaves_no_part(number):
    may_look()
    folder = folder_of(f"watch-signal{number}")
    with parked(PARK[0], "busy") as process:
        for wait in range(0, 12, 4 if SANITIZED else 2):
            program = watching(process.pid, "--at", "1MB", "--count", "1", "-o", folder)
            line_of(program, "is followed")
            time.sleep(wait * 0.01)
            program.send_signal(number)
            ended(program, 3)
            assert len(all_of(folder)) <= 1, all_of(folder)
            for name in all_of(folder):
                info = json.loads(run("info", folder / name, "--exe", executable(PARK[0]), "--json", expect=0).out)
                equal(info["whole"], True, name)
                (folder / name).unlink()
            goes_on(process)


@test
def commands_run_after_snapshots():
    may_look()
    folder = folder_of("watch-exec")
    command = f"echo $GOHEAPX_SNAPSHOT $GOHEAPX_PID $GOHEAPX_BOUND >{folder}/told; ls /proc/$$/fd >{folder}/open; exit 7"
    with parked(PARK[0], "quiet") as process:
        result = run("watch", process.pid, "--at", "1MB", "--exec", command, "-o", folder, expect=0)
        core = TAKEN.fullmatch(result.out.splitlines()[1]).group(5)
        equal((folder / "told").read_text(), f"{core} {process.pid} 1MB\n", "environment")
        assert set((folder / "open").read_text().split()) <= {"0", "1", "2", "10", "255"}, (folder / "open").read_text()
        equal(result.err, f"goheapx: {core}: The command of --exec that ran for it ended with status 7.\n", "stderr")
        goes_on(process)


@test
def a_folder_that_is_removed_is_told_once():
    may_look()
    folder, path = folder_of("watch-removed"), renamed("removed")
    program = watching(path.name, "--at", "1MB", "--at", "1G", "-o", folder)
    try:
        line_of(program, "is waited for")
        folder.rmdir()
        with parked(PARK[0], "quiet", str(path)) as process:
            line_of(program, "is followed")
            time.sleep(1)
            goes_on(process)
            program.send_signal(signal.SIGTERM)
            _, err = ended(program, 3)
        equal(err.count("\n"), 1, f"lines of {err}")
        assert "cannot be written" in err, err
    finally:
        program.kill()
        program.wait()
        path.unlink()


@test
def a_full_disk_is_told_and_leaves_no_part():
    may_look()
    done = on_a_small_device("watch-small", "1M", "watch", "PID", "--at", "1MB", "-o", "FOLDER")
    assert "there is no room for that" in done.stderr and ".core" not in done.stdout, done
    equal(done.stderr.count("\n"), 1, f"lines of {done.stderr}")


@test(each=["--max-size", "limit"])
def a_snapshot_that_is_impossible_is_told_once(why):
    """It may be too large, or a file of its size is not allowed."""
    may_look()
    folder = folder_of(f"watch-{why.strip('-')}")
    words = ["--max-size", "1M"] if why == "--max-size" else []
    limit = (lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (MB, MB))) if why == "limit" else None
    with parked(PARK[0], "quiet") as process:
        program = watching(process.pid, "--at", "1MB", "--at", "1500k", "-o", folder, *words, preexec_fn=limit)
        _, err = ended(program, 2)
        equal(err.count("\n"), 1, f"lines of {err}")
        equal(all_of(folder), [], "files")
        goes_on(process)


@test(each=[True, False])
def no_file_is_kept_in_memory_that_the_process_may_need(shared):
    """Where goheapx shares the limit of the process, a file in memory would be a part of what is limited."""
    may_look()
    if not os.path.ismount("/dev/shm"):
        raise Skip("there is no file system in memory at /dev/shm")
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder, limited(100) as (process, group, _, members):
        program = watching(process.pid, "--at", "1MB", "-o", folder, preexec_fn=joins(group, members) if shared else None)
        _, err = ended(program, 2 if shared else 0)
        equal(("kept in memory" in err, len(all_of(folder))), (shared, 0 if shared else 1), f"stderr and files: {err}")
        goes_on(process)


@test
def the_folder_is_tried_first():
    folder = folder_of("watch-folder")
    (folder / "file").write_text("")
    with parked(PARK[0], "quiet") as process:
        for path, says in ((folder / "file", "is not a folder"), (folder / "none", "No such file")):
            err = run("watch", process.pid, "--at", "1MB", "-o", path, expect=2).err
            assert says in err and err.count("\n") == 1, err
        goes_on(process)


@test
def the_folder_of_another_user():
    if os.getuid() != 0 or not shutil.which("setpriv"):
        raise Skip("only root can be another user, by setpriv")
    folder = folder_of("watch-other")
    folder.chmod(0o755)
    with parked(PARK[0], "quiet") as process:
        done = subprocess.run(["setpriv", "--reuid=65534", "--clear-groups", "--", PROGRAM, "watch", str(process.pid),
                               "--at", "1MB", "-o", folder], env=ENVIRONMENT, capture_output=True, text=True, check=False)
        if "setpriv" in done.stderr:
            raise Skip("another user cannot run goheapx here")
        equal((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr)
        assert "Permission denied" in done.stderr, done.stderr
        goes_on(process)


@test
def wrong_words_are_told():
    for words, says in (((), "--at 85%"), (("--at", "200%"), '"200%"'), (("--at", "much"), "much"), (("--at", "0"), '"0"'),
                        (("--rate", "50MB"), "50MB/min"), (("--rate", "x/min"), "x/min"),
                        (("--at", "1MB", "--report", "--count", "1"), "--count 2"),
                        (("--at", "1MB", "--gzip", "--zstd"), "not by both"),
                        (["--at=1MB"] * 17, "at most 16")):
        err = run("watch", os.getpid(), *words, expect=2).err
        assert says in err and err.count("\n") == 1, err
    assert "runs no Go program" in run("watch", os.getpid(), "--at", "1MB", expect=2).err
    assert "no process 4194999" in run("watch", 4194999, "--at", "1MB", expect=2).err
    assert "is not a process" in run("watch", "no/process", "--at", "1MB", expect=2).err


@test(builds=["gcc"])
def watching_takes_hardly_any_time():
    folder = folder_of("watch-cost")
    with parked(PARK[0], "quiet") as process:
        program = watching(process.pid, "--at", "1G", "--at", "90%", "--rate", "1G/min", "-o", folder)
        line_of(program, "is followed")
        before = processor_time(program.pid)
        time.sleep(4)
        used = processor_time(program.pid) - before
        program.send_signal(signal.SIGTERM)
        ended(program, 3)
    assert used <= 0.08, f"{used} s of processor time within 4 s"


def processor_time(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        return sum(map(int, file.read().rpartition(") ")[2].split()[11:13])) / os.sysconf("SC_CLK_TCK")


@test(builds=["gcc"])
def the_services_of_the_manual_begin():
    """The unit is one that systemd takes, and goheapx takes the words of unit and sidecar."""
    manual = (ROOT / "src" / "main" / "docs" / "manual.mdoc").read_text()
    unit = re.search(r"^\[Unit\]$.*?(?=^\.Ed$)", manual, re.M | re.S)[0].replace("/usr/bin/goheapx", PROGRAM)
    sidecar = re.search(r"command: \[(goheapx.*?)\]", manual)[1].replace('"', "").split(", ")
    folder = folder_of("watch-service")
    for words in (re.search(r"^ExecStart=(.*)$", unit, re.M)[1].replace("%%", "%").split(), sidecar):
        at = words.index("-o")
        program = watching("nobody-is-called-so", *words[3:at], "-o", folder, *words[at + 2:])
        line_of(program, "is waited for")
        program.send_signal(signal.SIGTERM)
        ended(program, 3)
    assert "SuccessExitStatus=3" in unit, unit
    if not shutil.which("systemd-analyze"):
        raise Skip("there is no systemd-analyze, package systemd has it")
    (folder / "watch.service").write_text(unit)
    done = subprocess.run(["systemd-analyze", "verify", folder / "watch.service"], capture_output=True, text=True, check=False)
    equal((done.returncode, done.stderr), (0, ""), "what systemd-analyze says")


@test(builds=["gcc"])
def who_reads_the_lines_may_go():
    """As head -1 does: the snapshot is taken all the same, and a command of --exec has signals as usual."""
    may_look()
    folder = folder_of("watch-head")
    with parked(PARK[0], "quiet") as process:
        program = watching(process.pid, "--at", "1MB", "-o", folder, "--exec", f"grep SigIgn /proc/self/status > {folder}/signals")
        program.stdout.close()
        equal(program.wait(60), 0, "status")
        equal(program.stderr.read(), "", "stderr")
        goes_on(process)
    equal(len([name for name in all_of(folder) if name.endswith(".core")]), 1, "snapshots")
    ignored = int((folder / "signals").read_text().split()[1], 16)
    equal(ignored >> (signal.SIGPIPE - 1) & 1, 0, "whether the command ignores closed pipes")
