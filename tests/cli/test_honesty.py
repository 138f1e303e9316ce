"""What a dump cannot tell is said, not guessed: dumps without roots, objects that Go did not write
whole, and --strict."""

import contextlib
import os
import pathlib
import struct
import tempfile

import writer
from executables import dump_of, exe_of
from harness import ONE, UNPACKED, Skip, answer, equal, run, test, unpacked

HEAP = writer.HEAP
WRITE_MAX = 0x7FFFF000  # bytes that Go writes of an object at most


@contextlib.contextmanager
def file_of(*pieces):
    """The path of a file made of bytes, and of holes where a piece is a number."""
    with tempfile.NamedTemporaryFile(prefix="goheapx-test-", suffix=".dump") as file:
        for piece in pieces:
            if isinstance(piece, int):
                file.seek(piece, os.SEEK_CUR)
            else:
                file.write(piece)
        file.flush()
        yield file.name


def without_roots(end=b""):
    """What is there when the program crashes after it has written the objects."""
    node = lambda i: writer.record(1, HEAP + 16 * i, writer.words(HEAP + 16 * i + 16, i), [0])
    return writer.HEADER + writer.params() + b"".join(map(node, range(20))) + end


UNKNOWN = "There are no roots in the dump: what is alive cannot be told"
ELSE = ". The table unreachable has the objects that no other one points to"


@test(each=(b"", b"\0"))
def without_roots_nothing_is_said_of_what_is_alive(end):
    with file_of(without_roots(end)) as path:
        info = answer("info", path)
        equal([info["reachable_objects"], info["reachable_bytes"]], [None, None], "info")
        equal(info["objects"], 20, "objects")
        equal({row["reachable"] for row in answer("list", "objects", path)}, {None}, "list objects")
        shown = answer("show", path, f"{HEAP:#x}")
        equal([shown["reachable"], shown["distance"]], [None, None], "show")
        assert "unknown" in run("show", path, f"{HEAP:#x}", expect=0).out, "show as text"
        assert UNKNOWN in run("info", path, expect=0).out, "the report does not say it"
        for arguments in (("path", path, f"{HEAP:#x}"), ("list", "objects", path, "unreachable"),
                          ("list", "shapes", path, "reachable"),
                          ("list", "path", path, f"{HEAP:#x}"), ("top", path),
                          ("list", "owners", path), ("list", "dominated", path, f"{HEAP:#x}"),
                          ("list", "owned", path, f"{HEAP:#x}")):
            result = run(*arguments, expect=1)
            equal(result.out, "", f"output of {arguments}")
            cut = "" if end else ". The dump is cut before the end of its roots, so that there may " \
                                 "have been some"
            equal(result.err.splitlines()[-1], f"goheapx: {UNKNOWN}{ELSE}{cut}.",
                  f"complaint of {arguments}")
        heads = answer("list", "unreachable", path)
        equal([(row["object"], row["objects"]) for row in heads], [(f"{HEAP:#x}", 20)], "heads")
        screens = run("-e", f"overview; screen; object {HEAP:#x}; screen", path, expect=0).out
        assert screens.count("no roots: what is alive cannot be told") == 1, screens
        assert "unknown: there are no roots in the dump" in screens, screens
        assert "none: it is unreachable" not in screens, screens
        assert "of reachable objects" not in screens, screens


@test
def one_root_is_enough_to_tell():
    root = writer.record(12, writer.DATA, writer.words(HEAP + 16 * 10), [0])
    with file_of(without_roots(root)) as path:
        equal(answer("info", path)["reachable_objects"], 10, "reachable objects")
        heads = answer("list", "unreachable", path)
        equal([row["object"] for row in heads], [f"{HEAP:#x}"], "heads")
        equal(heads[0]["objects"], 10, "objects without a root")


@test
def a_ring_without_a_root_has_a_head():
    node = lambda i, to: writer.record(1, HEAP + 16 * i, writer.words(HEAP + 16 * to, i), [0])
    root = writer.record(12, writer.DATA, writer.words(HEAP), [0]) + b"\0"
    with file_of(writer.HEADER + writer.params() + node(0, 0) + node(1, 2) + node(2, 3) +
                 node(3, 1) + node(4, 4) + root) as path:
        heads = answer("list", "unreachable", path)
        got = {row["object"]: (row["ring"], row["objects"], row["bytes"]) for row in heads}
        right = {f"{HEAP + 64:#x}": (False, 1, 16), f"{HEAP + 16:#x}": (True, 3, 48)}
        equal(got, right, "heads")


