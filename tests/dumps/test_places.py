"""Places of several objects, as tables print them, "main.jobs[*]": each is taken where one object is asked for, and what
is asked of all of them counts what is at them."""

import functools
import json
import re

from core_files import core
from executables import files
from harness import ONE, TESTDATA, answer, equal, run, test

DUMPS = [ONE, "go1.19.8-small", "go1.26.10-server", "go1.24-holders", "go1.27-corner"]
CORES = ["go1.24-queued", "go1.26-queued"]
MOST = 6  # of each kind in an input


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


@functools.lru_cache(maxsize=1)
def dominators(input_):
    return {row["address"]: row["dominator"] for row in answer("list", "dominators", *input_, "--columns", "address,dominator")}


def holder_of_all(input_, addresses):
    """The nearest object that dominates all of some objects; None: there is none."""
    above = dominators(tuple(input_))
    common = None
    for address in addresses:
        chain = []
        while above.get(address):
            address = above[address]
            chain.append(address)
        common = chain if common is None else [one for one in common if one in set(chain)]
    return common[0] if common else None


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
        size = {row["address"]: row["size"] for row in answer("list", "objects", *input_, f"at={place}", "--columns", "address,size")}
        equal((shown["count"], shown["bytes"]), (len(at), sum(size.values())), f"{place}: on its page")
        equal((shown["freed_objects"], shown["freed_bytes"]), (told[0]["freed_objects"], told[0]["freed_bytes"]), f"{place}: frees")
        equal(sum(kind["count"] for kind in shown["types"]), len(at), f"{place}: types")
        assert shown["example"] in at and shown["path_objects"] <= len(at), (place, shown)
        retained = answer("list", "retained", *input_, place)
        equal([(row["retained_objects"], row["retained_bytes"]) for row in retained],
              [(told[0]["freed_objects"], told[0]["freed_bytes"])], f"{place}: retained")
        if " " not in place:  # a condition may stand there
            [checked] = answer("check", *input_, "--assert", f"retained({place}) >= 0")
            equal(checked["value"], told[0]["freed_bytes"], f"{place}: check")
        equal(answer("why", *input_, place)["address"], holder_of_all(input_, at) or shown["example"], f"{place}: why")
        root, *steps = json.loads(run("path", *input_, place, "--json", expect=0).out)[0]
        equal((root["objects"], root["objects_alike"], steps[-1]["address"]), (len(at), shown["path_objects"], shown["example"]), place)


@test(builds=["gcc"])
def what_has_no_elements_is_told():
    input_ = files(ONE)
    for command in ("show", "path", "why", "what-if"):
        for name in ("main.nosuch[*]", "main.main[*]"):
            out = run(command, *input_, name)
            assert out.status and "[*] stands for the elements of a map, a slice or an array" in out.err, (command, name, out)


TOLD = {"V8": "v8/registry.heapsnapshot", ".NET": "netcf/leak_after.gclog", "two domains": "netcf/two_domains.gclog"}


@test(each=TOLD, builds=["gcc"])
def names_that_a_format_tells_lead_back(name):
    """Roots, and what is behind them by the names of references."""
    dump = TESTDATA / TOLD[name]
    roots = {row["name"]: row["target"] for row in answer("list", "roots", dump)}
    for root, target in roots.items():
        assert answer("show", dump, root)["address"] in [row["target"] for row in answer("list", "roots", dump) if row["name"] == root], root
    for row in answer("list", "where", dump, "--depth", "99"):
        shown = answer("show", dump, row["expression"])
        equal(shown["address"], row["example"], row["expression"])
    first = answer("list", "objects", dump)[0]
    equal(answer("show", dump, f'{first["type"]} {first["address"]}')["address"], first["address"], "a label")
