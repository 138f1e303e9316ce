"""The memory of goroutines' stacks in heap dumps: a goroutine's record is an object from Go 1.4 on, and
begins with the bounds of its stack."""

from harness import DUMPS, answer, equal, oracle, test, unpacked


def minor(name):
    return int(name.split("-")[0].split(".")[1].split("beta")[0])


@test(each=DUMPS)
def stacks_are_exact_from_go_1_4_on(name):
    dump = oracle(name).dump
    contents = {dump.address(i): obj.data[dump.address(i) - obj.slot :] for i, obj in enumerate(dump.objects)}
    rows = {row["id"]: row for row in answer("list", "goroutines", unpacked(name))}
    for g in dump.goroutines:
        row = rows[g.id]
        if minor(name) < 4:
            equal((row["stack_known"], row["stack_bytes"]),
                  ("estimate", sum(len(frame.data) for frame in g.frames)), f"goroutine {g.id}")
            continue
        low, high = (dump._word(contents[g.address], i * dump.word_size) for i in (0, 1))
        size = row["stack_bytes"]
        equal(row["stack_known"], "exact", f"goroutine {g.id}")
        assert size & (size - 1) == 0 and low <= g.sp <= high, (g, row)
        # Go 1.5 to 1.8 have something of their own above the stack, up to the next power of two.
        assert size == high - low or minor(name) in (5, 6, 7, 8) and size / 2 < high - low < size, (row, low, high)
    if minor(name) >= 4:
        assert sum(row["stack_bytes"] for row in rows.values()) <= dump.memstats["StackInuse"]


@test(each=DUMPS)
def what_goroutines_cost_has_their_stacks(name):
    """own_bytes: the stack and what only the goroutine holds; of several, what only all of them hold."""
    path = unpacked(name)
    goroutines = answer("list", "goroutines", path)
    for row in goroutines:
        equal(row["own_bytes"], row["stack_bytes"] + row["retained_bytes"], f"goroutine {row['id']}")
    for table in ("groups", "creators", "reasons"):
        rows = answer("list", table, path)
        for row in rows:
            equal(row["own_bytes"], row["stack_bytes"] + row["retained_bytes"], str(row))
        equal(sum(row["stack_bytes"] for row in rows), sum(row["stack_bytes"] for row in goroutines), table)
        assert sum(row["own_bytes"] for row in rows) >= sum(row["own_bytes"] for row in goroutines), table
        equal([row["own_bytes"] for row in rows], sorted((row["own_bytes"] for row in rows), reverse=True), table)
