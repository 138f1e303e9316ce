"""The whole heap by path: it adds up, and each row is where it says it is."""

from executables import dump_of, exe_of
from harness import DUMPS, ONE, answer, equal, input_of, oracle, test, truth

WHOLE = 1000000  # deeper than any tree here


def where(name, *exe, depth=WHOLE):
    return answer("list", "where", dump_of(name), *exe, "--depth", str(depth))


def below(rows, at):
    """The rows just below one."""
    for row in rows[at + 1:]:
        if row["depth"] <= rows[at]["depth"]:
            break
        if row["depth"] == rows[at]["depth"] + 1:
            yield row


@test(each=DUMPS, builds=["gcc"])
def every_reachable_byte_has_one_place(name):
    rows, graph = where(name), oracle(name)
    top = [row for row in rows if row["depth"] == 0]
    for column in ("bytes", "objects"):
        right = graph.reachable_bytes() if column == "bytes" else len(graph.distance)
        equal(sum(row[column] for row in top), right, f"{column} of the topmost rows")
    equal(sum(row["own_bytes"] for row in rows), graph.reachable_bytes(), "bytes of all rows")
    for at, row in enumerate(rows):
        parts = sum(part["bytes"] for part in below(rows, at))
        equal(row["bytes"], row["own_bytes"] + parts, f"bytes of row {at}, {row['name']}")


@test(each=DUMPS, builds=["gcc"])
def what_is_only_here_goes_with_these_objects(name):
    """Of rows that stand for a single object: what is lost without it."""
    rows, graph = where(name, depth=3), oracle(name)
    single = [row for row in rows if row["objects"] > 1 and row["count"] == 1
              and row["own_bytes"] == graph.dump.objects[place(graph, row)].size]
    assert single
    for row in single[:10]:
        equal(row["retained_bytes"], graph.lost(place(graph, row))[0], f"what goes with {row['expression']}")


def place(graph, row):
    return graph.dump.find(int(row["example"], 16))


@test(each=["go1.24.4-small", "go1.27-corner", "go1.19-corner"], builds=["gcc"])
def expressions_lead_back(name):
    """Of a row at each depth and of the biggest."""
    exe = ("--exe", exe_of(name))
    rows = where(name, *exe, depth=12)
    chosen = {row["depth"]: row for row in rows}.values()
    for row in [*chosen, *rows[:12]]:
        shown = answer("show", dump_of(name), row["expression"], *exe)
        equal(shown["address"], row["example"], row["expression"])


@test
def the_caches_are_where_the_program_has_them():
    exe = ("--exe", exe_of(ONE))
    rows = where(ONE, *exe, depth=1)
    at = next(i for i, row in enumerate(rows) if row["name"] == "main.gCache")
    equal((rows[at]["type"], rows[at]["count"]), ("map[string]*main.Session", 1), "the map")
    entries = [row for row in below(rows, at) if row["name"] == "[*]"]
    chain = [row for row in rows if row["name"] == "main.gCacheLast"]
    equal([row["type"] for row in entries + chain], ["main.Session"] * 2, "what they hold")
    sessions = len(truth(ONE)["CacheSessions"])
    equal(sum(row["count"] for row in entries + chain), sessions, "in the map, or sooner in the chain")


# What each variable of a program holds, whose chains have links of one to three steps, and how many links.
CHAINS = {"keyeds": 864_000, "links": 309_952, "kids": 264_000, "twos": 240_000, "threes": 216_000, "ones": 192_000,
          "ifaces": 192_000, "closure": 240_000}
LINKS, ROUNDED = 3000, 0.02


@test
def a_chain_is_one_row():
    """It leads to all of its links."""
    dump, exe = (input_of(f"cases4/chain-kinds-1.27/{name}") for name in ("app.dump", "app"))
    found = {row["name"]: row for row in answer("list", "findings", dump, "--exe", exe) if row["kind"] == "place"}
    for variable, size in CHAINS.items():
        name, = [name for name in found if name.startswith(f"main.{variable}")]
        assert abs(found[name]["bytes"] - size) <= size * ROUNDED, (name, found[name])
        links = answer("list", "objects", dump, f"at={name}", "--exe", exe) if "closure" not in name else range(LINKS)
        equal(len(links), LINKS, name)
        assert found[name]["count"] in (LINKS, LINKS - 1), (name, found[name])
