"""Who owns what beside the runtime's plumbing, and the runtime's variables without symbols, against
what the program has made (testdata/src/plumbing)."""

import re
import subprocess

from executables import dump_of, exe_of
from harness import FEW, answer, equal, test, truth, unpacked

PLUMBING = ["go1.22.12-plumbing", "go1.26.10-plumbing"]
BESIDE = 24 << 10  # bytes that a goroutine may hold beside its payload


def goroutine_of(rows, function):
    found = [row for row in rows if row["name"].startswith("goroutine") and row["name"].endswith(" " + function)]
    equal(len(found), 1, f"owners that are {function}")
    return found[0]


@test(each=PLUMBING)
def goroutines_and_timers_own_what_they_hold(name):
    rows, holds = answer("list", "owners", unpacked(name)), truth(name)["holds"]
    for function, least in holds.items():
        if function != "timers":
            got = goroutine_of(rows, function)["owned_bytes"]
            assert least <= got < least + BESIDE, (function, got)
    timers = [row for row in rows if row["name"].startswith("timers")]
    equal(len(timers), 1, "owners that are timers")
    assert holds["timers"] <= timers[0]["owned_bytes"] < holds["timers"] + 2 * BESIDE, timers[0]
    assert ", most call 0x" in timers[0]["name"] and timers[0]["kind"] == "timers", timers[0]
    for row in rows[:len(holds)]:
        assert row["kind"] in ("goroutine", "timers"), row


@test(each=PLUMBING)
def owners_add_up_to_what_is_reachable(name):
    info, rows = answer("info", unpacked(name)), answer("list", "owners", unpacked(name))
    equal(sum(row["owned_bytes"] for row in rows), info["reachable_bytes"], "bytes")
    equal(sum(row["retained_objects"] for row in rows), info["reachable_objects"], "objects")


@test(each=PLUMBING)
def paths_come_from_the_same_owners(name):
    rows = [row for row in answer("list", "where", unpacked(name)) if row["depth"] == 0]
    large = [row for row in rows if row["bytes"] >= 100 << 10]
    of_goroutines = [row["bytes"] for row in large if row["name"].startswith("main.")]
    holds = sorted(bytes for owner, bytes in truth(name)["holds"].items() if owner != "timers")
    equal(len(of_goroutines), len(holds), "large places of goroutines")
    for got, least in zip(sorted(of_goroutines), holds):
        assert least <= got < least + BESIDE, (got, least)
    others = [row["name"].split()[0] for row in large if not row["name"].startswith("main.")]
    equal(others, ["runtime.allp"], "other large places")


@test(each=PLUMBING)
def the_runtimes_variables_have_names_without_symbols(name):
    known = truth(name)["variables"]
    rows = answer("list", "roots", unpacked(name))
    told = {row["name"].split("[")[0]: row["address"] for row in rows if row["kind"] in ("data", "bss")}
    told = {name: address for name, address in told.items() if name in known}
    equal(told, {name: known[name] for name in told}, "addresses")
    assert {"runtime.allgs", "runtime.allp", "runtime.allm"} <= set(told), told


@test(each=sorted(FEW - {"go1.3beta1-small"}) + ["go1.19-drift-3", "go1.27-drift-3"], builds=["gcc"])
def the_table_of_semaphores_is_where_symbols_have_it(name):
    def words(*options):
        rows = answer("list", "roots", dump_of(name), *options, "--columns", "name,address")
        return {row["address"]: row["name"] for row in rows if row["name"].startswith("runtime.semtable")}

    unnamed, named = words(), words("--exe", exe_of(name))
    assert len(named) > 1, named
    equal(set(unnamed), set(named), "words of the table")
    base = {int(address, 16) - int(text.split("+")[1], 16) for address, text in unnamed.items()}
    equal(len(base), 1, "beginnings of the table")
    [symbol] = base
    nm = subprocess.run(["nm", exe_of(name)], capture_output=True, text=True, check=True).stdout
    right = re.search(r"^(\w+) \w runtime\.semtable$", nm, re.M)[1]
    equal(symbol, int(right, 16), "beginning of the table")
