"""Groups and sums: against what the programs have told, and against the rows themselves."""

from collections import Counter

from executables import dump_of, files, truth_of
from harness import ONE, answer, equal, run, test

SERVER = "go1.26.10-server"
CORNER = "go1.27-corner"


def groups(name, table, key, *more):
    return answer("list", table, *files(name), "--group", key, *more)


@test(each=["go1.19.8-small", ONE])
def buffers_of_the_cache(name):
    """CacheCount sessions with a buffer of 4 KiB each."""
    count = truth_of(name)["CacheCount"]
    where = ("--where", "type = main.Session and reachable")
    rows = groups(name, "objects", "len(.Buf),sum(len(.Buf))", *where)
    equal([(row["value"], row["count"], row["sum(len(.Buf))"]) for row in rows], [(4096, count, 4096 * count)], name)
    rows = groups(name, "objects", ".ID", *where)
    equal({row["value"]: row["count"] for row in rows}, {f"session-{i:04}": 1 for i in range(count)}, "names")


@test
def friends_of_users():
    """User i of 500 has the i % 5 users before it as friends; the numbers of users count from 0."""
    rows = groups(SERVER, "objects", "len(.Friends),sum(.ID)", "--where", 'type = main.User and .Name ~ "^User Number"')
    told = {k: (sum(1 for i in range(500) if i % 5 == k), sum(i for i in range(500) if i % 5 == k)) for k in range(5)}
    equal({row["value"]: (row["count"], row["sum(.ID)"]) for row in rows}, told, "friends")


@test(each=[("types", "known"), ("objects", "type"), ("goroutines", "status"), ("roots", "kind")])
def as_the_rows_say(case):
    """Every group is as often in the rows, and their bytes add up; none is the empty value."""
    table, key = case
    if table == "types":
        key = "instances" if "instances" in answer("list", "types", *files(ONE), "--limit", "1")[0] else "type"
    rows = answer("list", table, *files(ONE))
    counted = Counter(row[key] for row in rows)
    made = groups(ONE, table, key)
    equal({row["value"]: row["count"] for row in made}, dict(counted), f"{table} by {key}")
    if table == "objects":
        equal(sum(row["bytes"] for row in made), sum(row["size"] for row in rows), "bytes")
        total = groups(ONE, table, "sum(retained_bytes),sum(references)")
        equal((len(total), total[0]["sum(retained_bytes)"], total[0]["sum(references)"]),
              (1, sum(row["retained_bytes"] or 0 for row in rows), sum(row["references"] for row in rows)), "sums")


@test
def orders_columns_and_bounds():
    rows = groups(CORNER, "objects", ".N,sum(.N)", "--where", "type = main.Val and .N < 1000", "--sort", "-sum(.N)",
                  "--columns", "value,sum(.N)", "--limit", "3")
    assert all(set(row) == {"value", "sum(.N)"} for row in rows), rows
    numbers = [row["sum(.N)"] for row in rows]
    assert len(numbers) == 3 and numbers == sorted(numbers, reverse=True), numbers


@test
def sums_that_must_hold():
    result = run("check", *files(SERVER), "--assert", "sum(len(.Friends), type = main.User) = 1000",
                 "--assert", "sum(retained_bytes) > 1 MB", "--assert", "objects(type = main.User and .ID = 494) = 1",
                 "--assert", "sum(.ID, type = main.User and .ID < -100) < -1000", expect=0)
    assert result.out.count(" yes") == 4, result
    run("check", *files(SERVER), "--assert", "sum(len(.Friends), type = main.User) > 1000", expect=1)


@test
def what_cannot_be_grouped():
    for key, words in ((".Nmae", ["No object here has .Nmae", ".Name"]), ("foo", ["no column \"foo\""]),
                       ("type,size", ["sum(size)"]), ("sum(.ID", ["Name the column"]),
                       ("a,sum(b),sum(c),sum(d),sum(e),sum(f)", ["Too many sums"])):
        result = run("list", "objects", *files(SERVER), "--group", key, expect=2)
        assert all(word in result.err for word in words) and not result.out, result
    result = run("list", "objects", dump_of(SERVER), "--group", ".ID", expect=2)
    assert "--exe" in result.err, result
    result = run("check", *files(SERVER), "--assert", "sum(len(.Friendz)) < 4", expect=2)
    assert ".Friends" in result.err, result
    for text in ("sum() < 4", "sum(.ID type = x) < 4"):
        assert "sum() takes a field" in run("check", *files(SERVER), "--assert", text, expect=2).err, text
