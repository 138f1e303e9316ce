"""check --assert: what is measured equals what the oracle counts, and the status says what holds."""

from executables import dump_of, exe_of
from harness import ONE, answer, equal, oracle, run, test, truth, unpacked


def measured(expression, *files):
    rows = answer("check", *(files or [unpacked(ONE)]), "--assert", f"{expression} >= 0")
    return rows[0]["value"]


@test
def measures_are_those_of_the_oracle():
    graph = oracle(ONE)
    sizes = [obj.size for obj in graph.dump.objects]
    for size in (16, 48, 4096):
        of_size = [i for i, own in enumerate(sizes) if own == size]
        equal(measured(f"retained(size = {size})"), graph.lost(*of_size)[0], f"retained by {size}")
        equal(measured(f"bytes(size = {size})"), size * len(of_size), f"bytes of {size}")
        equal(measured(f"objects(size = {size})"), len(of_size), f"objects of {size}")
    equal(measured("bytes()"), sum(sizes), "all bytes")
    equal(measured("retained()"), graph.reachable_bytes(), "what all retain together")
    equal(measured("goroutines()"), len(graph.dump.goroutines), "goroutines")


@test
def objects_of_a_type_retain_what_goes_with_all_of_them():
    graph = oracle(ONE)
    sessions = [graph.dump.find(int(a, 16)) for a in truth(ONE)["CacheSessions"]]
    got = measured('retained(type = "main.Session")', dump_of(ONE), exe_of(ONE))
    equal(got, graph.lost(*sessions)[0], "retained by the sessions")
    assert got > 250 * 4096, got  # with their buffers


@test
def sums_of_goroutines_are_there_to_be_asserted():
    """They are worked out for whoever asks first."""
    dump = unpacked(ONE)
    for table in ("groups", "creators"):
        for least in ("1", "100kB"):  # of some, and of none nothing would be said
            rows = answer("list", table, dump, "--where", f"retained_bytes >= {least}")
            equal(measured(f"{table}(retained_bytes >= {least})"), len(rows), f"{table} of {least}")


@test
def what_a_variable_retains_is_asked_by_its_name():
    """And what fails says where to look."""
    files = dump_of(ONE), exe_of(ONE)
    for path in ("main.gCache", 'main.gCache["session-0020"]', "main.gBlob"):
        retained = answer("retained", files[0], path, "--exe", files[1])[0]["retained_bytes"]
        row, = answer("check", *files, "--assert", f"retained({path}) < {retained}", expect=1)
        equal((row["value"], row["holds"], row["place"]), (retained, False, path), path)
        row, = answer("check", *files, "--assert", f"retained({path}) = {retained}")
        equal((row["holds"], row.get("place")), (True, None), path)
    largest = max(answer("list", "objects", *files, "type=main.Session"), key=lambda row: row["size"])
    row, = answer("check", *files, "--assert", "bytes(type = main.Session) < 1", expect=1)
    assert row["place"].startswith("main.Session 0xc"), (row, largest)
    result = run("check", *files, "--assert", "retained(main.nosuch) < 1", expect=2)
    assert '"main.nosuch" is no address' in result.err, result
    equal(measured("bytes(Session)", *files) > 250 * 64, True, "a word is searched for in types, too")


@test
def the_status_says_whether_all_hold():
    dump, size = unpacked(ONE), truth(ONE)["HeapAlloc"]
    holds, fails = f"bytes() = {size}", f"bytes() < {size}"
    run("check", dump, "--assert", holds, expect=0)
    run("check", dump, "--assert", fails, expect=1)
    rows = answer("check", dump, "--assert", holds, "--assert", fails, expect=1)
    equal([(row["assertion"], row["value"], row["holds"]) for row in rows],
          [(holds, size, True), (fails, size, False)], "the rows")


@test
def what_cannot_be_measured_does_not_hold():
    dump = unpacked(ONE)
    for expression, complaint in {
        "bytes(": "not closed",
        "bytes() <": "column 10: a value",
        "bytes(size > ) < 1": "column 14: a value",
        "bytes()": "ends with a comparison",
        "bites() < 1": "begins with retained(",
        "fields() < 1": "begins with retained(",
        'retained(type ~ "Session") < 1': "type of objects is not known",
        "bytes() < 1 fortnight": "column",
    }.items():
        result = run("check", dump, "--assert", expression, expect=2)
        assert complaint in result.err, result
    result = run("check", dump, expect=2)
    assert "--assert" in result.err, result
