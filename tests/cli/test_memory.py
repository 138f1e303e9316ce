"""Where memory is short: said before it is gone, with what there is enough for."""

import os
import re
import resource
import subprocess
import tempfile

from executables import dump_of, exe_of
from harness import DEADLINE, ENVIRONMENT, PROGRAM, equal, run, test
from live import PARK, control_group, may_look, parked

DUMP, LARGE = "go1.19-corner", "webmetrics-go1.23"
MB = 1 << 20


def limited(megabytes, *arguments):
    limit = megabytes * MB
    return subprocess.run(
        [PROGRAM, *arguments], capture_output=True, env=ENVIRONMENT, stdin=subprocess.DEVNULL, text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)), timeout=DEADLINE)


@test(builds=["gcc"])
def it_is_told_what_fits_or_all_is_there():
    whole, told = run("top", dump_of(DUMP), expect=0).out, []
    for megabytes in (*range(40, 120, 4), 400):
        short = limited(megabytes, "top", dump_of(DUMP))
        if short.returncode == 0:
            equal(short.stdout, whole, f"what is answered with {megabytes} MB")
            continue
        equal((short.returncode, short.stdout), (2, ""), f"status and output with {megabytes} MB")
        assert "memory" in short.stderr, f"{megabytes} MB: {short.stderr}"
        if "Not enough memory for the " in short.stderr:
            assert "which is enough for objects" in short.stderr, short.stderr
            told.append(megabytes)
    assert told and told[-1] < 400, f"told with {told} MB"


@test(builds=["gcc"])
def what_takes_less_is_answered():
    """Where all of it does not fit, the sizes of objects still do."""
    for megabytes in range(40, 120, 4):
        if "Not enough memory for the " in limited(megabytes, "top", dump_of(DUMP)).stderr:
            shown = limited(megabytes, "list", "sizes", dump_of(DUMP))
            equal((shown.returncode, shown.stdout), (0, run("list", "sizes", dump_of(DUMP)).out), "sizes")
            return
    raise AssertionError("never too little")


@test(builds=["gcc"])
def types_of_an_executable_are_counted():
    """Their tables reserve address space, which they lacked unannounced."""
    whole, told = run("list", "types", dump_of(DUMP), "--exe", exe_of(DUMP), expect=0).out, []
    for megabytes in (*range(120, 480, 20), 800):
        short = limited(megabytes, "list", "types", dump_of(DUMP), "--exe", exe_of(DUMP))
        if short.returncode == 0:
            equal(short.stdout, whole, f"what is answered with {megabytes} MB")
            continue
        assert "Not enough memory for the types" in short.stderr, f"{megabytes} MB: {short.stderr}"
        told.append(megabytes)
    assert told and told[-1] < 800, f"told with {told} MB"


@test(builds=["gcc"])
def a_redacted_snapshot_leaves_room_for_the_process():
    """Both are in one control group; the process lives on, and there is no half file."""
    may_look()
    with control_group() as (folder, limit, members), parked(PARK[1], "quiet") as process, tempfile.TemporaryDirectory() as out:
        (folder / members).write_text(str(process.pid))
        statuses = []
        for megabytes in (100, 200, 300, 1500):
            (folder / limit).write_text(str(megabytes * MB))
            asked = subprocess.run([PROGRAM, "snapshot", str(process.pid), "-y", "--redact", "-o", f"{out}/{megabytes}.core"],
                                   capture_output=True, env=ENVIRONMENT, stdin=subprocess.DEVNULL, text=True,
                                   preexec_fn=lambda: (folder / members).write_text(str(os.getpid())), timeout=DEADLINE)
            statuses.append(asked.returncode)
            assert asked.returncode == 0 or "there is no memory for it twice" in asked.stderr, (megabytes, asked)
            equal(process.poll(), None, f"the process lives with {megabytes} MB")
        equal((statuses[0], statuses[-1], len(os.listdir(out))), (2, 0, statuses.count(0)), f"{statuses}")


@test(builds=["gcc"])
def the_limit_of_a_container_is_respected():
    """At it the kernel would end the program, or the one that it looks at, which shares the limit."""
    words = ["list", "owners", dump_of(LARGE), "--exe", exe_of(LARGE), "--no-cache"]
    whole, told = run(*words, expect=0).out, []
    with control_group() as (folder, limit, members):
        for megabytes in (*range(40, 100, 8), 400):
            (folder / limit).write_text(str(megabytes * MB))
            short = subprocess.run([PROGRAM, *words], capture_output=True, env=ENVIRONMENT, stdin=subprocess.DEVNULL, text=True,
                                   preexec_fn=lambda: (folder / members).write_text(str(os.getpid())), timeout=DEADLINE)
            if short.returncode == 0:
                equal(short.stdout, whole, f"what is answered with {megabytes} MB")
                continue
            equal((short.returncode, short.stdout), (2, ""), f"status and output with {megabytes} MB: {short.stderr}")
            assert "Not enough memory for the " in short.stderr, f"{megabytes} MB: {short.stderr}"
            told.append(megabytes)
    assert told and told[-1] < 400, f"told with {told} MB"


# What SQLite keeps, what it sorts, and what the answer has.
GREEDY = {
    "rows seen": "WITH RECURSIVE c(n, x) AS (SELECT 1, printf('%.4000c', 'a') UNION SELECT n + 1, x FROM c) SELECT count(*) FROM c",
    "rows in order": "SELECT printf('%.1000c', 'a') || a.address || b.address AS x FROM objects a, objects b ORDER BY x",
    "the answer": "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c",
    "texts": "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT printf('%.10000c', 'a') AS x FROM c",
}


@test(each=GREEDY, builds=["gcc"])
def a_query_takes_half_of_what_is_free(name):
    result = limited(200, "sql", dump_of(DUMP), GREEDY[name])
    equal((result.returncode, result.stdout), (2, ""), "status and output")
    told = re.search(r"more memory than the ([\d.]+) MB that it may, half of what is free", result.stderr)
    assert told and 32 <= float(told[1]) <= 100, result.stderr
