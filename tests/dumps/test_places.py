"""Places of several objects, as tables print them, "main.jobs[*]": each is taken where one object is asked for, and what
is asked of all of them counts what is at them."""

import json
import re

from core_files import core
from executables import exe_of, files
from harness import ONE, answer, equal, run, stored, test

DUMPS = [ONE, "go1.19.8-small", "go1.26.10-server", "go1.24-holders", "go1.27-corner"]
CORES = ["go1.24-queued", "go1.26-queued"]
MOST = 12  # of each kind in an input


def full_names(rows):
    """Of the tree where: each row has the step from the one above it."""
    steps = []
    for row in rows:
        steps[row["depth"]:] = [row["name"]]
        yield "".join(step or "?" for step in steps)


def places(input_):
    """Those that are printed: alone, or with the words before it that say what it is of."""
    names = [re.sub("^largest: |^.*, ", "", row["name"] or "") for row in answer("list", "findings", *input_)]
    merged = [name for name in full_names(answer("list", "where", *input_, "--depth", "99", "--columns", "name,depth"))]
    for kind in (names, merged):
        yield from [name for name in dict.fromkeys(kind) if "[*]" in name and not re.search(r"\?|…|\[\d+\]|> |outside|\]\[\*\]", name)][:MOST]


@test(each=[*DUMPS, *CORES], builds=["gcc"])
def a_place_is_taken_where_one_is_asked_for(name):
    input_ = files(name) if name in DUMPS else (core(name), )
    asked = list(places(input_))
    assert asked, "no place of several objects"
    for place in asked:
        at = {row["address"] for row in answer("list", "objects", *input_, f"at={place}")}
        told = answer("what-if", *input_, place)
        freed = answer("list", "objects", *input_, f"retained=(at={place})")
        equal([(row["cut"], row["freed_objects"]) for row in told], [(place, len(freed))], f"{place}: freed")
        assert at <= {row["address"] for row in freed}, place
        equal(sum(row["count"] for row in answer("list", "retained-set", *input_, place)), len(freed), f"{place}: by type")
        shown = answer("show", *input_, place)
        assert shown["address"] in at, (place, shown["address"])
        equal(answer("why", *input_, place)["address"], shown["address"], f"{place}: why")
        paths = json.loads(run("path", *input_, place, "--json", expect=0).out)
        assert paths, place


@test(builds=["gcc"])
def what_has_no_elements_is_told():
    input_ = files(ONE)
    for command in ("show", "path", "why", "what-if"):
        for name in ("main.nosuch[*]", "main.main[*]"):
            out = run(command, *input_, name)
            assert out.status and "[*] stands for the elements of a map, a slice or an array" in out.err, (command, name, out)
