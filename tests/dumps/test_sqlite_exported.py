"""The database that is exported, read by Python's sqlite3, against the tables that it is made of and
the reader in tests/oracle."""

import contextlib
import json
import os
import sqlite3
import tempfile

import writer
from executables import exe_of
from harness import DUMPS, ONE, TESTDATA, answer, equal, oracle, run, test, unpacked
from survive import file_of

ODD = 'a"\n\u202e\U0001f600;,[L/x\0 7\''


@contextlib.contextmanager
def exported(file, *more):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.db")
        run("export", "--format", "sqlite", file, "-o", path, *more, expect=0)
        equal(os.listdir(folder), ["x.db"], "files")
        with contextlib.closing(sqlite3.connect(path)) as db:
            equal(db.execute("PRAGMA integrity_check").fetchall(), [("ok",)], "the file")
            yield db


@test(each=[*DUMPS], builds=["gcc"])
def counts_and_sums_are_those_of_the_dump(name):
    graph = oracle(name)
    with exported(unpacked(name)) as db:
        row = db.execute("SELECT count(*), sum(size) FROM objects").fetchone()
        equal(row, (len(graph.dump.objects), sum(obj.size for obj in graph.dump.objects)), "objects")
        right = sum(len(to) for to in graph.references)
        equal(db.execute('SELECT count(*) FROM "references"').fetchone(), (right,), "references")
        equal(db.execute("SELECT count(*) FROM roots").fetchone(), (len(graph.roots),), "roots")
        rows = db.execute("SELECT goroutine, count(*) FROM frames GROUP BY goroutine").fetchall()
        right = {g.id: len(g.frames) for g in graph.dump.goroutines if g.frames}
        equal(dict(rows), right, "frames")


@test
def every_table_is_what_list_prints():
    exe = ("--exe", exe_of(ONE))
    with exported(unpacked(ONE), *exe) as db:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        assert len(tables) > 30, tables
        # Of those that are left out, three have more than one argument here; entries of heaps are
        # more where types are known, which list does not take the time for.
        for table in set(tables) - {"references", "frames", "profiles_stack", "breakdown_heap"}:
            columns = [row[1] for row in db.execute(f'PRAGMA table_info("{table}")')]
            depth = ["--depth", "100000"] if table in ("where", "path_tree") else []
            words = ("list", table.replace("_", "-"), unpacked(ONE), *exe, *depth, "--json")
            rows = json.loads(run(*words).out or "[]")
            equal(db.execute(f'SELECT count(*) FROM "{table}"').fetchone(), (len(rows),), f"rows of {table}")
            for column in columns if rows else ():
                values = [row[column] for row in rows]
                if all(isinstance(value, int) for value in values):
                    got = sum(value for (value,) in db.execute(f'SELECT "{column}" FROM "{table}"'))
                    equal(got, sum(values), f"sum of {table}.{column}")
        plan = db.execute("EXPLAIN QUERY PLAN SELECT * FROM objects WHERE address = '0x1'").fetchall()
        assert "USING INDEX" in plan[0][3], plan
        plan = db.execute('EXPLAIN QUERY PLAN SELECT * FROM "references" WHERE object = 1').fetchall()
        assert "USING INDEX" in plan[0][3], plan


@test
def names_and_other_formats():
    with file_of(writer.tiny(name=ODD, reason=ODD, kind=ODD)) as file, exported(file.name) as db:
        names = [name for (name,) in db.execute("SELECT function FROM frames WHERE goroutine = 1")]
        rows = answer("list", "frames", file.name, "1")
        equal(names, [row["function"] for row in rows], "functions")
        assert any("\U0001f600" in name for name in names), names
    log, trace = TESTDATA / "netcf" / "two_domains.gclog", TESTDATA / "chromium" / "odd.json"
    for path, right in ((log, len(answer("list", "objects", log))), (trace, 0)):
        with exported(path) as db:
            equal(db.execute("SELECT count(*) FROM objects").fetchone(), (right,), path.name)


@test
def it_is_a_file_or_nothing():
    for more in ((), ("-o", "-"), ("-o", "/dev/full")):
        result = run("export", "--format", "sqlite", unpacked(ONE), *more, expect=2)
        assert "name one with -o" in result.err and not result.out, result
