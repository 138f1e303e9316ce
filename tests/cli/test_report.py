"""goheapx report: one file about a dump. Its numbers are those of the tables, nothing in it is markup
that the dump has brought along, and a browser opens it."""

import contextlib
import html
import html.parser
import json
import pathlib
import re
import shutil
import subprocess
import tempfile

from executables import dump_of, exe_of
from harness import DEADLINE, DUMPS, ONE, TESTDATA, Skip, answer, equal, oracle, run, test, unpacked

VOID = {"meta", "input", "br"}
CHROMIUM = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync"]


class Document(html.parser.HTMLParser):
    """Tags close in the order in which they were opened; ids and the numbers of tables."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.values, self.scripts, self.text = [], [], {}, 0, ""
        self.attributes = []
        self.feed(text)
        self.close()
        equal(self.open, [], "tags left open")
        equal(len(self.ids), len(set(self.ids)), "ids, each once")

    def handle_starttag(self, tag, attributes):
        self.handle_tag(tag, attributes)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_tag(tag, attributes)

    def handle_tag(self, tag, attributes):
        found = dict(attributes)
        self.attributes += attributes
        self.scripts += tag == "script"
        if "id" in found:
            self.ids.append(found["id"])
        if tag == "data":
            self.values.setdefault(self.ids[-1], []).append(int(found["value"]))

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> in {self.open}"
        self.open.pop()

    def handle_data(self, data):
        self.text += data


def report(*arguments, form="html", expect=0):
    return run("report", *arguments, "--format", form, expect=expect).out


def check_closed(text):
    """Nothing is fetched, and the only script is the program's own."""
    document = Document(text)
    equal(document.scripts, 1, "scripts")
    for name, value in document.attributes:
        assert not name.startswith("on"), (name, value)
        assert name not in ("src", "srcset", "action"), (name, value)
        assert name != "href" or re.fullmatch(r"#[a-z0-9-]+", value), (name, value)
    assert "://" not in text and "@import" not in text and "url(" not in text, "addresses"
    return document


