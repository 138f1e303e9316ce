"""goheapx alone and goheapx processes: which running programs can be opened; and snapshots that keep the executable."""

import json
import os
import re
import shutil
import subprocess

from harness import PROGRAM, Skip, answer, equal, run, test
from live import PARK, executable, folder_of, may_look, parked, status

NAME = "quiet \x1b[31mred"  # what a terminal must not get


def listed(pid):
    result = run("processes", "--json", expect=0)
    return next((row for row in json.loads(result.out) if row["pid"] == pid), None)


@test(each=PARK)
def goroutines_are_counted_where_symbols_say_where_they_are(name):
    may_look()
    with parked(name, "quiet") as process:
        known = listed(process.pid)["goroutines"]
        rows = json.loads(run("list", "goroutines", str(process.pid), "--columns", "id", "--json", expect=0).out)
        assert len(rows) > 50, len(rows)
        equal(known, None if "stripped" in name else len(rows), "goroutines")
        out = run("processes", expect=0).out
        line = next(line for line in out.splitlines() if line.split()[0] == str(process.pid))
        equal(f" {len(rows)} " in line, known is not None, line)
        state = status(process.pid)
        equal((state["State"][0], state["TracerPid"]), ("S", "0"), "state")


def resident(pid):
    return int(status(pid)["VmRSS"].split()[0]) * 1024


@test(each=PARK)
def a_go_program_is_listed(name):
    program = folder_of(f"processes-{name}") / NAME
    shutil.copy(executable(name), program)
    with parked(name, "quiet", path=program) as process:
        row = listed(process.pid)
        equal((row["name"], row["executable"]), (NAME, str(program)), "name, executable")
        equal((row["go_version"].split(".")[1], row["deleted"], row["other_namespace"]), (name[4:6], False, False), "row")
        assert abs(row["rss_bytes"] - resident(process.pid)) < 1 << 20, (row, resident(process.pid))
        for arguments in ("processes",), ():
            out = run(*arguments, expect=0).out
            line = next(line for line in out.splitlines() if line.split()[0] == str(process.pid))
            assert "\x1b" not in out and "quiet \\x1b[31mred" in line, line
        program.unlink()
        row = listed(process.pid)
        equal((row["name"], row["deleted"]), (NAME, True), "deleted")
    equal(listed(process.pid), None, "one that has ended")


@test
def other_programs_are_not():
    sleeps = subprocess.Popen(["sleep", "60"])
    try:
        equal((listed(sleeps.pid), listed(os.getpid())), (None, None), "rows")
    finally:
        sleeps.kill()
        sleeps.wait()


@test
def those_of_other_users_are_counted():
    if os.getuid() != 0 or not shutil.which("setpriv"):
        raise Skip("only root has processes that somebody else may not look at")
    drop = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    program = folder_of("denied") / "goheapx"
    shutil.copy(PROGRAM, program)
    program.parent.chmod(0o755)
    program.chmod(0o755)
    if subprocess.run([*drop, program, "version"], capture_output=True).returncode:
        raise Skip("another user does not reach the program here")
    result = subprocess.run([*drop, program, "processes"], capture_output=True, text=True)
    equal(result.returncode, 0, "status")
    assert re.search(r"\d+ process(es)? of (other users|another user) cannot be read", result.stderr), result


@test(each=["deleted", "asked", "not asked"])
def a_snapshot_keeps_the_executable(how):
    may_look()
    folder = folder_of("with-exe-" + how.replace(" ", "-"))
    program = folder / "program"
    shutil.copy(executable(PARK[1]), program)
    with parked(PARK[1], "quiet", path=program) as process:
        if how == "deleted":
            program.unlink()
        option = ["--with-exe"] if how == "asked" else []
        run("snapshot", str(process.pid), "-y", "--gzip", *option, cwd=folder, expect=0)
    kept = folder / f"program-{process.pid}.core.exe"
    equal(kept.exists(), how != "not asked", "kept")
    if kept.exists():
        equal(kept.read_bytes(), executable(PARK[1]) and open(executable(PARK[1]), "rb").read(), "bytes")
        info = answer("info", folder / f"program-{process.pid}.core.gz")
        equal(info["executable"], str(kept), "found")
