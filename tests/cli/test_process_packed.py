"""Snapshots that are compressed: the process is let go first, and the file is whole or not there."""

import gzip
import subprocess
import time

from harness import ENVIRONMENT, PROGRAM, UNPACKED, answer, equal, run, test
from core_files import core as core_file
from live import (
    PARK, executable, folder_of, goes_on, is_interrupted, may_look, on_a_small_device, parked, status,
)

WAYS = {"--gzip": (".gz", b"\x1f\x8b"), "--zstd": (".zst", b"\x28\xb5\x2f\xfd")}


@test(each=list(WAYS), builds=["gcc"])
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
    is_interrupted("quiet", way)


@test
def a_full_device_leaves_no_file():
    may_look()
    done = on_a_small_device("full", "64k", "snapshot", "PID", "-y", "--zstd", "-o", "FOLDER/x")
    assert not done.stdout and "x cannot be written: No space left" in done.stderr, done


@test(each=["", "--fork", "--zstd"], builds=["gcc"])
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
