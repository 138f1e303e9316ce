"""Each header can be included alone, and so can each macro that it defines be used: what an expansion names is
declared by the header or by what that includes."""

import pathlib
import re
import shutil
import subprocess
import tempfile

from harness import ROOT, Skip, equal, test

LAYERS = sorted({"/".join(path.parent.relative_to(ROOT).parts[:2]) for top in ("include", "src") for path in (ROOT / top).rglob("*.h")})
FLAGS = ["-std=c11", "-D_GNU_SOURCE", "-Iinclude", "-Isrc", "-x", "c"]
DEFINE = re.compile(r"^#[ \t]*define[ \t]+(\w+)(\(([^)]*)\))?((?:\\\n|[^\n])*)", re.M)
NO_NAME = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|(?:\.|->)\s*[A-Za-z_]\w*|\b0[xX]\w+|\b\d\w*')
KEYWORDS = set("auto break case char const continue default do double else enum extern float for goto if inline int long register return "
               "short signed sizeof static struct switch typedef union unsigned void volatile while _Generic _Bool _Static_assert "
               "__attribute__ cleanup section used __extension__ __typeof__ typeof bool true false NULL offsetof __builtin_offsetof defined".split())
MARK = "goheapx_macro_"


def headers(layer):
    return [path.relative_to(ROOT) for path in sorted((ROOT / layer).rglob("*.h"))]


def compiler():
    found = shutil.which("gcc")
    if not found:
        raise Skip("there is no gcc")
    return found


def expand(text):
    """What the preprocessor makes of a file, without lines about lines."""
    done = subprocess.run([compiler(), *FLAGS, "-E", "-P", "-"], input=text, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout


def macros(text):
    """{name: a use of it}, arguments are names that are told apart. What makes declarations is used as well."""
    found = {}
    for name, call, parameters, _ in DEFINE.findall(text):
        names = [parameter.strip() for parameter in parameters.split(",") if parameter.strip()]
        found[name] = name + ("(" + ", ".join(f"{MARK}argument" for _ in names) + ")" if call else "")
    return found


def undeclared(header):
    """Names in expansions of a header's macros that stand nowhere else in what the header includes."""
    uses = macros((ROOT / header).read_text(encoding="utf-8"))
    if not uses:
        return
    lines = "".join(f"\n{MARK}begin_{number} {use} {MARK}end\n" for number, use in enumerate(uses.values()))
    declared, *expansions = re.split(rf"{MARK}begin_\d+", expand(f'#include "{pathlib.PurePath(*header.parts[1:])}"\n{lines}'))
    known = set(re.findall(r"[A-Za-z_]\w*", declared)) | KEYWORDS
    assert len(expansions) == len(uses), (header, len(expansions), len(uses))
    for name, expansion in zip(uses, expansions):
        if expansion.split() and expansion.split()[0] == uses[name].split()[0]:
            continue  # the header itself has used it and undefined it
        words = re.findall(r"[A-Za-z_]\w*", NO_NAME.sub(" ", expansion.split(f"{MARK}end")[0]))
        local = set(re.findall(r"(?:[\w*]\s+|\*)\**([a-z_]\w*)\s*(?:=|;|,|\[|:)", expansion))
        for word in sorted({*words} - known - local):
            if MARK not in word and not word.startswith("__"):
                yield f"{header}: {name} needs {word}"


@test(each=LAYERS, builds=["gcc"])
def a_header_has_what_its_macros_name(layer):
    equal([line for header in headers(layer) for line in undeclared(header)], [], "names that a header does not declare")


@test(each=LAYERS, builds=["gcc"])
def a_header_compiles_alone(layer):
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for number, header in enumerate(headers(layer)):
            files.append(pathlib.Path(folder) / f"{number}.c")
            files[-1].write_text(f'#include "{pathlib.PurePath(*header.parts[1:])}"\n')
        done = subprocess.run([compiler(), *FLAGS, "-fsyntax-only", *files], cwd=ROOT, capture_output=True, text=True, check=False)
    equal(done.stderr, "", "errors")
