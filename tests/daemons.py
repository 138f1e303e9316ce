"""make daemons: packaged Go programs as Debian ships them, started here and compared with what they say of themselves.

usage: daemons.py [--suite NAME] [--folder DIR] [--table FILE] GOHEAPX [DAEMON ...]

Each package is downloaded by apt-get and unpacked into a folder, never installed. Each program is started on
127.0.0.1 with a bounded load, told to collect its garbage, and asked for its goroutines; then goheapx takes a
snapshot, and the process is asked again. --suite takes packages of another suite than this machine's.
"""

import argparse
import base64
import concurrent.futures
import contextlib
import datetime
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import typing
import urllib.request

DEADLINE = 40  # seconds until a program answers
LOAD = 300  # requests


class Daemon(typing.NamedTuple):
    """How a program is started and loaded. {port}, {other} and {dir} stand for two free ports and a folder of
    its own."""

    packages: str  # the first is its own, the others hold programs that it starts
    program: str  # below the folder that they are unpacked into
    arguments: str
    ready: str = "/metrics"  # answers when the program is up; "": the port takes connections, as does a "*.sock"
    pprof: str = "{port}"  # "PORT[/PREFIX]" of net/http/pprof; "": it has none
    load: str = "gets"
    paths: typing.Sequence[str] = ("/metrics",)
    files: typing.Mapping[str, str] = {}
    environment: typing.Mapping[str, str] = {}
    before: typing.Sequence[str] = ()  # a command that runs it in the same process