@test(each=[(ONE, True), ("go1.26.10-server", False), ("go1.3.3-small", False)], builds=["gcc"])
def numbers_are_those_of_the_tables(case):
    name, named = case
    exe = ("--exe", exe_of(name)) if named else ()
    parts = json.loads(report(unpacked(name), *exe, form="json"))
    equal(parts["overview"], answer("info", unpacked(name), *exe), "overview")
    for table, order, by in (("types", "-bytes", "bytes"), ("lost", None, "id"),
                             ("collections", "-waste_bytes", "waste_bytes"),
                             ("goroutines-stack", "-own_bytes", "stack_bytes")):
        sort = ("--sort", order) if order else ()
        rows = answer("list", table, unpacked(name), *exe, *sort, "--limit", "20")
        equal([row[by] for row in parts[table]["rows"][:20]], [row[by] for row in rows], table)
        assert rows or table in ("lost", "collections"), table
    rows = answer("list", "findings", unpacked(name), *exe)
    equal([(row["bytes"], row["name"], row["why"]) for row in parts["findings"]["rows"]],
          [(row["bytes"], row["name"], row["why"]) for row in rows[:40]], "findings")
    rows = answer("list", "where", unpacked(name), *exe, "--depth", "38")
    whole = parts["overview"]["reachable_bytes"]
    large = [(row["depth"], row["name"], row["bytes"]) for row in rows if row["bytes"] > whole // 500]
    shown = [(row["depth"], row["name"], row["bytes"]) for row in parts["where"]["rows"]]
    equal(shown, large, "where")
    document = check_closed(report(unpacked(name), *exe))
    equal(sorted(value for key, values in document.values.items()
                 if re.fullmatch(r"w\d+", key) for value in values),
          sorted(row[2] for row in large), "bytes in the list")
    equal(document.values["reachable_bytes"], [whole], "reachable")
    equal(document.values["objects"], [parts["overview"]["objects"]], "objects")


@test(builds=["gcc"])
def parts_are_those_of_the_table():
    exe, types = ("--exe", exe_of(ONE)), []
    for parts in ((), ("--parts",)):
        shown = json.loads(report(unpacked(ONE), *exe, *parts, form="json"))["types"]["rows"][:20]
        rows = answer("list", "types", unpacked(ONE), *exe, *parts, "--sort", "-bytes", "--limit", "20")
        types.append([(row["type"], row["bytes"]) for row in shown])
        equal(types[-1], [(row["type"], row["bytes"]) for row in rows], f"types {parts}")
    assert types[0] != types[1], types


@test(builds=["gcc"])
def growth_is_that_of_the_table():
    first, last = (TESTDATA / f"drift/go1.19-drift-{n}.dump.xz" for n in (1, 3))
    exe = TESTDATA / "drift/go1.19-drift.exe.xz"
    parts = json.loads(report(last, exe, "--since", first, form="json"))
    rows = answer("list", "growth", last, "--exe", exe, "--since", first, "--limit", "30")
    equal([(row["name"], row["retained_delta"]) for row in parts["growth"]["rows"]],
          [(row["name"], row["retained_delta"]) for row in rows], "growth")
    assert rows and "growth" not in json.loads(report(last, exe, form="json")), "without --since"
    check_closed(report(last, exe, "--since", first))


@test
def a_report_is_the_same_each_time():
    with tempfile.TemporaryDirectory() as folder:
        for end in ("html", "md", "json"):
            file = pathlib.Path(folder, "leak." + end)
            run("report", dump_of(ONE), exe_of(ONE), "-o", file, expect=0)
            again = run("report", dump_of(ONE), "--exe", exe_of(ONE), "--format", end, expect=0)
            equal(file.read_text(), again.out, end)
            equal(file.stat().st_mode & 0o777, 0o600, "mode")


@test
def what_cannot_be_written_is_said():
    for arguments, said in (
        (("-o", "leak.pdf"), "html, md or json"), (("--format", "pdf"), "html, md or json"),
        (("-o", unpacked(ONE), "--format", "md"), "overwritten"),
        (("-o", "/nowhere/leak.html"), "cannot be written"), (("--csv",), "does not take"),
    ):
        result = run("report", unpacked(ONE), *arguments, expect=2)
        assert said in result.err, result


HOSTILE = "</title><script>alert('x')</script><img src=x onerror=alert(1)>\"'`|&amp;\u202e"


@test
def names_are_no_markup():
    text = next(file.read_bytes() for file in sorted(TESTDATA.glob("netcf/*"))
                if b"Leak.Cache" in file.read_bytes() and file.suffix != ".json")
    name = HOSTILE.replace(" ", "_").encode() + b"\xff\xc3"
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, HOSTILE.replace("/", ":"))
        file.write_bytes(text.replace(b"Leak.Cache", name))
        document = check_closed(report(file))
        assert "onerror=alert(1)" in document.text and "<script>alert('x')" in document.text
        json.loads(report(file, form="json"))
        markdown = report(file.rename(pathlib.Path(folder, "\x1b[31mred")), form="md")
        assert "\x1b" not in markdown and "31mred" in markdown, markdown[:200]
        lines = [line for line in markdown.split("\n") if not line.startswith("    ")]
        assert any("alert('x')" in line for line in lines), markdown
        assert not any("<" in line or re.search(r"(?<!\\)`", line) for line in lines), lines


@test(each=[name for name in DUMPS if name == ONE], builds=["gcc"])
def nothing_of_the_contents_is_in_a_redacted_report(name):
    words, binary = set(), pathlib.Path(exe_of(name)).read_bytes()
    for obj in oracle(name).dump.objects:
        words.update(re.findall(rb"[A-Za-z0-9_@.-]{5,}", bytes(obj.data)))
    plain = report(unpacked(name), "--exe", exe_of(name))
    assert "session-0" in plain, "a key that is to be left out"
    for form in ("html", "md", "json"):
        redacted = report(unpacked(name), "--exe", exe_of(name), "--redact", form=form)
        shown = set(re.findall(rb"[A-Za-z0-9_@.-]{5,}", redacted.encode()))
        found = {word for word in words & shown if word not in binary}
        numbers = {word for word in found if re.fullmatch(rb"[0-9.]+|0x[0-9a-f]+", word)}
        equal(found - numbers - {f"{name}.dump".encode()}, set(), f"words of objects in {form}")


