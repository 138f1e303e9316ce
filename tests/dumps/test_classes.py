"""Tables whose rows are classes of the rows of another: computed again from that one's rows, naively."""

from executables import files
from harness import ONE, answer, equal, test, unpacked

SERIES = "series/go1.27-drift-"
DUMPS = [ONE, "go1.26.10-server", "go1.27-corner", "go1.19-corner", SERIES + "3"]

# table -> of which table, its keys, and what each other column is of a column of that table
ADD, MOST, ROWS = sum, max, len
CLASSES = {
    "packages": ("types", {"package": "package"}, {
        "types": (ROWS, "count"), "count": (ADD, "count"), "bytes": (ADD, "bytes"), "largest": (MOST, "largest")}),
    "creators": ("goroutines", {"name": "creator"}, {
        "count": (ROWS, "id"), "waited": (MOST, "waited"), "stack_bytes": (ADD, "stack_bytes")}),
    "reasons": ("goroutines", {"name": "reason"}, {
        "count": (ROWS, "id"), "waited": (MOST, "waited"), "stack_bytes": (ADD, "stack_bytes")}),
    "owner-sites": ("samples", {"owner": "owner", "function": "function", "line": "line"}, {
        "samples": (ROWS, "object"), "estimated_count": (ADD, "estimated_count"),
        "estimated_bytes": (ADD, "estimated_bytes")}),
}


def grouped(table, *dump):
    """The classes as the rows of the other table say them: key -> measures."""
    of, keys, measures = CLASSES[table]
    columns = dict.fromkeys([*keys.values(), *(column for _, column in measures.values())])
    classes = {}
    for row in answer("list", of, *dump, "--columns", ",".join(columns)):
        classes.setdefault(tuple(row[key] for key in keys.values()), []).append(row)
    return {key: {name: measured(how, [row[column] for row in rows]) for name, (how, column) in measures.items()}
            for key, rows in classes.items()}


def measured(how, values):
    known = [value for value in values if value is not None]
    if how is ROWS:
        return len(values)
    return how(known) if known else 0 if how is ADD else None


def told(table, *dump):
    _, keys, measures = CLASSES[table]
    rows = answer("list", table, *dump)
    classes = {tuple(row[key] for key in keys): {name: row[name] for name in measures} for row in rows}
    equal(len(classes), len(rows), f"{table}: no class is there twice")
    return classes, rows


@test(each=[(dump, table) for dump in DUMPS for table in CLASSES])
def as_the_rows_of_the_other_table(case):
    name, table = case
    dump = files(name) if name == ONE else (unpacked(name),)
    classes, rows = told(table, *dump)
    equal(classes, grouped(table, *dump), table)
    share = {"packages": "bytes", "owner-sites": "estimated_bytes"}.get(table)
    whole = sum(row[share] for row in rows) if share else 0
    for row in rows if share else []:
        assert abs(row["share"] - 100 * row[share] / max(whole, 1)) < 0.051, row


DELTAS = {"packages": ("count", "bytes"), "creators": ("count", "stack_bytes"), "reasons": ("count", "stack_bytes"),
          "owner-sites": ("estimated_count", "estimated_bytes"), "types": ("count", "bytes")}


@test(each=list(DELTAS))
def growth_is_the_difference_of_two_answers(table):
    """Of rows with the same keys in the two dumps, each asked by itself."""
    new, old = unpacked(SERIES + "3"), unpacked(SERIES + "1")
    keys = list(CLASSES[table][1]) if table in CLASSES else ["type"]
    count, size = DELTAS[table]
    before = {tuple(row[key] for key in keys): row for row in answer("list", table, old)}
    rows = answer("list", table, new, "--since", old)
    for row in rows:
        was = before.get(tuple(row[key] for key in keys), {count: 0, size: 0})
        equal((row["count_delta"], row["bytes_delta"]), (row[count] - was[count], row[size] - was[size]), row)
    assert any(row["bytes_delta"] for row in rows), table
    alone = answer("list", table, new)
    equal({(row["count_delta"], row["bytes_delta"]) for row in alone}, {(None, None)}, "without an earlier dump")