DAEMONS = {
    "prometheus": Daemon(
        "prometheus", "usr/bin/prometheus",
        "--config.file={dir}/prometheus.yml --storage.tsdb.path={dir}/data --web.listen-address=127.0.0.1:{port}",
        files={"prometheus.yml": "global: {{scrape_interval: 1s}}\nscrape_configs:\n- job_name: self\n"
                                 "  static_configs: [{{targets: ['127.0.0.1:{port}']}}]\n"},
        paths=("/metrics", "/api/v1/query?query=up", "/api/v1/label/__name__/values")),
    "node-exporter": Daemon(
        "prometheus-node-exporter", "usr/bin/prometheus-node-exporter", "--web.listen-address=127.0.0.1:{port}"),
    "etcd": Daemon(
        "etcd-server", "usr/bin/etcd",
        "--data-dir={dir}/data --enable-pprof --listen-client-urls=http://127.0.0.1:{port} "
        "--advertise-client-urls=http://127.0.0.1:{port} --listen-peer-urls=http://127.0.0.1:{other} "
        "--initial-advertise-peer-urls=http://127.0.0.1:{other} --initial-cluster=default=http://127.0.0.1:{other}",
        ready="/health", load="etcd"),
    "syncthing": Daemon(
        "syncthing", "usr/bin/syncthing", "-no-browser -no-restart -home={dir} -gui-address=127.0.0.1:{port}",
        ready="/rest/noauth/health", pprof="{other}", paths=("/", "/rest/noauth/health"),
        environment={"STPROFILER": "127.0.0.1:{other}", "STNODEFAULTFOLDER": "1", "STNOUPGRADE": "1",
                     "STMONITORED": "yes"}),
    "nats": Daemon(
        "nats-server", "usr/sbin/nats-server", "-c {dir}/nats.conf", ready="", pprof="{other}", load="nats",
        files={"nats.conf": "host: 127.0.0.1\nport: {port}\nprof_port: {other}\njetstream {{store_dir: '{dir}/js'}}\n"}),
    "victoria-metrics": Daemon(
        "victoria-metrics", "usr/bin/victoria-metrics",
        "-storageDataPath={dir}/data -httpListenAddr=127.0.0.1:{port}", load="metrics", ready="/health",
        paths=("/api/v1/import/prometheus",)),
    "caddy": Daemon(
        "caddy", "usr/bin/caddy", "run --config {dir}/caddy.json", ready="/", pprof="{other}", paths=("/",),
        files={"caddy.json": '{{"admin": {{"listen": "127.0.0.1:{other}"}}, "apps": {{"http": {{"servers": {{"s": '
                             '{{"listen": ["127.0.0.1:{port}"], "automatic_https": {{"disable": true}}, "routes": '
                             '[{{"handle": [{{"handler": "static_response", "body": "x"}}]}}]}}}}}}}}}}\n'}),
    "rclone": Daemon(
        "rclone", "usr/bin/rclone", "rcd --rc-addr=127.0.0.1:{port} --rc-no-auth --config={dir}/rclone.conf",
        ready="", load="posts", paths=("/rc/noop", "/core/memstats", "/config/providers")),
    "influxdb": Daemon(
        "influxdb", "usr/bin/influxd", "run -config {dir}/influx.conf", ready="/ping", load="influx",
        files={"influx.conf": 'reporting-disabled = true\nbind-address = "127.0.0.1:{other}"\n[meta]\ndir = "{dir}/meta"\n'
                              '[data]\ndir = "{dir}/data"\nwal-dir = "{dir}/wal"\n[http]\n'
                              'bind-address = "127.0.0.1:{port}"\npprof-enabled = true\n'}),
    "containerd": Daemon(
        "containerd", "usr/bin/containerd", "--config {dir}/c.toml", ready="/v1/metrics", pprof="",
        paths=("/v1/metrics",),
        files={"c.toml": 'version = 2\nroot = "{dir}/root"\nstate = "{dir}/state"\n[grpc]\naddress = "{dir}/c.sock"\n'
                         '[ttrpc]\naddress = "{dir}/t.sock"\n[metrics]\naddress = "127.0.0.1:{port}"\n[debug]\n'
                         'address = "{dir}/d.sock"\n'}),
    "dockerd": Daemon(
        "docker.io containerd runc", "usr/sbin/dockerd",
        "--data-root={dir}/data --exec-root={dir}/exec --pidfile={dir}/pid --bridge=none --iptables=false "
        "--ip6tables=false --storage-driver=vfs --userland-proxy=false --config-file={dir}/daemon.json "
        "-H unix://{dir}/d.sock",
        ready="d.sock", pprof="", load="none", files={"daemon.json": "{{}}"},
        before=("unshare", "--mount")),
    "pushgateway": Daemon(
        "prometheus-pushgateway", "usr/bin/prometheus-pushgateway", "--web.listen-address=127.0.0.1:{port}", load="push"),
    "blackbox-exporter": Daemon(
        "prometheus-blackbox-exporter", "usr/bin/prometheus-blackbox-exporter",
        "--config.file={dir}/b.yml --web.listen-address=127.0.0.1:{port}", files={"b.yml": "modules: {{}}\n"}),
    "hugo": Daemon(
        "hugo libsass1 libwebp7 libsharpyuv0", "usr/bin/hugo", "server --source={dir} --bind=127.0.0.1 --port={port} --cacheDir={dir}/cache",
        ready="", pprof="", paths=("/",),
        files={"hugo.toml": 'title = "x"\n', "layouts/index.html": "{{{{ .Title }}}}\n",
               "content/a.md": "---\ntitle: a\n---\ntext\n"}),
    "gopls": Daemon(
        "gopls", "usr/bin/gopls", "serve -listen=127.0.0.1:{port} -debug=127.0.0.1:{other}", ready="", pprof="{other}",
        load="none"),
    "esbuild": Daemon(
        "esbuild", "usr/bin/esbuild", "--serve=127.0.0.1:{port} --servedir={dir}", ready="/", pprof="", paths=("/",)),
}


# ---- Packages


def apt_options(suite, folder):
    """Options with which apt-get knows another suite, in a folder of its own; none: this machine's."""
    if not suite:
        return []
    urls = subprocess.run(["apt-get", "indextargets", "--format", "$(SITE) $(COMPONENT) $(CREATED_BY) $(RELEASE)"],
                          check=True, capture_output=True, text=True).stdout.splitlines()
    sites = [line.split()[0] for line in urls if line.split()[1:] and "/debian-security" not in line.split()[0]]
    site = next(site for site in sites if site.rstrip("/").endswith("/debian"))
    state = folder / "apt" / suite
    for name in ("lists/partial", "cache/archives/partial"):
        (state / name).mkdir(parents=True, exist_ok=True)
    (state / "sources.list").write_text(f"deb {site} {suite} main\n")
    return ["-o", f"Dir::Etc::sourcelist={state}/sources.list", "-o", "Dir::Etc::sourceparts=/dev/null",
            "-o", f"Dir::State::lists={state}/lists", "-o", f"Dir::Cache={state}/cache", "-o", "APT::Sandbox::User=root"]


