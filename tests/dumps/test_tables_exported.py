"""export --format tables: files of many dumps, as databases load them."""

import csv
import pathlib
import re
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time

from executables import dump_of, exe_of
from harness import ENVIRONMENT, PROGRAM, answer, equal, run, test

FORMAT = ("export", "--format", "tables")
PODS = {"a": "12", "b": "13"}  # which dumps of drift each has written


def pods(folder):
    """Two dumps of each pod, in the pod's folder, written when they say."""
    paths = []
    for pod, numbers in PODS.items():
        (folder / pod).mkdir()
        for number in numbers:
            paths.append(folder / pod / f"{number}.dump")
            shutil.copy(dump_of(f"go1.19-drift-{number}"), paths[-1])
    return paths


def export(folder, *words, expect=0):
    return run(*FORMAT, "-o", str(folder / "out"), "--exe", exe_of("go1.19-drift-1"), *map(str, words), expect=expect).err


def loaded(out):
    """A database in memory, by schema.sql and all files."""
    database = sqlite3.connect(":memory:")
    database.executescript((out / "schema.sql").read_text())
    for path in sorted(out.glob("*/*.csv")):
        with open(path, newline="", encoding="utf-8") as file:
            head, *rows = csv.reader(file)
        equal(head, [row[1] for row in database.execute(f'PRAGMA table_info("{path.stem}")')], path.name)
        places = ", ".join("?" * len(head))
        database.executemany(f'INSERT INTO "{path.stem}" VALUES ({places})', rows)
    return database


def manual_query():
    text = subprocess.run([PROGRAM, "manual"], capture_output=True, text=True, check=True).stdout
    return re.search(r"SELECT b\.host.*?;", text, re.S)[0]


@test(builds=["gcc"])
def a_fleet_is_one_database():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        paths = pods(folder)
        told = export(folder, *paths)
        assert told.startswith("goheapx: 4 dumps, "), told
        database = loaded(folder / "out")
        for path, (pod, number) in zip(paths, ((p, n) for p in PODS for n in PODS[p]), strict=True):
            for table, sums in (("types", ("count", "bytes")), ("objects", ("size",)), ("owners", ("owned_bytes",)),
                                ("goroutines", ("own_bytes",))):
                rows = answer("list", table, path, "--exe", exe_of("go1.19-drift-1"))
                summed = ", ".join(f"sum({column})" for column in sums)
                got = database.execute(f"SELECT count(*), {summed} FROM {table} WHERE host = ? AND dump_id LIKE ?",
                                       (pod, f"{number}.dump-%")).fetchone()
                equal(got, (len(rows), *(sum(row[column] or 0 for row in rows) for column in sums)), f"{path} {table}")
        build, = {row[0] for row in database.execute("SELECT build_id FROM types")}
        assert re.fullmatch(r"[-_A-Za-z0-9]{20}(/[-_A-Za-z0-9]{20}){3}", build), build
        grown = {(host, kind): bytes_ for host, kind, bytes_ in database.execute(manual_query())}
        for pod, (first, last) in PODS.items():
            before, now = ({row["type"]: row["bytes"] for row in answer("list", "types", folder / pod / f"{number}.dump",
                                                                        "--exe", exe_of("go1.19-drift-1"))}
                           for number in (first, last))
            equal({kind: bytes_ for (host, kind), bytes_ in grown.items() if host == pod},
                  {kind: now[kind] - before[kind] for kind in now if kind in before and now[kind] > before[kind]}, pod)


@test(builds=["gcc", "sanitize"])
def what_is_there_is_left_out_and_what_is_bad_does_not_stop_the_rest():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        good = pods(folder)[0]
        (folder / "bad").write_text("no dump")
        told = export(folder, folder / "bad", folder / "none", good, expect=2)
        assert f"{folder}/none: No such file" in told and "is there already" not in told, told
        made, = (folder / "out").glob("1.dump-*")
        before = {path.name: path.read_bytes() for path in made.iterdir()}
        equal(sorted(p.name for p in (folder / "out").iterdir()), sorted([made.name, "schema.sql"]), "what is there")
        (made / "types.csv").write_text("mark")
        assert f"{made} is there already." in export(folder, good)
        equal((made / "types.csv").read_text(), "mark", "left alone")
        shutil.rmtree(made)
        left = folder / "out" / f".{made.name}.part"  # of one that was killed
        left.mkdir()
        (left / "junk").write_text("junk")
        export(folder, good)
        equal({path.name: path.read_bytes() for path in made.iterdir()}, before, "the same again")
        assert not left.exists() and (made.stat().st_mode & 0o777) == 0o700, made


@test(builds=["gcc"])
def nothing_half_written_has_a_name():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        good = pods(folder)[0]
        writing = subprocess.Popen([PROGRAM, *FORMAT, "-o", str(folder / "out"), str(good)], env=ENVIRONMENT,
                                   stderr=subprocess.DEVNULL)
        while writing.poll() is None and not list((folder / "out").glob(".1.dump-*/objects.csv*")):
            time.sleep(0.001)
        writing.send_signal(signal.SIGTERM)
        if writing.wait():
            equal(list((folder / "out").glob("1.dump-*")), [], "interrupted")
        export(folder, good)
        assert list((folder / "out").glob("1.dump-*/types.csv")), "resumed"


@test(builds=["gcc"])
def a_disk_that_is_full_gets_no_folder():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        one, *others = pods(folder)
        words = [PROGRAM, *FORMAT, "-o", str(folder / "out"), str(one), *map(str, others)]
        limited = subprocess.run(["sh", "-c", 'ulimit -f 200; exec "$@"', "sh", *words], env=ENVIRONMENT,
                                 capture_output=True, text=True, check=False)
        equal(limited.returncode, 2, limited.stderr)
        equal(limited.stderr.count("File too large"), 1, limited.stderr)
        equal([path.name for path in (folder / "out").iterdir()], ["schema.sql"], "what is left")


@test(builds=["gcc"])
def words_that_it_does_not_take_are_refused():
    one = dump_of("go1.19-drift-1")
    assert "Name a folder with -o" in run(*FORMAT, one, expect=2).err
    assert "takes no --limit" in run(*FORMAT, one, "-o", "/tmp/none", "--limit", "3", expect=2).err
    assert "cannot be made" in run(*FORMAT, one, "-o", "/proc/none", expect=2).err
