"""What samples tell of a dump before all of it is read: the truth lies where it says."""

import json
import random

from executables import dump_of
from harness import ONE, SANITIZED, TESTDATA, answer, equal, run, test, unpacked

OURS = sorted({path.name[: -len(".dump.xz")] for path in TESTDATA.glob("**/go*.dump.xz")})


def estimate(path):
    return answer("estimate", path)


def misses(names):
    """Of how many dumps is the number of objects, or of bytes, not in the interval?"""
    missed, dumps = {"objects": [], "object_bytes": []}, 0
    for name in names:
        told = run("estimate", "--json", dump_of(name))
        if told.status != 0:
            continue
        told, sizes = json.loads(told.out), answer("list", "sizes", dump_of(name))
        exact = {"objects": sum(row["objects"] for row in sizes),
                 "object_bytes": sum(row["bytes"] for row in sizes)}
        for key, names_missed in missed.items():
            if abs(told[key] - exact[key]) > told[f"{key}_error"]:
                names_missed.append((name, told[key], exact[key], told[f"{key}_error"]))
        dumps += 1
    return missed, dumps


def hold(names, least):
    missed, dumps = misses(names)
    assert dumps >= least, f"only {dumps} dumps"
    for key, names_missed in missed.items():
        # 95 of 100 hold: of so few dumps one more may be off
        assert len(names_missed) <= dumps * 0.05 + 1, f"{key} of {names_missed}"


@test(builds=["gcc"])
def intervals_hold_the_truth():
    hold([*OURS, "raftkv-go1.19"], 30)


@test
def a_sentence_and_the_same_each_time():
    told = run("estimate", unpacked(ONE), expect=0).out
    assert told.startswith("About ") and told.endswith(" from 512 samples.\n"), told
    equal(run("estimate", unpacked(ONE), expect=0).out, told, "the second time")


@test(each=["go1.24.4-small-386", "go1.24.4-small-mips", "go1.24.4-small-s390x"])
def words_and_bytes_in_any_order(name):
    assert estimate(dump_of(name))["samples"] >= 64


@test(each=["go1.3.3-small", "go1.4.3-small", "go1.5.4-small"])
def of_what_samples_cannot_tell_nothing_is_said(name):
    told = run("estimate", "--json", unpacked(name))
    equal((told.status, told.out), (1, "null\n"), "status and output")


@test
def damage_is_counted_as_nothing(seed=5):
    """Cut anywhere, and with bytes changed everywhere: it ends well, with an answer or none."""
    dump, chance = bytearray(open(unpacked(ONE), "rb").read()), random.Random(seed)
    path = unpacked(ONE) + ".estimate-damaged" + ("-sanitized" if SANITIZED else "")
    for part in (0.01, 0.3, 0.9, 1):
        damaged = dump[: int(len(dump) * part)]
        for _ in range(len(damaged) // 2000 if part == 1 else 0):
            damaged[chance.randrange(200, len(damaged))] = chance.randrange(256)
        with open(path, "wb") as file:
            file.write(damaged)
        assert run("estimate", path).status in (0, 1), f"the first {part} of it"
    with open(path, "wb") as file:  # nothing but the start of a list that never ends
        file.write(dump[:200] + b"\1\xff\x7f" * 4000000)
    equal(run("estimate", path).status, 1, "status of a list without an object")
