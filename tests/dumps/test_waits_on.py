"""What goroutines wait for, against what the programs knew of it."""

import re

from executables import exe_of, files, truth_of
from harness import ONE, SMALL, answer, equal, real_files, test, unpacked

# Kinds of goroutines of the program "drift".
WAITS = {
    "send": r"chan int 0x\w+ len 0 cap 0$",
    "receive": r"chan string 0x\w+ len 0 cap 0$",
    "select": r"select (receive chan int|send chan string) .*; (receive chan int|send chan string) ",
    "nil channel": r"nil channel$",
    "empty select": r"no case$",
    "wait group": r"sync\.WaitGroup 0x\w+, counter 1",
    "mutex": r"sync\.Mutex 0x\w+, locked, 1 waits",
    "cond": r"sync\.Cond 0x\w+",
    "held by a map": r"chan int 0x\w+ len 0 cap 0, held by main\.pending\[\d+\]\.ch$",
    # 1000 hours are 41 days and 16 hours.
    "select with a timer": r"select .*receive (<-)?chan time\.Time 0x\w+ len 0 cap \d, from a timer in 42 days",
    "sleeper": r"timer in 42 days$",
}


def waits_of(name, exe=None):
    options = ["--exe", exe] if exe else []
    return {row["id"]: row for row in answer("list", "goroutines", unpacked(name), *options)}


@test(each=SMALL)
def channels_are_told_without_an_executable(name):
    """main.gRecv and main.gHoldsLocal wait for one channel, who sends for another; before Go 1.4 nobody knows."""
    rows = waits_of(name)
    by = {row["function"]: row for row in rows.values()}
    if name.startswith("go1.3"):
        equal({row["waits_on"] for row in rows.values()} - {"nil channel", "no case"}, {None}, "waits_on")
        return
    address = lambda row: re.match(r"chan (0x\w+) len 0 cap 0", row["waits_on"])[1]
    equal(address(by["main.gRecv"]), address(by["main.gHoldsLocal"]), "main.gBlock")
    (send,) = [row for row in rows.values() if row["wait_reason"] == "chan send"]
    assert address(send) != address(by["main.gRecv"])
    assert f"receive chan {address(by['main.gRecv'])} " in by["main.gSelect"]["waits_on"], by["main.gSelect"]
    assert re.match(r"sync\.Mutex .*0x|semaphore 0x", by["main.gMutexWait"]["waits_on"]), by["main.gMutexWait"]
    equal(by["main.gSleep"]["waits_on"], None, "sleep")


@test
def holders_are_named():
    by = {row["function"]: row["waits_on"] for row in waits_of(ONE, exe_of(ONE)).values()}
    assert by["main.gRecv"].endswith(", held by main.gBlock"), by["main.gRecv"]
    assert by["main.gMutexWait"].startswith("sync.Mutex main.gMutex 0x"), by["main.gMutexWait"]
    assert by["main.gRWWait"].startswith("sync.RWMutex main.gRW 0x"), by["main.gRWWait"]
    assert by["main.gWGWait"].startswith("sync.WaitGroup main.gWG 0x"), by["main.gWGWait"]
    assert by["main.gCondWait"].startswith("sync.Cond main.gCond 0x"), by["main.gCondWait"]


@test
def the_address_of_a_lock_is_its_own():
    """Not that of the semaphore in it, which differs for readers and writers."""
    waits = {row["function"]: row["waits_on"] for row in waits_of(ONE, exe_of(ONE)).values()}
    variables = {row["name"]: row["address"] for row in answer("list", "variables", *files(ONE))}
    for function, variable in (("main.gMutexWait", "main.gMutex"), ("main.gRWWait", "main.gRW"),
                               ("main.gWGWait", "main.gWG")):
        assert f" {variable} {variables[variable]}" in waits[function], (waits[function], variables[variable])
    rows = answer("list", "fields", *files(ONE), "main.gCond")
    [checker] = [row for row in rows if row["name"] == "checker"]  # knows its own address
    assert f" main.gCond {int(checker['text'], 16) - checker['offset']:#x}" in waits["main.gCondWait"], waits


@test
def a_lock_whose_method_is_inlined_is_told():
    """RLock is, and the wait reason of Go 1.19 does not name it either."""
    name = "go1.19.8-small"
    [waits] = [row["waits_on"] for row in waits_of(name, exe_of(name)).values() if row["function"] == "main.gRWWait"]
    [variable] = [row for row in answer("list", "variables", *files(name)) if row["name"] == "main.gRW"]
    equal(waits, f"sync.RWMutex main.gRW {variable['address']}", "what it waits on")


