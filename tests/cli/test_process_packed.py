"""Snapshots that are compressed: the process is let go first, and the file is whole or not there."""

import gzip
import os
import shutil
import signal
import subprocess
import time

from harness import ENVIRONMENT, PROGRAM, UNPACKED, Skip, answer, equal, run, test
from core_files import core as core_file
from live import PARK, executable, goes_on, may_look, parked, status

WAYS = {"--gzip": (".gz", b"\x1f\x8b"), "--zstd": (".zst", b"\x28\xb5\x2f\xfd")}


def folder_of(name):
    folder = UNPACKED / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


@test(each=list(WAYS))
def a_compressed_snapshot_is_read_as_it_is(way):
    may_look()
    suffix, magic = WAYS[way]
    folder = folder_of(f"packed{way}")
    name = PARK[1]
    with parked(name, "quiet") as process:
        told = run("snapshot", str(process.pid), way, "-y", cwd=folder, expect=0).out
        files = list(folder.iterdir())
        equal(len(files), 1, "files")
        path, copy = files[0], folder / "plain.core"
        assert path.name.endswith(f"-{process.pid}.core{suffix}") and path.name in told, told
        assert ", compressed from " in told and ", stopped for " in told, told
        equal((path.stat().st_mode & 0o777, path.read_bytes().startswith(magic)), (0o600, True), "rights, magic")
        run("snapshot", str(process.pid), "-y", "-o", str(copy), expect=0)
        assert path.stat().st_size < copy.stat().st_size / 3, path.stat()
        goes_on(process)
    infos = [answer("info", core, "--exe", executable(name)) for core in (path, copy)]
    for key in ("format", "complete", "objects", "object_bytes", "roots", "goroutines", "frames"):
        equal(infos[0][key], infos[1][key], key)
    equal(infos[0]["complete"], True, "whole")
    if way == "--gzip":
        with gzip.open(path) as file:
            equal(len(file.read()), copy.stat().st_size, "bytes, and the sum behind them")


@test
def the_process_goes_on_while_its_snapshot_is_compressed():
    may_look()
    path = UNPACKED / "goes-on.core.gz"
    with parked(PARK[0], "quiet") as process:
        for _ in range(50):
            program = subprocess.Popen([PROGRAM, "snapshot", str(process.pid), "-y", "--gzip", "-o", str(path)],
                                       env=ENVIRONMENT, stdout=subprocess.DEVNULL)
            traced = False
            while program.poll() is None:
                now = status(process.pid)["TracerPid"] != "0"
                if traced and not now and program.poll() is None:
                    return program.wait()  # it is still at work, and we run
                traced |= now
            equal(program.returncode, 0, "status")
        raise AssertionError("the process was never let go before the file was written")


@test(each=list(WAYS))
def an_interrupted_one_leaves_no_file(way):
    may_look()
    folder = folder_of(f"interrupted{way}")
    with parked(PARK[0], "quiet") as process:
        for wait in range(16):
            program = subprocess.Popen([PROGRAM, "snapshot", str(process.pid), "-y", "-o", str(folder / "x"), way],
                                       env={**ENVIRONMENT, "TMPDIR": str(folder)},
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(wait * 0.02)
            program.send_signal(signal.SIGINT)
            whole = program.wait() == 0
            left = [p.name for p in folder.iterdir()]
            assert left == ["x"] or (not left and not whole), f"{left} at status {program.returncode}"
            for path in folder.iterdir():  # what has its name is whole, even if it ended just then
                equal(answer("info", path, "--exe", executable(PARK[0]))["complete"], True, "complete")
                path.unlink()
            goes_on(process)


@test
def a_full_device_leaves_no_file():
    may_look()
    if os.getuid() != 0 or not shutil.which("unshare"):
        raise Skip("only root can mount a small file system")
    with parked(PARK[0], "quiet") as process:
        folder = folder_of("full")
        script = (f'mount -t tmpfs -o size=64k none {folder} || exit 9; "$0" snapshot {process.pid} -y --zstd '
                  f"-o {folder}/x.core.zst; s=$?; ls {folder}; exit $s")
        done = subprocess.run(["unshare", "-m", "sh", "-c", script, PROGRAM], env=ENVIRONMENT, capture_output=True,
                              text=True, check=False)
        if done.returncode in (1, 9):
            raise Skip("no file system can be mounted here")
        equal((done.returncode, done.stdout), (2, ""), done.stderr)
        assert "x.core.zst cannot be written: No space left" in done.stderr, done.stderr
        goes_on(process)


@test(each=["", "--fork", "--zstd"])
def a_snapshot_says_what_it_is_of(way):
    may_look()
    path = UNPACKED / f"note{way}.core"
    name = PARK[0]
    with parked(name, "quiet") as process:
        before = int(time.time())
        told = run("snapshot", str(process.pid), "-y", "-o", str(path), *way.split(), expect=0).out
        after = time.time()
        info = answer("info", path, "--exe", executable(name))
        equal(info["snapshot_pid"], process.pid, "pid")
        assert before <= info["snapshot_time"] <= after, info
        assert info["copied_bytes"] > 1 << 20 and info["pause_ns"] > 0, info
        equal(info["forked"], way == "--fork" and "copied from a fork" in told, "fork")
        shown = run("info", path, "--exe", executable(name), expect=0).out
        when = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(info["snapshot_time"]))
        line = next(line for line in shown.splitlines() if "Snapshot of process" in line)
        pause = told.split("stopped for ")[1].split(",")[0].rstrip(".\n")
        equal(line.strip(), f"Snapshot of process {process.pid}, {when}, stopped for {pause}", "line")
        goes_on(process)
    assert "snapshot_pid" not in answer("info", core_file(name), "--exe", executable(name))


@test
def both_ways_at_once_are_refused():
    with parked(PARK[0], "quiet") as process:
        told = run("snapshot", str(process.pid), "-y", "--gzip", "--zstd", cwd=UNPACKED, expect=2).err
        assert "not by both" in told and told.count("\n") == 1, told
    assert "does not take --gzip" in run("info", "--gzip", "1", expect=2).err
