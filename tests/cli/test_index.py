"""An index changes no answer, however it is damaged, whoever it is of, and whenever its making ends."""

import contextlib
import functools
import os
import pathlib
import random
import resource
import shutil
import signal
import struct
import subprocess
import tempfile
import time

import harness
from core_files import core
from executables import exe_of
from harness import BOTH, ENVIRONMENT, ONE, Result, Skip, equal, queries, run, test, unpacked

CORE = "go1.26-park-stripped-quiet"
WITH_EXE = f"{ONE} with its executable"
INPUTS = [ONE, WITH_EXE, "go1.3beta1-small", "go1.24.4-small-mips", CORE]
TABLES = ["objects", "roots", "root-classes", "owners", "types", "where", "goroutines", "lost", "maps",
          "collections", "slack", "pinned", "duplicates", "packages", "shapes"]
PAGE = 4096
NAME, HEADER, SECTION = 32, 32, 64  # bytes of the file's structs: base/index_file.c


def files(name):
    """The dump, and how its executable is told."""
    if name == WITH_EXE:
        return [unpacked(ONE), "--exe", exe_of(ONE)]
    return [str(core(name)) if name == CORE else unpacked(name)]


@contextlib.contextmanager
def cache():
    """A folder for the cache, and the environment with it."""
    with tempfile.TemporaryDirectory(prefix="goheapx-index-") as folder:
        yield pathlib.Path(folder) / "goheapx", {"XDG_CACHE_HOME": folder}


def index_of(folder):
    """The one index in a folder, which has the secret beside it and nothing else."""
    equal(sorted(path.suffix or path.name for path in folder.iterdir()), [".index", "secret"], "files")
    return next(folder.glob("*.index"))


def answers(name, environment=(), tables=tuple(TABLES)):
    """What is said of a dump, with all that is said on the way."""
    said = []
    for table in tables:
        result = run("list", table, *files(name), "--json", environment=environment)
        said.append((table, result.status, result.out, result.err))
    return said


def make(name, environment, expect=0):
    return run("index", *files(name), environment=environment, expect=expect)


def used(path):
    """Is the index of this path the one that an opening takes? It tells by the file's time."""
    os.utime(path, (1, 1))
    return lambda: path.exists() and path.stat().st_mtime > 1


