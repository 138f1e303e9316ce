"""The timers that are running, against what the programs knew of theirs."""

from collections import Counter

from executables import dump_of, exe_of, files, truth_of
from harness import SMALL, answer, equal, test, truth, unpacked

HOUR = 3600 * 10**9
DRIFT = [f"go1.{minor}-drift-{phase}" for minor in (19, 27) for phase in (1, 2, 3)]
SERVERS = ["go1.10.8-server", "go1.15.15-server", "go1.19.8-server", "go1.26.10-server", "go1.6.4-server"]


def timers(*arguments):
    return answer("list", "timers", *arguments)


def sort_of(row):
    return row["kind"], round(row["fires_in"] / HOUR), row["period"]


@test(each=DRIFT, builds=["gcc"])
def none_has_been_stopped(name):
    phase = int(name[-1])
    told = truth_of(name[:-2])["dumps"][phase - 1]
    waits = Counter(g["kind"] for g in told["goroutines"])
    own = lambda rows: [row for row in rows if row["kind"] != "runtime"]
    rows = own(timers(*files(name)))
    equal(Counter(map(sort_of, rows)),
          Counter({("call", 2000, None): told["counts"]["timers"], ("call", 1000, None): waits["context with a deadline"],
                   ("sleep", 1000, None): waits["sleeper"], ("timer", 1000, None): waits["select with a timer"]}), "timers")
    for kind, waiting in (("sleep", "sleeper"), ("timer", "select with a timer")):
        equal(sorted(row["goroutine"] for row in rows if row["kind"] == kind),
              sorted(g["id"] for g in told["goroutines"] if g["kind"] == waiting), f"goroutines of {kind}")
    after = [row for row in rows if row["function"] == "main.grow.func1"]
    equal(len(after), told["counts"]["timers"], "closures of AfterFunc")
    # Each holds a closure of two words and a Steady of two words.
    size = {row["retained_bytes"] for row in answer("list", "timers", *files(name), "--where", "kind = sleep")}
    equal({row["retained_bytes"] for row in after}, {size.pop() + (16 if "1.27" in name else 0) + 32}, "what they hold")
    equal(sorted(row["name"] for row in after), sorted(f"main.timers[{n}]" for n in range(len(after))), "names")
    bare = own(timers(dump_of(name)))
    for column in ("address", "kind", "goroutine", "fires_in", "period"):
        equal([row[column] for row in bare], [row[column] for row in rows], f"{column} without an executable")


@test(each=SERVERS, builds=["gcc"])
def those_of_a_service(name):
    """Each request leaves a timer of an hour; contexts have one, too; five goroutines sleep."""
    rows = timers(*files(name)) if name not in ("go1.10.8-server", "go1.6.4-server") else timers(dump_of(name))
    sorts = Counter((row["kind"], round(row["fires_in"] / HOUR)) for row in rows if row["fires_in"] is not None)
    told = truth_of(name)
    assert sorts["call", 1] >= told["LeakedTimers"], sorts
    equal(sorts["sleep", 1], 5, "sleeping requests")
    if rows[0]["function"] and "func1" in " ".join(str(row["function"]) for row in rows):
        equal(sum(row["function"] == "main.(*Service).remember.func1" for row in rows), told["LeakedTimers"], "functions")


@test(each=SMALL)
def one_of_each_kind(name):
    """Sleeping goroutines had theirs on the stack before Go 1.4. main waits 20 ms again and again."""
    rows = [row for row in timers(unpacked(name)) if not (row["kind"] == "timer" and row["fires_in"] < 10**9)]
    kinds = {row["kind"]: row for row in rows}
    equal(len(kinds), len(rows), "timers")
    equal(set(kinds), {"call", "ticker"} if name.startswith("go1.3") else {"call", "ticker", "sleep"}, "kinds")
    equal({row["kind"]: row["period"] for row in rows if row["period"]}, {"ticker": HOUR}, "periods")
    for row in rows:
        assert HOUR - 10**10 < row["fires_in"] <= HOUR + 10**9, row
    for kind, variable in (("call", "main.gTimer"), ("ticker", "main.gTicker")):
        at = answer("list", "roots", unpacked(name), "--where", f"address = {truth(name)['Globals'][variable]['addr']}")
        equal([row["object"] for row in at], [kinds[kind]["address"]], variable)


@test(each=[("go1.10.8-server", 1, 0), ("go1.15.15-server", 0, 6), ("go1.19.8-server", 1, 5),
            ("go1.26.10-server", 0, 2)], builds=["gcc"])
def deadlines_are_of_connections(case):
    """Of the server's six connections five are answering, which takes their deadlines of an hour back; up to Go
    1.13 those go at once, then they stay in the runtime's lists until it tidies up."""
    name, sure, unsure = case
    path = files(name) if name != "go1.10.8-server" else [dump_of(name)]
    rows = [row for row in timers(*path) if row["kind"].lstrip("~") in ("read", "write")]
    equal(Counter(row["kind"] for row in rows), Counter({"read": sure, "~read": unsure}), "deadlines")
    if len(path) > 1:
        assert all(row["name"].endswith(".rwc.conn.fd") and ".activeConn key" in row["name"] for row in rows), rows
    for row in rows:
        if row["when"]:
            assert 0.9 < row["fires_in"] / HOUR < 1.1, row


@test(each=[name for name in SERVERS if "1.6" not in name], builds=["gcc"])
def many_are_on_the_overview(name):
    path = files(name) if name != "go1.10.8-server" else [dump_of(name)]
    made = sum(row["kind"] in ("call", "timer", "ticker") for row in timers(*path))
    assert made >= truth_of(name)["LeakedTimers"] > 1000, made
    row, = (row for row in answer("list", "findings", *path) if row["kind"] == "timers")
    equal((row["what"], row["count"]), (f"{made:,} timers", made), "the finding")
