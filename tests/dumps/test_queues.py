"""Queued finalizers and cleanups of stripped programs: testdata/src/queued, whose source says how many there are."""

from core_files import core
from harness import answer, equal, run, test

COUNT = 250
CLEANUPS_APART = {"go1.24-queued": False, "go1.26-queued": True}


@test(each=sorted(CLEANUPS_APART))
def queued_finalizers_and_cleanups_are_roots_without_symbols(name):
    apart = CLEANUPS_APART[name]
    told = answer("info", core(name))
    equal(told["queued_finalizers"], COUNT if apart else 2 * COUNT, "queued finalizers")
    equal(told["reachable_objects"], told["objects"], "objects that something holds")
    roots = answer("list", "roots", core(name))
    held = {row["object"] for row in roots if row["name"].startswith("queued finalizer of 0x") and row["object"]}
    assert len(held) >= COUNT, len(held)
    cleanups = [row for row in roots if row["kind"] == "cleanup"]
    # The first one is being called: it is no longer in the queue.
    equal(len(cleanups), 2 * (COUNT - 1) if apart else 0, "closures and arguments of cleanups")
    owners = [row["name"] for row in answer("top", core(name), "--limit", 1000) if row["kind"] == "cleanup"]
    equal(owners, [f"{COUNT - 1} × cleanup"] if apart else [], "owners")


@test(each=sorted(CLEANUPS_APART))
def blocks_of_queued_objects_are_owned_by_finalizers(name):
    blocks = [row for row in answer("list", "objects", core(name), "--where", "size = 896 and reachable")]
    equal(len(blocks), 2 * COUNT - CLEANUPS_APART[name], "blocks that only a queue holds")
    owned = answer("info", core(name))["owned_bytes"]
    assert owned["finalizer"] >= len(blocks) * 896 and owned["none"] == 0, owned


@test(each=sorted(CLEANUPS_APART))
def what_cleanups_hold_is_not_called_that_of_finalizers_alone(name):
    text = run("info", core(name), expect=0).out
    equal("    finalizers, cleanups\n" in text, CLEANUPS_APART[name], "the name of the class")