@test(each=INPUTS, builds=["gcc"], most=3)
def one_object_is_told_without_the_others(name):
    """Where no index is kept show and path look only for what dominates their object: the tree of all
    says the same."""
    lines = run("list", "objects", *files(name), "--csv", "--columns", "address,retained_bytes").out.splitlines()[1:]
    by_size = sorted((line.split(",") for line in lines), key=lambda cells: -int(cells[1] or 0))
    some = by_size[:4] + by_size[4::max(1, len(by_size) // 6)]
    unreachable = [cells for cells in by_size if not cells[1]][:2]
    assert len(some) > 9 and by_size[0][1] != by_size[20][1], name
    asked = [address for address, _ in some + unreachable] + ["0xc"]
    dump, *exe = files(name)
    alone = [run("path", dump, address, *exe, "--no-cache") for address in asked]
    whole = run("path", dump, *asked, *exe, expect=1)  # of several, the tree of all tells it, too
    equal(whole.out, "\n".join(one.out for one in alone if one.out), "paths")
    equal(whole.err, "".join(one.err for one in alone), "what has no path")
    held = set()
    for address in asked:
        whole = run("show", dump, address, *exe)
        alone = run("show", dump, address, *exe, "--no-cache")
        equal((alone.status, alone.out, alone.err), (whole.status, whole.out, whole.err), address)
        held.update(line[:60] for line in whole.out.splitlines() if line.startswith(" held by"))
    assert len(held) > 1, held


@test(each=INPUTS, builds=BOTH)
def answers_are_the_same(name):
    tables = TABLES if not harness.SANITIZED else ["owners", "types", "goroutines"]
    plain = answers(name, tables=tables)
    with cache() as (folder, environment):
        made = make(name, environment)
        assert " objects" in made.out and not made.err, made
        taken = used(index_of(folder))
        equal(answers(name, environment, tables), plain, "answers")
        assert taken(), "the index has not been used"


@test(builds=["gcc"])
def what_takes_a_second_is_kept_and_what_does_not_is_not():
    """By what --index and the cache's threshold do: a small dump leaves nothing behind."""
    with cache() as (folder, environment):
        run("list", "owners", *files(ONE), environment=environment, expect=0)
        assert not folder.exists(), list(folder.iterdir())
        kept = folder.parent / "kept"
        for _ in range(2):
            told = run("list", "owners", *files(ONE), "--index", kept, "--json", environment=environment,
                       expect=0)
            equal((told.out, told.err), (answers(ONE, tables=["owners"])[0][2], ""), "with --index")
        assert "owners/strongest/owner" in sections(kept.read_bytes()), "owners have not been kept"
        taken = used(kept)
        run("list", "owners", *files(ONE), "--index", kept, environment=environment, expect=0)
        assert taken(), "the named index has not been used"


@test(builds=["gcc"])
def a_search_that_finds_nothing_works_nothing_out():
    with cache() as (folder, environment):
        kept = folder.parent / "kept"
        for text, found in (("session-00x7", False), ("session-0007", True)):
            run("find", "--index", kept, *files(ONE), text, environment=environment, expect=0 if found else 1)
            equal(kept.exists(), found, f"an index after looking for {text}")


@test(each=[ONE, WITH_EXE, "go1.26.10-server"], builds=["gcc"])
def two_of_one_dump_are_equal(name):
    """No byte is what happens to be in memory."""
    with cache() as (folder, environment):
        kept = []
        for fill in ("17", "201"):
            run("cache", "clear", environment=environment, expect=0)
            make(name, {**environment, "MALLOC_PERTURB_": fill})
            content = index_of(folder).read_bytes()
            kept.append({part: content[at:at + size] for part, (at, size) in sections(content).items()})
        equal(list(kept[0]), list(kept[1]), "sections")
        for part, content in kept[0].items():
            assert content == kept[1][part], f"{part} differs"


@test(builds=["thread"])
def two_threads_make_one():
    """Watched by ThreadSanitizer."""
    if "FATAL" in run("--version").err:
        raise Skip("ThreadSanitizer cannot run on this kernel")
    with cache() as (folder, environment):
        made = make("go1.26.10-server", {**environment, "TSAN_OPTIONS": "exitcode=99"})
        equal(made.err, "", "races")
        index_of(folder)


@test(builds=["gcc"])
def no_cache_neither_reads_nor_writes():
    with cache() as (folder, environment):
        make(ONE, environment)
        taken = used(index_of(folder))
        run("list", "owners", *files(ONE), "--no-cache", environment=environment, expect=0)
        assert not taken(), "it has been used"


@test(builds=["gcc"])
def the_cache_is_listed_and_cleared():
    with cache() as (folder, environment):
        equal(run("cache", "list", environment=environment, expect=0).out,
              "0 indices, 0 B of at most 8 GB\n", "an empty cache")
        for name in (ONE, WITH_EXE):
            make(name, environment)
        lines = run("cache", "list", environment=environment, expect=0).out.splitlines()
        assert len(lines) == 3 and lines[0].endswith(unpacked(ONE)) and lines[2].startswith("2 indices, "), lines
        assert run("cache", "clear", environment=environment, expect=0).out.startswith("2 indices removed, ")
        equal([path.name for path in folder.iterdir()], ["secret"], "what is left")


# ---- Damage


def sections(data):
    """{name: (offset, size)} of an index."""
    count = struct.unpack_from("<Q", data, 16)[0]
    found = {}
    for i in range(count):
        at = HEADER + i * SECTION
        name = data[at:at + NAME].split(b"\0")[0].decode()
        found[name] = struct.unpack_from("<QQ", data, at + NAME)
    return found


def rewritten(path, content):
    """Another file in its place: nobody has it mapped."""
    path.unlink()
    path.write_bytes(content)
    path.chmod(0o600)


@test(each=[ONE, WITH_EXE], builds=BOTH)
def a_changed_byte_is_noticed(name):
    """In each section, and in what describes them."""
    ask = functools.partial(queries, ["SELECT * FROM owners", "SELECT * FROM types"], *files(name))
    plain = ask()
    chance = random.Random(name)
    with cache() as (folder, environment):
        make(name, environment)
        path = index_of(folder)
        whole = path.read_bytes()
        places = [at + chance.randrange(size) for at, size in sections(whole).values() if size]
        places += [chance.randrange(HEADER + SECTION * len(sections(whole)) + 16) for _ in range(8)]
        assert len(places) > 15, places
        for at in places if not harness.SANITIZED else chance.sample(places, 6):
            damaged = bytearray(whole)
            damaged[at] ^= 1 << chance.randrange(8)
            rewritten(path, damaged)
            equal(ask(environment=environment), plain, f"byte {at} changed")


@test
def a_secret_that_is_none_is_made_anew():
    plain = answers(ONE, tables=["owners"])
    with cache() as (folder, environment):
        for content in (b"", b"x" * 10):
            make(ONE, environment)
            (folder / "secret").write_bytes(content)
            equal(answers(ONE, environment, ["owners"]), plain, f"{content}")
            make(ONE, environment)
            taken = used(index_of(folder))
            equal(answers(ONE, environment, ["owners"]), plain, "with an index")
            assert taken(), "the cache is off"


@test(builds=BOTH)
def what_is_no_index_of_it_is_not_believed():
    plain = answers(ONE, tables=["owners"])
    with cache() as (folder, environment):
        make(ONE, environment)
        path = index_of(folder)
        whole, secret = path.read_bytes(), (folder / "secret").read_bytes()
        ask = lambda: answers(ONE, environment, ["owners"])
        for content in (b"", whole[:7], whole[:PAGE], whole[:len(whole) // 2], whole[:-1], whole + b"x",
                        b"\0" * len(whole), whole[:8] + b"\2" + whole[9:],
                        whole[:12] + whole[12:16][::-1] + whole[16:]):
            rewritten(path, content)
            equal(ask(), plain, f"{len(content)} bytes")
        rewritten(path, whole)
        path.chmod(0o666)
        taken = used(path)
        equal(ask(), plain, "that others may write to")
        assert not taken(), "it has been used"
        path.chmod(0o600)
        (folder / "secret").write_bytes(secret[::-1])
        equal(ask(), plain, "of somebody else")
        (folder / "secret").write_bytes(secret)
        other = folder / "other"
        path.rename(other)
        path.symlink_to(other)
        equal(ask(), plain, "a link")
        path.unlink()
        os.mkfifo(path)
        equal(ask(), plain, "a pipe")


@test(builds=["gcc"])
def another_dump_of_the_same_name_has_its_own():
    with cache() as (folder, environment), tempfile.TemporaryDirectory() as place:
        dump = pathlib.Path(place) / "x.dump"
        for name in (ONE, "go1.19.8-small", ONE):
            shutil.copyfile(unpacked(name), dump)
            told = run("list", "owners", dump, "--json", environment=environment, expect=0).out
            equal(told, run("list", "owners", unpacked(name), "--json", expect=0).out, name)
            run("index", dump, environment=environment, expect=0)
        equal(len(list(folder.glob("*.index"))), 3, "indices")


@test(builds=["gcc"])
def an_executable_is_the_same_wherever_it_is_found():
    """By option, as an operand, beside the dump, as a copy, with other rights: one index. Without it: another one,
    and each stays."""
    with cache() as (folder, environment), tempfile.TemporaryDirectory() as place:
        dump, beside = f"{place}/a.dump", f"{place}/a.exe"
        shutil.copy(unpacked(ONE), dump)
        run("index", dump, "--exe", exe_of(ONE), environment=environment, expect=0)
        whole = index_of(folder)
        shutil.copy(exe_of(ONE), beside)
        for words in (["--exe", exe_of(ONE)], [beside], [], ["--exe", beside]):
            os.chmod(beside, 0o700 if words else 0o755)
            said = run("index", dump, *words, environment=environment, expect=0).out
            equal(index_of(folder), whole, f"index with {words}: {said}")
            equal(whole.stat().st_size > 0, True, "size")
        used = [run("info", dump, *words, "--json", environment=environment, expect=0).out
                for words in ([beside], ["--exe", exe_of(ONE)])]
        equal('"index_bytes":0' in used[0] or '"index_bytes":0' in used[1], False, "an index is used")
        os.remove(beside)
        run("index", dump, environment=environment, expect=0)
        both = set(folder.glob("*.index"))
        equal((len(both), whole in both), (2, True), "one with names and one without")
        with_names, without = run("list", "types", dump, "--exe", exe_of(ONE), "--json", environment=environment), \
            run("list", "types", dump, "--json", environment=environment)
        equal(set(folder.glob("*.index")), both, "none is added")
        equal(with_names.out == run("list", "types", dump, "--exe", exe_of(ONE), "--json", "--no-cache").out, True, "names")
        equal(without.out == run("list", "types", dump, "--json", "--no-cache").out, True, "without names")


@test(builds=["gcc"])
def a_change_that_hides_its_time_is_noticed():
    """Bytes between those that are compared, and the time put back."""
    with cache() as (folder, environment), tempfile.TemporaryDirectory() as place:
        dump = pathlib.Path(place) / "x.dump"
        content = pathlib.Path(unpacked(ONE)).read_bytes()
        dump.write_bytes(content)
        run("index", dump, environment=environment, expect=0)
        was = dump.stat()
        taken = used(index_of(folder))
        with open(dump, "r+b") as file:
            file.seek(len(content) // 2 + PAGE)
            file.write(b"\0" * 64)
        os.utime(dump, ns=(was.st_atime_ns, was.st_mtime_ns))
        plain = run("list", "owners", dump, "--json")
        equal(run("list", "owners", dump, "--json", environment=environment).out, plain.out, "answer")
        assert not taken(), "the index of what it was has been used"


@test(builds=["gcc"])
def other_files_are_left_alone():
    """--index with the name of something else, by mistake."""
    with cache() as (_, environment), tempfile.TemporaryDirectory() as place:
        dump = pathlib.Path(place) / "x.dump"
        shutil.copyfile(unpacked(ONE), dump)
        content = dump.read_bytes()
        told = run("list", "owners", dump, "--index", dump, environment=environment)
        assert "is not an index; it is left unchanged" in told.err and told.out, told
        equal(dump.read_bytes(), content, "the dump")


# ---- Writing


@test(builds=BOTH)
def without_a_folder_the_answer_is_right():
    plain = answers(ONE, tables=["owners"])
    with tempfile.TemporaryDirectory() as place:
        file = pathlib.Path(place) / "file"
        file.write_text("")
        for cache_home in ("/dev/null", "/proc", "/nonexistent/a/b", str(file), "relative"):
            environment = {"XDG_CACHE_HOME": cache_home, "HOME": cache_home}
            equal(answers(ONE, environment, ["owners"]), plain, cache_home)
            said = make(ONE, environment, expect=2).err
            assert said.startswith("goheapx: An index needs a secret in the cache"), said
            assert "Set XDG_CACHE_HOME to a folder" in said, said
            elsewhere = pathlib.Path(place) / "named.index"
            equal(run("index", *files(ONE), "--index", str(elsewhere), environment=environment, expect=2).err,
                  said, f"{cache_home}: the same of a named file")
            assert not elsewhere.exists(), cache_home


@test(builds=["gcc"])
def a_full_disk_leaves_nothing():
    """A file of that many bytes is all that there is room for."""
    with cache() as (folder, environment):
        make(ONE, environment)
        size = index_of(folder).stat().st_size
        run("cache", "clear", environment=environment, expect=0)
        for room in (PAGE, size // 2, size - 1):
            process = subprocess.run(
                [harness.PROGRAM, "index", unpacked(ONE)], env={**ENVIRONMENT, **environment},
                preexec_fn=lambda room=room: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
                capture_output=True, check=False)
            result = Result(["index"], process)
            assert result.status == 2 and "cannot be written" in result.err, result
            equal([path.name for path in folder.iterdir()], ["secret"], f"after {room} bytes")


@test(builds=["gcc"])
def killed_at_any_moment_nothing_half_written_stays():
    plain = answers(ONE, tables=["owners"])
    chance = random.Random(17)
    with cache() as (folder, environment):
        started = time.monotonic()
        make(ONE, environment)
        took = time.monotonic() - started
        for _ in range(40):
            shutil.rmtree(folder)
            process = subprocess.Popen([harness.PROGRAM, "index", unpacked(ONE)],
                                       env={**ENVIRONMENT, **environment}, stdout=subprocess.DEVNULL)
            time.sleep(chance.uniform(0.3, 1.1) * took)
            process.send_signal(signal.SIGKILL)
            process.wait()
            left = {path.suffix or path.name for path in folder.glob("*")}
            assert left <= {".index", "secret", ".part"}, left
            equal(answers(ONE, environment, ["owners"]), plain, "answer")
            folder.mkdir(exist_ok=True)


@test(builds=["gcc"])
def two_at_the_same_time_do_not_meet():
    plain = answers(ONE, tables=["owners"])
    with cache() as (folder, environment):
        for _ in range(4):
            both = [subprocess.Popen([harness.PROGRAM, "index", unpacked(ONE)],
                                     env={**ENVIRONMENT, **environment}, stdout=subprocess.DEVNULL)
                    for _ in range(3)]
            equal([process.wait() for process in both], [0, 0, 0], "status")
            taken = used(index_of(folder))
            equal(answers(ONE, environment, ["owners"]), plain, "answer")
            assert taken(), "the index has not been used"
