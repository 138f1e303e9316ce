"""What the explorer counts has the number of its noun."""

import pathlib
import re
import tempfile

import writer
from harness import equal, run, test


@test
def one_is_not_many():
    """A heap with one object that nothing holds."""
    content = writer.HEADER + writer.params()
    content += writer.record(1, writer.HEAP, writer.words(0, 0), [])
    content += writer.memstats() + writer.record(0)
    with tempfile.TemporaryDirectory() as folder:
        dump = pathlib.Path(folder) / "one.dump"
        dump.write_bytes(content)
        screen = run("-e", "overview", dump).out
        assert " 1 object, 16 B\n" in screen.split("\n")[0] + "\n", screen
        for form in (screen, run("info", dump).out, run("-e", "size 200x50; overview", dump).out):
            many = re.findall(r"(?m)(?:^|[ (])1 +(?:more )?[a-z]+s\b(?! of\b).*", form)
            equal([line for line in many if not re.match(r" *1 +(?:is|has|was)", line)], [], "nouns")
        result = run("-e", "objects; row 2", dump, expect=1)
        assert "There is 1 row here" in result.err, result
