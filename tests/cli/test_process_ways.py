"""Each way to look at a process leaves it as it is, of each kind that could be harmed: it lives, stands still for
moments only, and has as much memory and as many blocks of files as before. HARM as in test_process_harm.py."""

import os
import pathlib
import signal
import subprocess
import tempfile

from harness import DEADLINE, ENVIRONMENT, PROGRAM, equal, test
from kinds import HELD, KINDS, process_of, used, uses_the_same
from live import copies, may_look, wait_for
from pauses import pauses

TIMES = int(os.environ.get("HARM", "2"))
SERIES = 10  # snapshots of one --every
MOST = 1.2  # seconds that a process stands still, but for the copy itself, which takes milliseconds of these
WAYS = {
    "snapshot": ["snapshot", "PID", "-y", "-o", "FOLDER/core"],
    "forked snapshot": ["snapshot", "PID", "-y", "-o", "FOLDER/core", "--fork"],
    "watch": ["watch", "PID", "--at", "1", "-o", "FOLDER"],
    "series": ["-e", "overview", "PID", "-y", "--every", "20ms"],
    "forked series": ["-e", "overview", "PID", "-y", "--every", "20ms", "--fork"],
}
REFUSED = {**{kind: "cannot be stopped: thread" for kind in HELD}, "frozen1": "its control group is frozen",
           "throttled": "its control group may use 0.1% of a processor"}
# These may be refused at one moment and taken at the next.
SOMETIMES = {"throttled": REFUSED["throttled"], "vforks": "made by vfork", "threads": "makes threads",
             "exec": "a moment before the program began"}
GROWING = ("exec", "fork", "threads")  # by themselves
LATE = ("try again later", "could not be stopped in time")  # on a busy machine


def ask(words):
    """Its status and what it says. A watch goes on where a snapshot is refused, until it is told to end."""
    with subprocess.Popen(words, env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True) as program:
        told = ""
        for line in program.stdout:
            told += line
            if words[1] == "watch" and line.startswith("goheapx: "):
                program.send_signal(signal.SIGTERM)
        return program.wait(timeout=DEADLINE), told


def words_of(way, pid, folder, count):
    words = [word.replace("PID", str(pid)).replace("FOLDER", folder) for word in WAYS[way]]
    return [PROGRAM, *words, *["--count", str(count)] * way.endswith("series")]


def is_right(kind, code, told):
    """It was done, or refused with the reason, where there is one."""
    if kind in REFUSED and kind not in SOMETIMES:
        return code != 0 and REFUSED[kind] in told
    return code == 0 or SOMETIMES.get(kind, LATE[0]) in told or any(late in told for late in LATE)


@test(each=[f"{kind}: {way}" for kind in KINDS for way in WAYS], most=25, builds=["gcc"])
def a_process_is_as_it_was(each):
    may_look()
    kind, way = each.split(": ")
    with process_of(kind) as process, tempfile.TemporaryDirectory() as folder, pauses(process.pid) as stood:
        before = used(process) if kind not in GROWING else None
        for _ in range(-(-TIMES // SERIES) if way.endswith("series") else TIMES):
            code, told = ask(words_of(way, process.pid, folder, min(TIMES, SERIES)))
            equal(process.poll(), None, f"its status after {told}")
            assert is_right(kind, code, told) and "has ended" not in told.replace("goroutines have ended", ""), told
            for path in pathlib.Path(folder).iterdir():
                path.unlink()
            if before:
                uses_the_same(process, before, told)
        wait_for(lambda: copies(process.pid) == [], "a copy is left")
    assert stood.longest <= MOST, f"a thread has stood still for {stood.longest} s"