@test(each=["raftkv-go1.19", "webmetrics-go1.23"], builds=["gcc"])
def the_queues_of_the_runtime_hold_nothing(name):
    """Who waits for several channels is in the queue of each, and from there paths lead to the others."""
    rows = answer("list", "goroutines", real_files(name)[0], "--exe", exe_of(name))
    holders = re.findall(r", held by ([^;]*)", "; ".join(row["waits_on"] or "" for row in rows))
    queues = [holder for holder in holders if re.search(r"waitlink|waittail|recvq|sendq|sudog", holder)]
    equal((len(holders) > 0, queues), (True, []), "holders")


@test(builds=["gcc"])
def three_thousand_wait_for_channels_of_their_own():
    path, known = real_files("raftkv-go1.19")
    (channel,) = [item["addr"] for item in known["named"] if item["name"] == "watcher 7 channel"]
    rows = answer("list", "goroutines", path, "--exe", exe_of("raftkv-go1.19"))
    (row,) = [row for row in rows if row["waits_on"] and f" {channel} " in row["waits_on"]]
    equal(row["waits_on"], f"chan *main.Event {channel} len 0 cap 0, held by "
          "main.cluster.Nodes[0].FSM.Watchers[7].C", "watcher 7")
    (group,) = [row for row in answer("list", "groups", path, "--exe", exe_of("raftkv-go1.19"))
                if row["count"] == 3000]
    equal(group["waits_on"], "chan *main.Event, 3,000 different", "group")
    equal(group["own_bytes"], group["stack_bytes"] + group["retained_bytes"], "own bytes")


@test(each=["go1.19-drift", "go1.27-drift"], builds=["gcc"])
def each_kind_waits_for_what_it_is(name):
    """The program says of each goroutine what it was started for."""
    known = truth_of(name)["dumps"][2]["goroutines"]
    rows = {row["id"]: row for row in answer("list", "goroutines", *files(f"{name}-3"))}
    for goroutine in known:
        waits_on = rows[goroutine["id"]]["waits_on"]
        if goroutine["kind"] in WAITS:
            assert re.match(WAITS[goroutine["kind"]], waits_on or ""), (goroutine, waits_on)
    equal({g["kind"] for g in known} >= set(WAITS), True, "all kinds are there")


# Of a traceback: the goroutine, and the descriptor that its call of the poller was given.
POLLED = re.compile(r"^goroutine (\d+) \[IO wait[^\n]*\n(?:(?!\ngoroutine ).)*?internal/poll\.\(\*FD\)\.(\w+)\((0x\w+)",
                    re.M | re.S)


@test(builds=["gcc"])
def connections_are_those_of_the_traceback():
    path, known = real_files("webmetrics-go1.23")
    exe = ("--exe", exe_of("webmetrics-go1.23"))
    told = {}
    for trace in known["stack_all"].split("\n\n"):
        for goroutine, call, address in POLLED.findall(trace):
            told[int(goroutine)] = (call, address)
    assert len(told) > 200, len(told)
    columns = "address,.pfd.Sysfd,.laddr.Port,.raddr.Port"
    descriptors = {row["address"]: row for row in answer("list", "objects", path, "type=net.netFD", *exe,
                                                         "--columns", columns)}
    rows = {row["id"]: row for row in answer("list", "goroutines", path, *exe)}
    calls = {"Read": "read", "Write": "write", "Accept": "accept"}
    for goroutine, (call, address) in told.items():
        fd = descriptors[address]
        remote = f" from 127.0.0.1:{fd['.raddr.Port']}" if fd[".raddr.Port"] else ""
        equal(rows[goroutine]["waits_on"],
              f"{calls[call]} tcp 127.0.0.1:{fd['.laddr.Port']}{remote}, fd {fd['.pfd.Sysfd']}", f"goroutine {goroutine}")
    reports = [row for row in rows.values() if row["function"] == "main.(*Gateway).report"]
    equal((len(reports), len({row["waits_on"] for row in reports})), (120, 120), "connections")
    (group,) = [row for row in answer("list", "groups", path, *exe) if row["function"] == "main.(*Gateway).report"]
    equal(group["waits_on"], "write tcp, 120 different", "group")
    equal({row["id"] for row in rows.values() if row["wait_reason"] == "IO wait" and not row["waits_on"]}, set(), "all")
