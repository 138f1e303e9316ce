"""Processes in which no goroutine can run any more, though the runtime does not say so, and others that only look so."""

import pathlib

import toolchains
from cores import Core
from executables import exe_from
from harness import answer, equal, run, test
from live import folder_of, may_look, running, snapshot_into, wait_for

FOLDER = pathlib.Path(__file__).parent
ALL, ALL_WITH_C = 28, 4  # goroutines of the program that wait, without those that the words add
# What the words add cannot wake any that waits: how many are added.
# A sender goes on where one more receives.
DEAD = {"none": 0, "idleticker": 1, "stopped": 0}
# What could: one is woken, and may wake all others.
ALIVE = ["sigwait", "afterfunc", "after", "timeout", "sleep", "listen", "read"]
# Nobody can tell: why.
UNSURE = {
    "garbage": "4 finalizers and cleanups may run at the next collection",
    "foreign": "1 thread is not of Go: its code may call functions of the program",
}
SAID = "Deadlock: every goroutine of the program waits for another one."


def built(cgo=False, options=()):
    if cgo:
        toolchains.building(True)
    return exe_from(FOLDER / ("deadlock_c.go" if cgo else "deadlock.go"), *options, CGO_ENABLED="1" if cgo else "0")


def asked(exe, word, name):
    """What is said of a snapshot of the process, when none of its goroutines runs: the numbers, and the list of the lost."""
    may_look()
    folder = folder_of(f"deadlock-{name}")
    core = folder / "core"
    with running(exe, word, says=b"ready\n", stdin=-1) as process:

        def rests():
            snapshot_into(core, process)
            rows = answer("list", "goroutines", core, "--exe", exe)
            told = run("list", "lost", core, "--exe", exe, expect=0)
            return {row["status"] for row in rows} <= {"waiting", "syscall"} and "at work" not in told.err

        wait_for(rests, "its goroutines do not come to rest")
    return answer("info", core, "--exe", exe), run("list", "lost", core, "--exe", exe, expect=0), core


def lost(core, exe):
    return len(answer("list", "lost", core, "--exe", exe))


@test(each=[*DEAD], builds=["gcc"])
def all_are_lost_where_nothing_can_wake_one(word):
    exe = built()
    info, told, core = asked(exe, word, word)
    assert SAID in told.err, told
    equal((info["deadlock"], lost(core, exe)), (True, ALL + DEAD[word]), "deadlock, goroutines that are lost")
    assert "deadlock" in run("-e", "overview", "--size", "100x30", core, exe).out


@test(each=ALIVE, builds=["gcc"])
def not_where_one_can_be_woken(word):
    exe = built()
    info, told, core = asked(exe, word, word)
    assert "Deadlock" not in told.err and "waits for another one" not in told.err, told
    equal(info["deadlock"], False, "deadlock")
    assert lost(core, exe) < ALL - 1, told


@test(each=UNSURE, builds=["gcc"])
def it_is_said_why_it_cannot_be_told(word):
    exe = built(word == "foreign")
    info, told, core = asked(exe, word, word)
    equal(info["deadlock"], None, "deadlock")
    assert f"cannot be told: {UNSURE[word]}." in " ".join(told.err.split()), told
    known = info["lost_goroutines"] or 0  # null if none is known
    equal(known + info["lost_unknown"], ALL_WITH_C if word == "foreign" else ALL, "goroutines that are lost, or may be")
    result = run("check", core, "--exe", exe, "--assert", f"lost() <= {known}", expect=2)
    assert "cannot be told" in result.err, result


@test(builds=["gcc"])
def threads_of_go_are_no_others_with_c():
    """Go has an extra thread there, which none runs: for it the runtime does not say that all are asleep."""
    info, told, _ = asked(built(True), "none", "c")
    assert SAID in told.err, told
    equal(info["deadlock"], True, "deadlock")


@test(builds=["gcc"])
def without_symbols_too():
    """Processors and threads are found by what they hold."""
    info, told, _ = asked(built(True, ("-ldflags=-s -w",)), "none", "stripped")
    assert SAID in told.err, told
    equal(info["deadlock"], True, "deadlock")


@test(each=["none", "sigwait", "locks"], builds=["gcc"])
def without_symbols_and_c(word):
    """The runtime passes on signals to channels of a variable that has no name then: that matters where one waits for
    a channel."""
    exe = built(options=("-ldflags=-s -w",))
    info, told, _ = asked(exe, word, f"signals-{word}")
    why = "which channels get signals is not known, as the executable has no symbols."
    equal((why in " ".join(told.err.split()), SAID in told.err, info["deadlock"]),
          (word != "locks", word == "locks", True if word == "locks" else None), told.err)


@test(builds=["gcc"])
def a_thread_that_begins_is_of_go():
    """Go has made it, and it has not yet written down its number: what it does next cannot be told."""
    exe = built()
    _, told, core = asked(exe, "none", "begins")
    assert SAID in told.err, told
    with open(core, "r+b") as file:
        thread = Core(file)
        place = int(answer("show", core, "runtime.allm.procid", "--exe", exe)["address"], 16)
        assert thread.word(place), "it has begun"
        thread.put(place, 0)
    said = " ".join(run("list", "lost", core, "--exe", exe, expect=0).err.split())
    assert "cannot be told: Go's runtime itself was at work at that moment." in said and "not of Go" not in said, said
