"""Fields of objects as columns, in filters and in orders: against what the programs have told."""

import csv
import io

from executables import dump_of, exe_of, files, truth_of
from harness import ONE, answer, equal, real_files, run, test
from survive import file_of

SERVER = "go1.26.10-server"
CORNER = ["go1.19-corner", "go1.27-corner"]


def objects(name, where, columns, *more):
    return answer("list", "objects", *files(name), "--where", where, "--columns", columns, *more)


@test(each=["go1.19.8-small", ONE])
def sessions_have_their_names(name):
    """Of the cache: "session-0017" at the place that the truth has for the 17th of them."""
    told = truth_of(name)
    rows = objects(name, "type == main.Session and reachable", 'address,.ID,len(.Buf),cap(.Buf),.Tags["user"]')
    ids = {row["address"]: row[".ID"] for row in rows}
    wanted = {f"session-{i:04}" for i in range(told["CacheCount"])}
    equal({ids[address] for address in told["CacheSessions"]}, wanted, "names")
    equal({row["len(.Buf)"] for row in rows} | {row["cap(.Buf)"] for row in rows}, {4096}, "buffers")
    for i, address in enumerate(told["CacheSessions"]):
        found = objects(name, f'type = main.Session and .ID = "{ids[address]}"', "address")
        assert {"address": address} in found, found
        if i == 5:
            break


@test
def one_pointer_deep_and_deeper():
    rows = objects(SERVER, "type = main.User and .ID > 490 and .ID <= 495",
                   ".ID,.Name,.Friends[0].Name,.Friends[0].Friends[0].ID,len(.Friends)", "--sort", ".ID")
    equal([row[".ID"] for row in rows], [491, 492, 493, 494, 495], "users")
    for row in rows:
        equal(row[".Name"], f"User Number {row['.ID']}", "name")
        friends = row["len(.Friends)"]
        first = row[".Friends[0].Name"]
        equal(first, f"User Number {row['.ID'] - 1}" if friends else None, f"friend of {row['.ID']}")


@test(each=CORNER, builds=["gcc"])
def numbers_of_every_entry(name):
    """Each of the 60,000 values of main.bigMap once; numbers are in the order of numbers."""
    rows = objects(name, "type = main.Val", ".N,address", "--sort", ".N")
    numbers = [row[".N"] for row in rows if row[".N"] is not None]
    assert len(numbers) >= 60000 and numbers == sorted(numbers)
    some = objects(name, "type = main.Val and .N >= 100 and .N < 110", ".N")
    right = [{".N": number} for number in numbers if 100 <= number < 110]
    equal(sorted(row[".N"] for row in some), [row[".N"] for row in right], "100 to 109")


@test
def numbers_below_zero_and_orders():
    rows = objects(SERVER, "type = main.User and .ID != none", ".ID", "--sort", ".ID")
    numbers = [row[".ID"] for row in rows]
    assert numbers == sorted(numbers) and len(numbers) >= 500, numbers[:10]
    below = objects(SERVER, "type = main.User and .ID < -100", ".ID")
    equal(sorted(row[".ID"] for row in below), [n for n in numbers if n < -100], "below -100")


def set_screen(size, table, *files):
    """Heads and the first rows of a set on a screen."""
    lines = run("-e", f"wait all\n{table}", "--size", size, *files, expect=0).out.split("\n")[2:]
    return lines[0], lines[1].split(), [line.split() for line in lines[2:] if line.startswith(" 0x")]


@test(each=["59x24", "80x24", "118x24"], builds=["gcc"])
def sets_show_fields_that_differ(size):
    """In a pane of 59 columns, too, and those of fields: of trees, whose objects have two of their own. The type is
    in the title."""
    title, heads, rows = set_screen(size, "objects type=main.TreeNode", *files(ONE))
    chosen = [head for head in heads if head.startswith(".")]
    assert "main.TreeNode" in title and {".Key", ".Name"} <= set(chosen), (title, heads)
    equal(size == "59x24" or ".Left.Key" in chosen, True, "a field of a field")
    told = {row["address"]: row for row in objects(ONE, "type = main.TreeNode", ",".join(["address", *chosen]))}
    for row in rows:
        values = [str(told[row[0]][name]) for name in chosen if told[row[0]][name] is not None]
        equal(row[-len(values):], values, row[0])


