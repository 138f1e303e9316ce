"""Variables of a stripped executable are called by the package that uses them. The same executable with
its symbols says what is right."""

import functools
import json
import pathlib
import re
import subprocess
import tempfile

from executables import dump_of, exe_from, exe_of, stripped
from harness import ONE, answer, equal, run, test

# How many roots in data and bss have a name in the program at least, and how many of these get a package.
PROGRAMS = {
    ONE: 100,
    "go1.19-corner": 90,
    "go1.27-corner": 70,
    "go1.19-drift-1": 60,
    "go1.19-park-plain-quiet": 60,
    "go1.24-park-arm64-quiet": 60,
    "go1.27-park-plain-quiet": 70,
    "raftkv-go1.19": 400,
    "webmetrics-go1.23": 240,
}
PLACE = r"(data|bss)\+0x[0-9a-f]+"


def package(name):
    """Of the name of a variable or function; None: it has none."""
    path = re.split(r"[(\[]", name)[0]
    start = path.rfind("/") + 1
    return path[: path.index(".", start)] if "." in path[start:] else None


@functools.lru_cache(maxsize=1)
def roots(name):
    rows = answer("list", "roots", dump_of(name), "--exe", stripped(name))
    return [row for row in rows if row["kind"] in ("data", "bss")]


def shown(name):
    """The first one whose package is inferred and that has a short name."""
    return next(row for row in roots(name) if row["package_known"] == "inferred")


@test(each=PROGRAMS, builds=["gcc"])
def packages_are_those_of_the_symbols(name):
    rows = answer("list", "roots", dump_of(name), "--exe", exe_of(name))
    right = {row["address"]: package(row["name"]) for row in rows if not re.search(PLACE, row["name"])}
    judged = [row for row in roots(name) if right.get(row["address"])]
    assert len(judged) >= PROGRAMS[name], len(judged)
    # Some of the runtime's are known by what stands in them: these have a name instead of a user.
    good = [row for row in judged if package(row["used_by"] or row["name"]) == right[row["address"]]]
    sure = [row for row in judged if row["package_known"] == "inferred"]
    assert len(sure) >= 40, (len(sure), len(judged))
    wrong = [(row["name"], right[row["address"]]) for row in judged if row not in good]
    assert len(good) * 100 >= len(judged) * 88, wrong
    assert len([row for row in sure if row in good]) * 100 >= len(sure) * 97, wrong


@test
def names_say_what_is_known():
    for row in roots(ONE):
        if row["name"].startswith(("runtime.", "sync.")):  # told by what stands in them
            continue
        match = re.fullmatch(rf"(?:(~?)([\w.\-/]+) variable )?{PLACE}(?:, used by (.*))?", row["name"])
        assert match, row
        guess, short, _, function = match.groups()
        equal(bool(guess), row["package_known"] == "guess", row["name"])
        equal(bool(short), row["package_known"] is not None, row["name"])
        if short:
            equal(short, package(row["used_by"]).rpartition("/")[2], row["name"])
            equal(row["used_by"].endswith("." + function), True, row["name"])


@test(each=["x/v2", "vary", "e5ab"])
def a_version_stands_behind_an_element(short):
    """encoding/json has another name in a copy of the executable. Only v2 is a version."""
    names = {row["address"]: row["name"] for row in roots(ONE) if (row["used_by"] or "").startswith("encoding/json.")}
    assert names
    with tempfile.TemporaryDirectory() as folder:
        exe = pathlib.Path(folder) / "exe"
        content = pathlib.Path(stripped(ONE)).read_bytes()
        exe.write_bytes(content.replace(b"encoding/json.", f"encoding/{short}.".encode()))
        rows = answer("list", "roots", dump_of(ONE), "--exe", exe)
    renamed = {address: name.replace("json variable", f"{short} variable") for address, name in names.items()}
    equal({row["address"]: row["name"] for row in rows if row["address"] in names}, renamed, "names")


@test
def symbols_win():
    rows = answer("list", "roots", dump_of(ONE), "--exe", exe_of(ONE))
    named = [row for row in rows if row["name"].startswith("main.")]
    assert "main.gCache" in [row["name"] for row in named] and not any(row["used_by"] for row in named), named[:9]


@test
def every_spelling_leads_there():
    name = shown(ONE)["name"]
    plain, short = re.search(PLACE, name)[0], name.split(", used by ")[0]
    files = (dump_of(ONE), "--exe", stripped(ONE))
    for subcommand in ("show", "path", "why"):
        told = [run(subcommand, files[0], text, *files[1:]).out for text in (plain, short, f"~{short}", name)]
        assert told[0] and told == [told[0]] * 4, told
    for text in (plain, short, name):
        equal(len(answer("list", "roots", files[0], text, *files[1:])), 1, text)
        screen = run("-e", f"goto {text}", *files).out
        assert short in screen, screen
    screen = run("-e", f"goto {shown(ONE)['address']}", *files).out
    assert f" is {short}, memory of global variables." in screen, screen
    rows = answer("list", "roots", *files, "--where", f'name ~ "{re.escape(short)}"')
    equal([row["name"] for row in rows], [name], "filter")
    freed = [answer("what-if", files[0], text, *files[1:])[0]["freed_bytes"] for text in (plain, short, name)]
    equal(len(set(freed)), 1, "what-if")


@test
def owners_and_sentences_have_it():
    files = (dump_of(ONE), "--exe", stripped(ONE))
    owner = next(row for row in answer("list", "owners", *files) if row["package_known"] == "inferred")
    assert re.fullmatch(rf".* variable {PLACE}, used by \S+", owner["name"]), owner
    assert owner["used_by"].endswith(owner["name"].split(", used by ")[1]), owner
    assert owner["type"], owner
    why = run("why", files[0], shown(ONE)["object"], *files[1:]).out
    assert re.search(rf"^{PLACE} has no name\. Judging by .* it belongs to package ", why, re.M), why


@test
def an_index_keeps_them():
    files = (dump_of(ONE), "--exe", stripped(ONE))
    with tempfile.TemporaryDirectory() as folder:
        index, environment = pathlib.Path(folder) / "index", {"XDG_CACHE_HOME": folder}
        run("index", *files, "--index", index, environment=environment, expect=0)
        assert b"variable-uses" in index.read_bytes()
        told = run("list", "roots", *files, "--json", "--index", index, environment=environment, expect=0).out
        equal(told, run("list", "roots", *files, "--json").out, "roots")


@test
def static_data_belongs_to_the_variable_that_points_to_it():
    """What the linker has laid out for `var x = &T{}` has no symbol, and other packages' data lies beside it."""
    exe = exe_from(pathlib.Path(__file__).with_name("staticdata.go"), "-ldflags=-w")
    dump = exe.removesuffix(".exe") + ".dump"
    ran = subprocess.run([exe, dump], env={}, check=True, capture_output=True)
    held = {row["address"]: row for row in answer("list", "roots", dump, "--exe", exe)}
    told = json.loads(ran.stdout)
    equal(len(told), 5, "values")
    for address in told:
        assert re.match(r"~?main(\.\w+)? variable (data|bss)\+0x", held[address]["name"]), held[address]
    equal([held[at]["package_known"] for at in told], ["inferred"] * 5, "certainty")