def unpack_package(daemon, folder, options):
    """The path of its program. RuntimeError: there is no such package here."""
    names = daemon.packages.split()
    place = folder / names[0]
    program = place / daemon.program
    if program.exists():
        return program
    place.mkdir(parents=True, exist_ok=True)
    got = subprocess.run(["apt-get", *options, "download", *names], cwd=place, capture_output=True, text=True)
    if got.returncode:
        raise RuntimeError(f"apt-get download {daemon.packages}: {' '.join(got.stderr.strip().splitlines()[-1:])}")
    for package in place.glob("*.deb"):
        subprocess.run(["dpkg-deb", "-x", package, place], check=True)
        package.unlink()
    return program


# ---- Running one


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def get(url, data=None, method=None, headers=None):
    request = urllib.request.Request(url, data=data, method=method, headers=headers or {})
    with urllib.request.urlopen(request, timeout=20) as answer:
        return answer.read()


@contextlib.contextmanager
def running(daemon, program, place):
    """(process, port, other) of the program, when it answers; it is ended afterwards, whatever happens."""
    port, other = free_port(), free_port()
    values = {"port": port, "other": other, "dir": str(place)}
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    for name, text in daemon.files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text.format(**values))
    beside = ":".join(str(program.parents[2] / "usr" / name) for name in ("bin", "sbin"))
    environment = {**os.environ, "HOME": str(place), "XDG_CACHE_HOME": str(place), "GOMAXPROCS": "2",
                   "PATH": f"{os.environ['PATH']}:{beside}",
                   "LD_LIBRARY_PATH": ":".join(map(str, program.parents[2].glob("usr/lib/*-linux-*"))),
                   **{name: text.format(**values) for name, text in daemon.environment.items()}}
    with open(place / "log", "wb") as log:
        process = subprocess.Popen([*daemon.before, program, *daemon.arguments.format(**values).split()], cwd=place, env=environment,
                                   stdin=subprocess.PIPE, stdout=log, stderr=log, start_new_session=True)
    try:
        wait_ready(daemon, process, port, place)
        yield process, port, other
    finally:
        end(process)


def end(process):
    """It and what it has started; it may put things in order first."""
    with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
        process.terminate()
        process.wait(10)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def is_ready(daemon, port, place):
    try:
        if daemon.ready.startswith("/"):
            get(f"http://127.0.0.1:{port}{daemon.ready}")
        elif daemon.ready:
            with socket.socket(socket.AF_UNIX) as probe:
                probe.connect(str(place / daemon.ready))
        else:
            socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    except OSError:
        return False


def wait_ready(daemon, process, port, place):
    end = time.monotonic() + DEADLINE
    while not is_ready(daemon, port, place):
        if process.poll() is not None or time.monotonic() > end:
            lines = (place / "log").read_text("utf-8", "replace").strip().splitlines()
            raise RuntimeError(f"it does not answer: {' / '.join(lines[-2:])[:300]}")
        time.sleep(0.1)
    time.sleep(1)


# ---- Loads: each takes the address and the paths, and gives what is to be kept open meanwhile


def load_none(_base, _paths):
    return []


def load_gets(base, paths):
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda i: get(base + paths[i % len(paths)]), range(LOAD)))
    return []


def load_posts(base, paths):
    for i in range(LOAD):
        get(base + paths[i % len(paths)], b"{}", headers={"Content-Type": "application/json"})
    return []