@test
def what_is_wrong_with_the_input_stands_on_top():
    with tempfile.TemporaryDirectory() as folder:
        cut = pathlib.Path(folder, "cut.dump")
        cut.write_bytes(pathlib.Path(unpacked(ONE)).read_bytes()[:-100000])
        result = run("report", cut, expect=0)
        document = check_closed(result.out)
        said = result.err.split(": ", 2)[2].strip().rstrip(".")
        assert said in document.text, (said, document.text[:3000])


@test(each=["md", "html", "json"])
def the_explorer_writes_the_same(form):
    with tempfile.TemporaryDirectory() as folder:
        mine, other = (pathlib.Path(folder, f"{name}.{form}") for name in ("mine", "other"))
        run("report", unpacked(ONE), "-o", other, expect=0)
        run(unpacked(ONE), "-e", f"report {mine}", expect=0)
        equal(mine.read_text(), other.read_text(), "the report")
        again = run(unpacked(ONE), "-e", f"report {mine}", expect=1)
        assert "is there already" in again.err, again.err
        for wrong, told in (f"report {mine}.txt", "html, md or json"), ("report", "Say which file"):
            result = run(unpacked(ONE), "-e", wrong, expect=1)
            assert told in result.err, result.err


@contextlib.contextmanager
def in_a_browser():
    """Gives a function that opens a report, and runs a script in it."""
    program = shutil.which("chromium")
    if not program:
        raise Skip("there is no chromium, package chromium has it")
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "leak.html")
        run("report", dump_of(ONE), exe_of(ONE), "-o", file, expect=0)
        yield lambda fragment, script=None: browse(program, file, fragment, script)


def browse(program, file, fragment, script):
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder, "page.html")
        text = file.read_text()
        page.write_text(text.replace("</body>", f"<script>{script}</script></body>") if script else text)
        done = subprocess.run(
            [program, *CHROMIUM, f"--user-data-dir={folder}/profile", "--enable-logging=stderr",
             "--dump-dom", f"file://{page}{fragment}"],
            capture_output=True, text=True, timeout=DEADLINE, check=False)
        assert "CONSOLE" not in done.stderr, done.stderr  # where errors of scripts would be
        return done.stdout


@test(builds=["gcc"])
def a_browser_opens_it_and_a_click_opens_a_part():
    with in_a_browser() as opened_with:
        opened = opened_with("#w1")
        assert re.search(r'<html[^>]* data-at="w1"', opened), opened[:300]
        clicked = opened_with("",
                              "document.querySelector('a.b[href=\"#w2\"] rect').dispatchEvent("
                              "new MouseEvent('click',{bubbles:true,cancelable:true}));"
                              "const s=document.getElementById('search');s.value='main.gcache';"
                              "s.dispatchEvent(new Event('input'))")
        assert re.search(r'<html[^>]* data-at="w2"', clicked), clicked[:300]
        share = re.search(r'id="found">2 parts, 17\.9%', clicked)
        assert share, re.search(r'id="found">[^<]*', clicked)


@test(builds=["gcc"])
def a_browser_sorts_tables():
    with in_a_browser() as opened_with:
        script = """const table=document.getElementById('types-rows'),out=[];
            for(const title of ['bytes','bytes','type','type']){
            const head=[...table.rows[0].cells].find(cell=>cell.textContent===title);
            head.click();const at=head.cellIndex;
            out.push([...table.tBodies[0].rows].map(row=>{const cell=row.cells[at],
            data=cell.querySelector('data');return data?+data.value:cell.textContent}))}
            document.title=JSON.stringify(out)"""
        found = re.search(r"<title>([^<]*)", opened_with("", script))
        down, up, names, back = json.loads(html.unescape(found.group(1)))
        equal(down, sorted(down, reverse=True), "bytes, the largest first")
        equal(up, sorted(down), "bytes, the smallest first")
        assert len(set(names)) > 10 and back == names[::-1], (names, back)
