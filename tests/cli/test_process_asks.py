"""Before a process is stopped: a terminal is asked, a script is told, and --yes is silent."""

import os
import pty
import select
import subprocess
import time

from harness import DEADLINE, ENVIRONMENT, PROGRAM, UNPACKED, equal, run, test
from live import PARK, goes_on, is_interrupted, may_look, on_a_small_device, parked

WAYS = ["explore", "info", "snapshot", "list"]


def command(way, core):
    return {"explore": ["explore", "-e", "overview"], "info": ["info"], "snapshot": ["snapshot", "-o", str(core)],
            "list": ["list", "types"]}[way]


def on_a_terminal(answer, *words):
    """Status and all that is shown, of one who answers the question."""
    master, slave = pty.openpty()
    process = subprocess.Popen([PROGRAM, *words], stdin=slave, stdout=slave, stderr=slave,
                               env={**ENVIRONMENT, "TERM": "xterm"}, start_new_session=True)
    os.close(slave)
    shown, answered, deadline = b"", answer is None, time.monotonic() + DEADLINE
    while time.monotonic() < deadline:
        if not answered and b"[y/N] " in shown:
            os.write(master, answer)
            answered = True
        if select.select([master], [], [], 0.2)[0]:
            try:
                part = os.read(master, 65536)
            except OSError:
                break
            if not part:
                break
            shown += part
        elif process.poll() is not None:
            break
    os.close(master)
    return process.wait(), shown.decode("utf-8", "replace")


@test(each=WAYS)
def a_terminal_is_asked(way):
    may_look()
    core = UNPACKED / f"asked-{way}.core"
    words = command(way, core)
    with parked(PARK[0], "quiet") as process:
        pid = str(process.pid)
        for answer, status in ((b"n\n", 2), (b"\n", 2), (b"\x04", 2), (b"y\n", 0)):
            core.unlink(missing_ok=True)
            got, shown = on_a_terminal(answer, *words, pid)
            equal(got, status, f"status after {answer}: {shown}")
            asked = f"Process {pid} (" in shown and " MB in memory. It is stopped while" in shown and "for about" in shown
            assert asked and "Go on? [y/N]" in shown, shown
            equal("was left alone" in shown, status == 2, shown)
            equal(core.exists(), way == "snapshot" and status == 0, "a core file")
            goes_on(process)
        got, shown = on_a_terminal(None, *words, pid, "--yes")
        equal((got, "Go on?" in shown), (0, False), shown)


@test(each=WAYS)
def a_script_is_told(way):
    may_look()
    words = command(way, UNPACKED / f"told-{way}.core")
    with parked(PARK[0], "quiet") as process:
        pid = str(process.pid)
        told = run(*words, pid, expect=0).err
        assert told.count("\n") == 1 and "It is stopped while they are copied, for about" in told, told
        told = run(*words, pid, "--fork", expect=0).err
        assert told.count("\n") == 1 and "until it has forked" in told, told
        equal(run(*words, pid, "-y", expect=0).err, "", "what is said with --yes")


@test
def a_process_that_is_too_big_is_not_copied():
    may_look()
    core = UNPACKED / "big.core"
    core.unlink(missing_ok=True)
    with parked(PARK[0], "quiet") as process:
        for way in WAYS:
            told = run(*command(way, core), str(process.pid), "--yes", "--max-size", "1M", expect=2).err
            assert "more than --max-size allows" in told and told.count("\n") == 1, told
            equal(core.exists(), False, "a file")
        run("snapshot", str(process.pid), "-o", str(core), "--max-size", "1G", expect=0)
        told = run("info", str(process.pid), "--max-size", "much", expect=2).err
        assert "--max-size needs a size" in told, told


@test(each=["", "--fork"], builds=["gcc"])
def a_snapshot_that_is_interrupted_leaves_no_file(fork):
    may_look()
    is_interrupted("busy", *fork.split())


@test
def a_device_without_room_is_told_before_the_process_is_stopped():
    may_look()
    done = on_a_small_device("small", "1M", "snapshot", "PID", "-y", "-o", "FOLDER/x")
    assert not done.stdout and "there is no room for that" in done.stderr, done
