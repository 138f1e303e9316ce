"""Several snapshots of one running process, taken and opened one after the other."""

import re
import threading

from harness import ONE, equal, run, test, unpacked
from live import PARK, may_look, parked


def screens(pid, *options, commands):
    return run(pid, "--yes", *options, "-e", f"wait all; size 120x80; {commands}", expect=0).out


@test(each=PARK, builds=["gcc"])
def snapshots_are_a_series(name):
    """The runtime of one that has just begun to wait still moves some threads between its lists."""
    may_look()
    counts = "plain" in name  # without names of the runtime's variables what it has allocated in all is unknown
    right = ("WHAT GREW        +0 B           reachable since snapshot 1, " + "nothing was allocated since, " * counts +
             "+0 goroutines", "No place has grown since the oldest dump.")
    with parked(name, "quiet") as process:
        for _ in range(20):
            out = screens(process.pid, "--every", "200ms", "--count", "3", commands="screen; growth; screen")
            if all(text in out for text in right):
                break
        for text in right:
            assert text in out, f"{text}: {out}"
        equal("nothing was allocated" in out, counts, out)
        assert process.poll() is None, "the process has ended"


@test(each=PARK[1:], builds=["gcc"])
def snapshots_are_told_apart_by_their_time(name):
    may_look()
    with parked(name, "busy") as process:
        out = screens(process.pid, "--every", "1100ms", "--count", "3",
                      commands="size 80x24; timeline; screen; size 140x24; screen")
    for screen, columns in zip(out.split(" dump ")[1:], (6, 10), strict=True):
        rows = re.findall(r"^ (\d\d:\d\d:\d\d) +(.*)", screen, re.M)
        equal(len({time for time, _ in rows}), 3, out)
        heads = re.split(r"  +", screen.splitlines()[0].strip())
        equal((len(heads), heads[-2:]), (columns, ["not Go's", "resident"]), "the columns")
        for time, cells in rows:
            right = [part for part in re.split(r"  +", cells.strip())][-2:]
            assert all(re.fullmatch(r"[\d.]+ [KMG]?B", cell) for cell in right), (time, cells)


@test(each=PARK, builds=["gcc"])
def a_busy_process_is_compared_with_itself(name):
    may_look()
    with parked(name, "busy") as process:
        out = screens(process.pid, "--every", "300ms", commands="screen; snapshot; overview; screen; set retain all; "
                      "where; screen; snapshot; objects; screen")
        since = re.findall(r"WHAT GREW +([-+][0-9.]+ [KMG]?B) +reachable since snapshot 1, [-+]\d+ goroutines?", out)
        assert len(since) == 2, out
        assert "8 Growth" in out and "more bytes" in out and "of another process" not in out, out
        assert process.poll() is None, "the process has ended"


@test(each=PARK[:1], builds=["gcc"])
def what_was_taken_before_a_process_ended_is_shown(name):
    may_look()
    with parked(name, "quiet") as process:
        end = threading.Timer(6, process.kill)
        end.start()
        result = run(process.pid, "--yes", "--every", "8s", "--count", "3", "-e", "wait all; size 120x80; screen", expect=0)
        end.join()
    assert "snapshots could not be taken, as the process has ended" in result.out, result.out
    assert "has ended" in result.err, result.err


@test
def only_processes_are_asked_again():
    result = run(unpacked(ONE), "--every", "1s", "-e", "screen", expect=2)
    assert "are for one running process" in result.err, result
    result = run(unpacked(ONE), "-e", "snapshot", expect=1)
    assert "Only of a running process" in result.err, result
    for word in ("3", "0s", "x", "-1s"):
        assert "--every needs a time" in run(unpacked(ONE), "--every", word, expect=2).err
    assert "--count needs a number of snapshots" in run(unpacked(ONE), "--count", "0", expect=2).err
