"""What the table growth says, against what programs did between two dumps."""

import pathlib

from harness import TESTDATA, UNPACKED, answer, equal, input_of, run, test, unpack

# testdata/src/slow: (how many more, bytes more), a few of many below one large place.
SLOW = {
    "late": (1, 1 << 20), "later": (1, 48 << 10), "queue": (3, 3 * 2048), "items": (10, 10 * 512),
    "index": (4, 4 * 1024), "list": (15, 15 * 96),
}


def slow(number):
    return unpack(TESTDATA / "slow" / f"slow-{number}.dump.xz", UNPACKED / f"slow-{number}.dump")


def process(name):
    """A file of a process or core file that the repository does not have."""
    return input_of(f"daemons/small/{name}")


@test
def slow_growth_below_a_large_place_is_growth():
    rows = answer("list", "growth", slow(2), "--since", slow(1))
    for name, (count, size) in SLOW.items():
        near = [row for row in rows if row["count_delta"] == count
                and size <= row["bytes_delta"] <= size + max(size // 20, 64)]
        assert near, f"{name}: {rows}"
    assert not any(row["counts"] in ("100 > 100", "8,000 > 8,000") for row in rows), rows
    # Those of the program, then those of the runtime.
    order = [(not row["name"].startswith("runtime."), row["bytes_delta"]) for row in rows if not row["pool"]]
    equal(order, sorted(order, reverse=True), "order")


@test
def a_sync_map_does_not_hide_what_stands_beside_it():
    """srv has one: it grew from 50 to 100 entries, and nothing that srv leads to because of that."""
    rows = answer("list", "growth", slow(2), "--since", slow(1), "--exe", unpack(
        TESTDATA / "slow" / "slow.exe.xz", UNPACKED / "slow" / "exe"))
    got = {row["name"].split("(")[0].split("[")[0].rpartition(" variable ")[2] for row in rows}
    for field in ("later", "cache", "items", "index", "list"):
        assert f"bss+0x0.{field}" in got, (field, got)
    assert not got & {"bss+0x0", "bss+0x0.stable", "bss+0x0.fixed"}, got


@test
def growth_is_that_of_where():
    """The table where knows of all that grew, by as many bytes."""
    known = {row["example"]: row["bytes_delta"]
             for row in answer("list", "where", slow(2), "--since", slow(1), "--depth", "99")}
    for row in answer("list", "growth", slow(2), "--since", slow(1)):
        equal(known[row["example"]], row["bytes_delta"], row["name"])


@test(builds=["gcc"])
def a_log_of_a_running_process_grows():
    """Three slices with 40,000 entries of 500 bytes have 1,000 more; of one the array points at them."""
    rows = answer("list", "growth", process("grow.2.core"), "--since", process("grow.1.core"),
                  "--exe", process("grow.exe"))
    got = {row["name"]: (row["count"], row["count_delta"], row["bytes_delta"]) for row in rows[:3]}
    equal(got, {"main.srv.st.ents": (41000, 1000, 512000), "main.flat": (41000, 1000, 512000),
                "main.byptr": (41000, 1000, 560000)}, "what grew")
    assert all(row["bytes_delta"] < 200 for row in rows[3:]), rows[3:]


@test(builds=["gcc"])
def snapshots_are_in_the_order_of_their_times():
    """A goroutine that a collection found waiting has run since: its time is gone from the second."""
    first, second, exe = process("order.1.core"), process("order.2.core"), process("order.exe")
    right = run("diff", first, second, exe, expect=0)
    assert "reachable  +1.0 MB" in right.out and "It is the newer dump" not in right.err, right
    turned = run("diff", second, first, exe, expect=0)
    equal(turned.out, right.out, "diff")
    assert f"{pathlib.Path(second).name}: It is the newer dump" in turned.err, turned.err
    refused = run("list", "growth", first, "--since", second, "--exe", exe, expect=2).err
    assert "is not from before: it was written after the other one" in refused, refused
