"""The program of edge cases, with its executable: everything that it says of its heap is what the
program shows. One dump keeps maps in buckets and has no allocation headers (Go 1.19), the other has
groups and headers (Go 1.27)."""

import bisect
import functools
import re

from executables import dump_of, exe_of, objects, truth_of
from harness import answer, equal, test

NAMES = ["go1.19-corner", "go1.27-corner"]


def display(name):
    """A type as people write it."""
    return name.replace("interface {}", "any").replace("[]uint8", "[]byte")


def told(name, kind):
    """What the truth says of the objects of a kind: "capped 17" is of the kind "capped"."""
    return [row for row in truth_of(name)["objects"] if row["name"].split()[0] == kind]


@functools.lru_cache(maxsize=None)
def starts(name):
    rows = sorted((int(address, 16), row) for address, row in objects(name).items())
    return [start for start, _ in rows], [row for _, row in rows]


def object_at(name, address):
    """The object that an address lies in, and how far from its start."""
    addresses, rows = starts(name)
    at = bisect.bisect_right(addresses, int(address, 16)) - 1
    offset = int(address, 16) - addresses[at]
    assert at >= 0 and offset < rows[at]["size"], f"no object is at {address}"
    return rows[at], offset


def shown(name, address):
    return answer("show", dump_of(name), address, "--exe", exe_of(name))


# ---- Maps


@test(each=NAMES)
def maps_have_their_types_and_entries(name):
    truth = truth_of(name)["maps"]
    equal(len(truth), 10, "maps")
    for row in truth:
        told = shown(name, row["addr"])
        equal(told["type"], f"{display(row['type'])} (header)", row["name"])
        equal(told["type_known"], "exact", row["name"])
        keys = [field["name"] for field in told["fields"] if (field["name"] or "").startswith("[")]
        equal(len(keys), row["entries"], f"entries of {row['name']}")
        equal(len(set(keys)), row["entries"], f"different keys of {row['name']}")
        if not row["type"].startswith(("map[*", "map[interface")):
            quote = '"' if row["type"].startswith("map[string") else ""
            missing = {f"[{quote}{key}{quote}]" for key in row["some_keys"] or []} - set(keys)
            equal(missing, set(), f"keys of {row['name']}")


@test(each=NAMES)
def every_entry_of_a_map_has_its_own_value(name):
    """`growing` of Go 1.19 is moving from its old buckets to the new ones."""
    maps = {row["name"]: row for row in truth_of(name)["maps"]}
    equal(maps["growing"]["growing"], name == NAMES[0], "growing")
    for variable, kind, step in (("growing", "growing", 1), ("holeMap", "hole", 5)):
        count = maps[variable]["entries"]
        fields = shown(name, maps[variable]["addr"])["fields"]
        values = {field["name"]: field["text"] for field in fields if (field["name"] or "")[:1] == "["}
        equal(set(values), {f"[{i * step}]" for i in range(count)}, f"keys of {variable}")
        wrong = [key for key, text in values.items()
                 if not re.search(rf'\{{N:{key[1:-1]} Name:"{kind}"\}}$', text or "")]
        equal(wrong, [], f"values of {variable}")


# ---- Arrays


@test(each=NAMES)
def objects_of_32_kib_begin_where_the_program_says(name):
    """Those of exactly as many bytes have no allocation header, those of 8 bytes less have one."""
    rows = told(name, "arrays") + [
        row for kind in ("exact4095", "exact4096", "exact4097") for row in told(name, kind)]
    equal(len(rows), 6, "objects")
    for row in rows:
        obj, offset = object_at(name, row["addr"])
        length = int(re.search(r"\d+", row["name"])[0]) if row["name"][0] == "e" else 4096
        equal((offset, obj["type"]), (0, f"[{length}]*main.Val"), row["name"])