def large(size, stored):
    """A dump with an object of `size` bytes, of which `stored` are there: two pointers to small
    objects, one at its start, one beyond what is there."""
    small = writer.record(1, HEAP, writer.words(1, 2), []) + writer.record(1, HEAP + 16, bytes(16), [])
    address = HEAP + 0x100000
    start = b"\1" + writer.uvarint(address) + writer.uvarint(size) + writer.words(HEAP)
    rest = writer.fields([0, size - 8]) + writer.record(1, HEAP + 32, writer.words(address, 0), [0])
    globals_ = writer.record(12, writer.DATA, writer.words(address + size - 1, HEAP + 32), [0, 8])
    globals_ += writer.record(13, writer.DATA + 0x1000, b"", [])
    return (writer.HEADER + writer.params("go1.27.3") + small + start, stored - 8,
            rest + globals_ + writer.memstats() + b"\0"), address


@test
def what_a_page_leaves_out_of_a_large_array_is_told():
    size = 8 * 50_000
    array = writer.record(1, HEAP + 64, bytes(range(1, 251)) * (size // 250), [])
    with file_of(writer.HEADER + writer.params(), array + writer.memstats() + b"\0") as path:
        shown = answer("show", path, f"{HEAP + 64:#x}")
        assert len(shown["fields"]) < 20_000, len(shown["fields"])
        equal(len(shown["fields"]) + shown["fields_left_out"], answer("info", path)["object_bytes"] // 16, "rows")
        equal("fields_left_out" in answer("show", path, f"{HEAP + 64:#x}", "--limit", "100000"), False, "all of them")
        assert " more …" in run("show", path, f"{HEAP + 64:#x}", expect=0).out


def check_large(path, size, stored, address):
    info = answer("info", path)
    equal(info["complete"], True, "complete")
    equal([info["objects"], info["object_bytes"]], [4, size + 48], "totals")
    equal(info["reachable_objects"], 3, "reachable objects")
    equal(len(info["warnings"]), 1, "warnings")
    text = info["warnings"][0]["text"]
    assert f"only {stored} of {size} bytes" in text and f"{address:#x}" in text, text
    shown = answer("show", path, f"{address + size - 1:#x}", "--limit", "3")
    got = [shown[key] for key in ("address", "size", "stored", "references")]
    equal(got, [f"{address:#x}", size, stored, 1], "show")
    equal(shown["fields"][0]["object"], f"{HEAP:#x}", "first field")
    pages = run("-e", f"object {address:#x}; screen; hex {address:#x}; keys G; screen; "
                f"fields {address:#x}; screen", path, expect=0).out
    assert "the dump has only the first" in pages, pages
    record = [r for r in answer("list", "records", path, "object") if "present" in r["text"]]
    equal(len(record), 1, "records of it")


@test
def an_object_of_more_than_4_gib_has_what_the_32_bit_length_left():
    size, stored = (1 << 32) + 256, 256
    pieces, address = large(size, stored)
    with file_of(*pieces) as path:
        check_large(path, size, stored, address)


@test(builds=["gcc"])
def an_object_of_more_than_2_gib_is_cut():
    size = 2500 << 20
    pieces, address = large(size, WRITE_MAX)
    with file_of(*pieces) as path:
        if os.stat(path).st_blocks * 512 > 1 << 20:
            raise Skip("this file system has no files with holes")
        check_large(path, size, WRITE_MAX, address)


@test
def strict_answers_and_exits_with_2():
    whole, node = writer.tiny(), f"{HEAP + 16:#x}"
    questions = (
        ("info",), ("info", "--json"), ("list", "goroutines"), ("show", node), ("path", node),
    )
    for content, status in ((whole, 0), (whole[:-1], 2)):
        with file_of(content) as path:
            for word, *rest in questions:
                operands = (word, rest.pop(0), path) if word == "list" else (word, path)
                plain = run(*operands, *rest, expect=0)
                strict = run("--strict", *operands, *rest, expect=status)
                equal(strict.out, plain.out, f"output of {operands}")
                equal(bool(strict.err), status == 2, f"complaint of {operands}")
            run("--strict", "-e", "overview", path, expect=status)
    with file_of(whole[:-1]) as path:
        result = run("--strict", "path", path, "0x1", expect=2)
        assert "The file is truncated" in result.err, result


@test
def the_overview_says_where_and_what_it_means():
    offset = answer("list", "records", unpacked(ONE), "memstats")[0]["offset"]
    with open(unpacked(ONE), "rb") as file:
        whole = file.read(offset + 5)
    with file_of(whole) as path:
        equal(answer("info", path)["warnings"][0]["offset"], offset, "offset of the warning")
        for shown in (run("-e", "accounts; screen", "--size", "100x80", path, expect=0).out,
                      run("info", path, expect=0).out):
            assert f"byte {offset}" in shown, shown
            assert "The statistics of the runtime are missing." in shown, shown


@test
def objects_without_a_root_are_never_called_garbage():
    """Neither in a dump with some objects that no root leads to, nor where they are most of the heap."""
    old = "go1.15.15-server"
    assert "Most of the heap is unreachable" in run("info", unpacked(old), expect=0).out
    texts = [(*arguments, unpacked(name)) for name in (ONE, old, "go1.26.10-server")
             for arguments in (("info",), ("-e", "overview; help; screen"), ("-e", "unreachable; help; screen"),
                               ("list", "memstats"),
                               ("why", answer("list", "unreachable", unpacked(name))[0]["object"]))]
    texts = [(words[0], words[2], words[1]) if words[0] == "why" else words for words in texts]
    for arguments in (*texts, ("manual",)):
        shown = run(*arguments, expect=int(arguments[0] == "why")).out
        assert "garbage" not in shown.lower(), shown


CUT = "\nThe search was limited: there may be more paths.\n"


@test(builds=["gcc"])
def paths_that_were_not_looked_for_are_said_to_be_missing():
    """Of one object more paths come from what points to it than are looked at; of others all are."""
    dump, all_paths = unpacked("go1.19.8-server"), ("--limit", "5000", "--parts")
    many, few = "0xc000176000", answer("list", "objects", unpacked("go1.19.8-server"), "--limit", "1")[0]["address"]
    assert len(answer("list", "referrers", dump, many)) > 1024, "it is no such object"
    for address, cut in ((many, True), (few, False)):
        equal(CUT in run("path", dump, address, *all_paths, expect=0).out, cut, f"text of {address}")
        paths = answer("path", dump, address, *all_paths)
        equal({steps[0]["more"] for steps in paths}, {cut}, f"JSON of {address}")


@test
def what_was_not_searched_is_not_denied():
    """Each sentence names what was looked through, and says when something of it is not known."""
    dump = unpacked(ONE)  # of Go 1.24, which has cleanups; its executable is not given
    said = run("list", "types", dump, "main").err
    assert "cannot be told without the program's executable" in said and "No object" not in said, said
    said = run("list", "types", unpacked("go1.24-holders"), "net/nosuch", "--exe", exe_of("go1.24-holders")).err
    assert "of this package cannot be told" in said and "No reachable object" not in said, said  # raw memory is there
    said = run("list", "cycles", dump).err
    assert "No finalizer keeps its own object alive. Whether cleanups can ever run cannot be told" in said, said
    assert "No finalizer or cleanup keeps" in run("list", "cycles", unpacked("go1.19.8-small")).err
    said = run("list", "holders", dump, answer("list", "unreachable", dump)[0]["object"]).err
    assert "Neither an object nor a root of the dump points to it." in said, said


@test
def sleepers_without_timers_are_told():
    """Each goroutine that sleeps has a timer: where none was found, it is not said that none runs. A goroutine that
    can run again keeps its last reason to wait."""
    for status, right, wrong in [(4, "cannot be told: none was found, but 1 goroutine sleeps", "No timer"),
                                 (1, "No timer is running.", "cannot be told")]:
        sleeps = writer.goroutine(HEAP + 0x2040, HEAP + 0x8000, 7, "sleep", status)
        with file_of(writer.HEADER + writer.params() + sleeps + b"\0") as path:
            said = run("list", "timers", path).err
            assert right in said and wrong not in said, said


@test
def what_findings_did_not_look_for_is_told():
    """A dump of a program without objects, whose executable is not given."""
    globals_ = writer.record(12, writer.DATA, writer.words(0), [0]) + writer.record(13, writer.DATA + 0x1000, b"", [])
    with file_of(writer.HEADER + writer.params() + globals_ + writer.memstats() + b"\0") as path:
        said = run("list", "findings", path).err
        assert "no other check found anything. Equal strings" in said and "without the program's" in said, said


@test
def fewer_timers_than_sleepers_are_not_all():
    """A goroutine that sleeps has a timer. Without one pointer to it, the dump lists one timer less."""
    dump = dump_of("go1.19-drift-2")
    asleep = [row for row in answer("list", "timers", dump) if row["kind"] == "sleep"]
    assert "cannot be told" not in run("list", "timers", dump, expect=0).err
    content = pathlib.Path(dump).read_bytes()
    cut = UNPACKED / "fewer-timers.dump"
    cut.write_bytes(content.replace(struct.pack("<Q", int(asleep[0]["address"], 16)), bytes(8)))
    said = run("list", "timers", cut)
    assert "Which timers run cannot be told" in said.err and f"{len(asleep) - 1} of sleep were found" in said.err, said.err
    assert "cannot be told" in run("check", cut, "--assert", "timers() < 1000", expect=2).err


@test
def what_was_not_searched_is_not_asserted():
    """An assertion that rows could break which nobody has looked for does not hold; one that they cannot break does."""
    dump = unpacked(ONE)  # of Go 1.24, which has cleanups; its executable is not given
    for text in ("cycles() == 0", "cycles() < 100", "findings() < 100"):
        assert "cannot be told" in run("check", dump, "--assert", text, expect=2).err, text
    for text in ("cycles() >= 0", "findings() > 0"):
        run("check", dump, "--assert", text, expect=0)
    run("check", unpacked("go1.19.8-small"), "--assert", "cycles() == 0", expect=0)  # before there were cleanups
    run("check", dump_of("go1.24-holders"), "--exe", exe_of("go1.24-holders"), "--assert", "findings() < 100", expect=0)


@test(builds=["gcc"])
def a_path_number_is_denied_only_where_all_paths_were_met():
    """Of one object more paths come from what points to it than are looked at; of the other all are."""
    dump = unpacked("go1.19.8-server")
    few = answer("list", "objects", dump, "--limit", "1")[0]["address"]
    for address, said, other in [("0xc000176000", "cannot be told", "There is no path"), (few, "There is no path", "cannot be told")]:
        for errors in (run("list", "path", dump, f"{address} 100000").err, run(dump, "-e", f"path {address} 100000").err):
            assert said in errors and other not in errors, (address, errors)


@test
def queries_and_filters_without_a_row_say_what_is_not_known():
    """SQL and conditions deny no more than the table itself."""
    dump = unpacked(ONE)  # its executable is not given
    unknown = "Which objects are strings is not known"
    for query in ("SELECT * FROM duplicates", "SELECT count(*) FROM duplicates", "SELECT * FROM objects, duplicates LIMIT 3"):
        assert unknown in run("sql", dump, query).err, query
    assert "The query returns no rows." in run("sql", dump, "SELECT * FROM objects WHERE size = 3").err
    equal(run("sql", dump, "SELECT count(*) FROM objects").err, "", "what is known")
    unknown = "Equal strings, unused capacity and dead weak pointers are not known"
    assert unknown in run("list", "findings", dump, "--where", "kind = 'none such'").err
    screen = run(dump, "-e", "findings", "-e", "filter kind = 'none such'").out
    assert unknown in " ".join(screen.split()), screen
    whole = pathlib.Path(dump).read_bytes()
    with file_of(whole[:len(whole) // 2]) as path:
        said = run("sql", path, "SELECT * FROM goroutines WHERE id = 1").err
        assert "The query returns no rows. The dump holds no goroutines. The dump is cut before the end of its goroutines" in said, said


@test
def rows_that_are_left_out_are_not_denied():
    """LIMIT 0, OFFSET and --limit 0 print no row of those that match; exit status and errors speak of all."""
    dump = unpacked(ONE)
    for query in ("SELECT * FROM objects LIMIT 0", "SELECT * FROM objects LIMIT 9 OFFSET 10000000"):
        equal(run("sql", dump, query, expect=0).err, "The query returns no rows.\n", query)
    for command in (("list", "objects", dump, "--where", "size > 16"), ("find", dump, "session", "--where", "size > 2"),
                    ("list", "owners", dump, "--depth", "3", "--where", "owned_bytes > 1")):
        for cut in (("--limit", "0"), ("--limit", "0", "--skip", str(2**64 - 1)), ("--skip", "10000000")):
            equal(run(*command, *cut, expect=0).err, "", (command, cut))


@test
def addresses_are_denied_only_of_whole_files():
    whole = pathlib.Path(unpacked(ONE)).read_bytes()
    with file_of(whole[:len(whole) // 2]) as cut:
        for command in ("hex 0xc00fffff00", "goto 0xc00fffff00"):
            said = run(cut, "-e", command).err
            assert "The dump is cut before the end of its global variables, so that there may have been some" in said, said
            assert "cut" not in run(unpacked(ONE), "-e", command).err


@test
def a_redacted_file_denies_neither_equal_strings_nor_keys():
    dump = unpacked(ONE)
    redacted = UNPACKED / "findings-redacted.dump"
    typed = ("--exe", exe_of(ONE))
    run("redact", dump, *typed, "-o", redacted, expect=0)
    for path, name in ((dump, 'main.gCache["no such"]'), (redacted, 'main.gCache["session-0000"]')):
        said = run("show", path, name, *typed).err
        equal(("has no such key" in said, "may have such a key" in said), (path == dump, path == redacted), said)
    for executable in ((), typed):
        assert "Equal strings are not known of a redacted file" in run("list", "findings", redacted, *executable).err


@test
def a_copy_redacted_without_the_executable_fits_it_still():
    """Its data are zero, but for pointers: of these all are compared, of zeros none."""
    redacted = UNPACKED / "redacted-unnamed.dump"
    run("redact", unpacked(ONE), "-o", redacted, expect=0)
    equal(answer("info", redacted, "--exe", exe_of(ONE))["executable_refused"], None, "its own executable")
    said = run("info", redacted, "--exe", exe_of("go1.24-holders")).err
    assert "is not the executable of this dump" in said, said
