"""A client of goheapx serve: questions to one process, which keeps what it has read."""

import base64
import json
import os
import pathlib
import select
import subprocess


class Ended(Exception):
    """A question ended by a signal, or was none: the server says why."""


class Server:
    """with Server(program) as server: server.ask(["info", dump]) ..."""

    def __init__(self, program, environment=None, **more):
        self.process = subprocess.Popen([program, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, **more)
        self.left = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        """Returns its status."""
        self.process.stdin.close()
        status = self.process.wait(60)
        self.process.stdout.close()
        return status

    def line(self, seconds):
        """The next line that it writes."""
        parts = [self.left]  # joined once: an answer may have 100 MB, and comes in pieces of a pipe
        while b"\n" not in parts[-1]:
            if not select.select([self.process.stdout], [], [], seconds)[0]:
                self.process.kill()
                raise subprocess.TimeoutExpired(self.process.args, seconds)
            got = os.read(self.process.stdout.fileno(), 1 << 20)
            if not got:
                raise Ended(f"the server has ended with {self.process.wait()}")
            parts.append(got)
        end, _, self.left = parts.pop().partition(b"\n")
        return b"".join([*parts, end])

    def say(self, question, seconds=300):
        """The answer to a line, which is bytes or what becomes JSON."""
        line = question if isinstance(question, bytes) else json.dumps(question).encode()
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()
        return json.loads(self.line(seconds))

    def ask(self, words, text=None, seconds=300):
        """(status, standard output, standard error) of a command line, which reads `text`."""
        answer = self.say({"words": [str(word) for word in words]} | ({} if text is None else {"in": text}), seconds)
        if "error" in answer:
            raise Ended(answer["error"])
        return answer["status"], printed(answer, "out"), printed(answer, "err")

    def below(self):
        """The processes that it has started."""
        return children(self.process.pid)

    def seconds(self):
        """Processor seconds of it and of what it has started."""
        return sum(map(seconds_of, [self.process.pid, *self.below()]))


def printed(answer, name):
    return base64.b64decode(answer[name + "_base64"]) if name + "_base64" in answer else answer[name].encode()


def children(pid, levels=9):
    """All that run below a process, so many levels of them: what has ended may not be reaped yet."""
    try:
        own = [int(word) for word in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []
    own = [child for child in own if not has_ended(child)]
    return own + [one for child in own if levels > 1 for one in children(child, levels - 1)]


def has_ended(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def seconds_of(pid):
    """Of a process and of those that it has waited for."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