@test(builds=["gcc"])
def a_set_of_several_types_shows_them():
    path, _ = real_files("webmetrics-go1.23")
    dump = path, "--exe", exe_of("webmetrics-go1.23")
    types = {row["type"] for row in answer("list", "objects", path, "at=internal/godebug.cache", *dump[1:])}
    assert len(types) > 1, types
    title, heads, _ = set_screen("80x24", "objects at=internal/godebug.cache", *dump)
    assert "type" in heads and not any(one in title for one in types), (title, heads)


@test
def what_no_object_has():
    for where, columns, words in (
            ("type = main.User", "address,.Nmae", ["No object here has .Nmae", ".Name"]),
            ("type = main.User", ".Friends[0].Nmae", ["has no such field", ".Name"]),
            (".Nmae = x", "address", ["No object here has .Nmae"]),
            ("type = main.User and len(.Friendz) > 1", "address", [".Friendz", ".Friends"])):
        result = run("list", "objects", *files(SERVER), "--where", where, "--columns", columns, expect=2)
        assert all(word in result.err for word in words) and not result.out, result
    result = run("list", "objects", dump_of(SERVER), "--columns", ".ID", expect=2)
    assert "--exe" in result.err, result
    result = run("list", "memstats", dump_of(SERVER), "--columns", ".ID", expect=2)
    assert "are not objects" in result.err, result


@test
def heads_and_keys_are_as_written():
    column = '.Tags["user"]'
    text = run("list", "objects", *files(ONE), "--where", "type = main.Session", "--columns",
               f"address,{column}", "--csv", expect=0).out
    rows = list(csv.DictReader(io.StringIO(text)))
    assert rows and set(rows[0]) == {"address", column}, rows[:1]
    same = objects(ONE, "type = main.Session", f"address,{column}")
    equal([row[column] or None for row in rows], [row[column] for row in same], "CSV and JSON")


@test
def words_with_a_dot_are_still_searched():
    equal(run("list", "objects", *files(ONE), "--where", ".ListNode", "--columns", "address").out,
          run("list", "objects", *files(ONE), "--where", '".ListNode"', "--columns", "address").out,
          "a text that begins with a dot")


@test
def lengths_that_lie():
    """A string of a terabyte and a map of 2^60 entries: the length is what the dump says, what would
    be in it is not known."""
    content = bytearray(open(dump_of(ONE), "rb").read())
    session = objects(ONE, "type = main.Session and .ID = session-0017", "address")[0]["address"]
    fields = {row["name"]: row for row in answer("show", *files(ONE), session)["fields"]}
    buffer = pack(fields["Buf"]["target"]) + pack(4096) + pack(4096)
    at = content.index(buffer) - 8
    equal(content[at:at + 8], pack(12), "the length of the name")
    content[at:at + 8] = pack(1 << 40)
    cache = truth_of(ONE)["Objects"]["map_cache"]["addr"]
    header = [row for row in answer("list", "collections", *files(ONE), "map") if row["address"] == cache]
    equal(header[0]["length"], truth_of(ONE)["CacheCount"], "entries")
    directory = answer("list", "references", *files(ONE), cache)[0]["target"]
    at = content.index(pack(directory)) - 16
    equal(content[at:at + 8], pack(header[0]["length"]), "the number of entries")
    content[at:at + 8] = pack(1 << 60)
    with file_of(content) as file:
        rows = answer("list", "objects", file.name, "--exe", exe_of(ONE), "--where",
                      "type = main.Session and len(.ID) > 1000", "--columns", "address,.ID,len(.ID)")
        equal(rows, [{"address": session, ".ID": None, "len(.ID)": 1 << 40}], "the session")
        maps = answer("list", "collections", file.name, "map", "--exe", exe_of(ONE))
        row = [row for row in maps if row["address"] == cache][0]
        equal((row["length"], row["waste_bytes"]), (None, None), "the map")


def pack(number):
    return (int(number, 16) if isinstance(number, str) else number).to_bytes(8, "little")