def load_etcd(base, _paths):
    def text(value):
        return base64.b64encode(value.encode()).decode()

    for i in range(LOAD):
        get(f"{base}/v3/kv/put", json.dumps({"key": text(f"key{i}"), "value": text("v" * 200)}).encode())
    watchers = []
    for i in range(20):
        body = json.dumps({"create_request": {"key": text(f"key{i}")}}).encode()
        watcher = socket.create_connection(("127.0.0.1", int(base.rpartition(":")[2])))
        watcher.sendall(b"POST /v3/watch HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        watcher.recv(100)
        watchers.append(watcher)
    return watchers


def load_nats(base, _paths):
    clients = []
    for i in range(30):
        client = socket.create_connection(("127.0.0.1", int(base.rpartition(":")[2])))
        client.sendall(b'CONNECT {"verbose":false}\r\n' + b"".join(b"SUB s.%d.%d %d\r\n" % (i, n, n) for n in range(40)))
        client.sendall(b"PING\r\n")
        client.recv(4096)
        clients.append(client)
    return clients


def load_metrics(base, paths):
    for i in range(30):
        get(base + paths[0], "".join(f'm{n}{{a="{i}"}} {n}\n' for n in range(100)).encode())
    return []


def load_influx(base, _paths):
    get(f"{base}/query?q=CREATE%20DATABASE%20d", b"")
    for i in range(30):
        get(f"{base}/write?db=d", "".join(f"m{n},a={i} v={n}\n" for n in range(100)).encode())
    return []


def load_push(base, _paths):
    for i in range(LOAD // 3):
        get(f"{base}/metrics/job/j{i}", f"m {i}\n".encode(), method="POST")
    return []


LOADS = {name[len("load_"):]: function for name, function in list(globals().items()) if name.startswith("load_")}


# ---- What the program says of itself


def of_itself(base):
    """HeapAlloc after a collection, and the goroutines: {id: state}. Both None: it says nothing."""
    if not base:
        return None, {}
    profile = get(f"{base}/debug/pprof/heap?gc=1&debug=1").decode("utf-8", "replace")
    stacks = get(f"{base}/debug/pprof/goroutine?debug=2").decode("utf-8", "replace")
    alloc = re.search(r"^# HeapAlloc = (\d+)", profile, re.M)
    states = {int(number): state.split(",")[0]
              for number, state in re.findall(r"^goroutine (\d+)(?: gp=\S+ m=\S+(?: mp=\S+)?)? \[([^\]]*)\]:", stacks, re.M)}
    return alloc and int(alloc.group(1)), states


def resident(pid):
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        return 1024 * int(re.search(r"^VmRSS:\s+(\d+)", file.read(), re.M).group(1))


def unchanged(process):
    """Is it alive, and does nobody trace it?"""
    with open(f"/proc/{process.pid}/status", encoding="utf-8") as file:
        text = file.read()
    return process.poll() is None and "TracerPid:\t0" in text and not re.search(r"^State:\s+[TtZ]", text, re.M)


# ---- What goheapx says


class Asked:
    """Answers of goheapx about one core file."""

    def __init__(self, program, core):
        self.program, self.core = program, core

    def ask(self, *words):
        ran = subprocess.run([self.program, *words, "--json", "--no-cache"], capture_output=True, text=True, timeout=600)
        if ran.returncode not in (0, 1):
            raise RuntimeError(f"goheapx {words[0]}: {ran.stderr.strip()[:300]}")
        return json.loads(ran.stdout)


def compare_states(rows, states):
    """(equal, compared) of the goroutines that wait and that both know."""
    ours = {row["id"]: row for row in rows}
    equal = compared = 0
    for number, state in states.items():
        row = ours.get(number)
        if not row or state in ("running", "runnable", "syscall"):
            continue
        compared += 1
        equal += row["wait_reason"] == state.removesuffix(" (leaked)").removesuffix(" (scan)")
    return equal, compared


def measure(name, program, goheapx, folder):
    """A row of the table as a dictionary."""
    daemon = DAEMONS[name]
    core = folder / "cores" / f"{name}.core"
    core.parent.mkdir(parents=True, exist_ok=True)
    core.unlink(missing_ok=True)
    with running(daemon, program, folder / "run" / name) as (process, port, other):
        kept = LOADS[daemon.load](f"http://127.0.0.1:{port}", daemon.paths)
        pprof = daemon.pprof and "http://127.0.0.1:" + daemon.pprof.format(port=port, other=other)
        alloc, states = of_itself(pprof)
        # The copy reads pages of the executable that were not in memory, and these are afterwards.
        rss = resident(process.pid)
        taken = subprocess.run([goheapx, "snapshot", str(process.pid), "--yes", "-o", core],
                               capture_output=True, text=True, timeout=300)
        alive = unchanged(process)
        for connection in kept:
            connection.close()
    if taken.returncode:
        raise RuntimeError(f"goheapx snapshot: {taken.stderr.strip()[:300]}")
    asked = Asked(goheapx, core)
    info = asked.ask("info", core)
    goroutines = asked.ask("list", "goroutines", core)
    owners = asked.ask("list", "owners", core, "--limit=1")
    used = asked.ask("list", "memory", core)
    equal, compared = compare_states(goroutines, states)
    waiting = [row for row in goroutines if row["status"] == "waiting"]
    return {
        "name": name, "go": info["go_version"], "alive": alive,
        "reachable": info["reachable_bytes"], "alloc": alloc,
        "rss": sum(row["resident_bytes"] for row in used), "vmrss": rss,
        "typed_objects": info["typed_objects"] / max(1, info["reachable_objects"]),
        "typed_bytes": info["typed_bytes"] / max(1, info["reachable_bytes"]),
        "goroutines": len(goroutines), "said": len(states) or None,
        "waiting": len(waiting), "reasons": sum(row["wait_reason"] is not None for row in waiting),
        "equal": equal, "compared": compared,
        "owner": owners[0]["name"] if owners else "", "share": owners[0]["share"] if owners else 0,
        "pause_ms": info["pause_ns"] / 1e6,
    }


# ---- The table


def percent(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "-"


def difference(ours, theirs):
    return f"{100 * (ours - theirs) / theirs:+.1f} %" if theirs else "-"


HEADS = ["program", "Go", "reachable", "of HeapAlloc", "RSS rows", "typed objects", "typed bytes", "wait reasons",
         "equal to its own", "first owner", "pause", "lives on"]


def cells(row):
    return [row["name"], row["go"], f"{row['reachable']:,}", difference(row["reachable"], row["alloc"]),
            difference(row["rss"], row["vmrss"]), percent(row["typed_objects"], 1), percent(row["typed_bytes"], 1),
            f"{row['reasons']} of {row['waiting']}",
            f"{row['equal']} of {row['compared']}" if row["compared"] else "-",
            f"{row['owner'][:60]} {row['share']:.0f} %".replace("|", "\\|"), f"{row['pause_ms']:.1f} ms",
            "yes" if row["alive"] else "NO"]


def table(rows, failed, suite):
    out = ["# Packaged daemons", "",
           f"Written by `make daemons TABLE=doc/daemons.md{f' SUITE={suite}' if suite else ''}` on "
           f"{datetime.date.today()}. Programs as Debian ships them, started on 127.0.0.1 with a bounded load.",
           "\"Of HeapAlloc\": the reachable bytes of the snapshot against the program's HeapAlloc after a collection",
           "just before; what it has allocated since is in between. \"RSS rows\": the resident bytes of `list memory`",
           "against VmRSS just before it. \"Equal to its own\": waiting goroutines whose reason is the one in the",
           "program's own list of the second before.", "",
           "| " + " | ".join(HEADS) + " |", "| --- | --- " + "| --: " * 7 + "| --- | --: | --- |"]
    out += ["| " + " | ".join(cells(row)) + " |" for row in rows]
    for name, why in failed:
        out += ["", f"`{name}` was not measured: {why}"]
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    parser.add_argument("--suite")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("build/daemons"))
    parser.add_argument("--table", type=pathlib.Path)
    parser.add_argument("goheapx", type=pathlib.Path)
    parser.add_argument("daemons", nargs="*")
    options = parser.parse_args()
    folder = (options.folder / (options.suite or "here")).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    apt = apt_options(options.suite, folder)
    if apt:
        subprocess.run(["apt-get", *apt, "-qq", "update"], check=True)
    rows, failed = [], []
    for name in options.daemons or DAEMONS:
        try:
            program = unpack_package(DAEMONS[name], folder, apt)
            rows.append(measure(name, program, options.goheapx.resolve(), folder))
            print(" | ".join(cells(rows[-1])), flush=True)
        except (RuntimeError, OSError, subprocess.SubprocessError) as why:
            why = str(why).replace(str(folder), "...")
            failed.append((name, why))
            print(f"{name}: not measured: {why}", flush=True)
    if options.table:
        options.table.write_text(table(rows, failed, options.suite))
    print(f"{len(rows)} measured, {len(failed)} not")
    return 0 if rows and all(row["alive"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
