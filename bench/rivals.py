"""Who runs: the Pythons of the frameworks, and a process that measures for each."""
import json
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("RILL_BUILD", ROOT / "build" / "release"))
# PyTorch on PyPI brings gigabytes of CUDA along for Linux; Debian's does not. RILL_TORCH takes another one.
TORCH = os.environ.get("RILL_TORCH", "/usr/bin/python3")
PYTHONS = {"rill": ROOT / ".venv/bin/python", "tensorflow": ROOT / ".oracle/bin/python", "torch": TORCH,
           "files": ROOT / ".venv/bin/python"}
VERSIONS = {
    "rill": "import rill; print(rill.__version__)",
    "tensorflow": "from importlib.metadata import version; print(version('tensorflow-cpu'))",
    "torch": "import torch; print(torch.__version__)",
}


def environment(framework):
    path = f"{ROOT}/python:{ROOT}/python/compat" if framework == "rill" else ""
    # libgomp's default spinning stalls threads that share a core for whole time slices.
    return dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", GOMP_SPINCOUNT="1000", PYTHONPATH=path)


def version_of(framework):
    """None where it is not installed."""
    try:
        done = subprocess.run([PYTHONS[framework], "-c", VERSIONS[framework]], env=environment(framework), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def described():
    """{framework: where it is from} of those that are installed."""
    found = {name: version_of(name) for name in VERSIONS}
    source = "Debian's python3-torch" if TORCH == "/usr/bin/python3" else TORCH
    texts = {"rill": "Rill {} of this checkout", "tensorflow": "TensorFlow {} (CPU) of PyPI, in .oracle",
             "torch": "PyTorch {} of " + source}
    return {name: texts[name].format(version) for name, version in found.items() if version}


# For rivals that end at their first product of bfloat16: on virtual machines that announce tile registers and hide
# their size. Their floats are no slower for it.
WITHOUT_TILES = {"ONEDNN_MAX_CPU_ISA": "AVX512_CORE_BF16"}


class Worker:
    """A process that measures the workloads of a group under one framework."""

    def __init__(self, framework, group, options):
        self.framework = framework
        self.command = [PYTHONS[framework], ROOT / "bench" / "worker.py", framework, group.name,
                        str(options.threads), options.folder, str(group.window * options.window), options.clock]
        self.fresh, self.process = group.fresh, None
        self.refused, self.shapes = {}, {}
        self.limits = {}  # environment variables that keep it alive

    def start(self):
        self.process = subprocess.Popen(self.command, env=environment(self.framework) | self.limits, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def stop(self):
        if self.process is not None:
            self.process.stdin.close()
            self.process.wait()
            self.process.stdout.close()
            self.process = None

    def measure(self, name):
        """The answer for a workload, or None where the framework does not run it."""
        if name in self.refused:
            return None
        if self.process is None:
            self.start()
        answer = self.ask(name)
        if answer is None and self.framework != "rill" and not self.limits:
            self.limits = WITHOUT_TILES
            self.start()
            answer = self.ask(name)
        answer = answer or {"refused": "its process ended"}
        if self.fresh:
            self.stop()
        if "refused" in answer:
            self.refused[name] = answer["refused"]
            return None
        self.shapes[name] = answer["shape"]
        return answer["value"]

    def ask(self, name):
        """None where the process ended."""
        self.process.stdin.write(name + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if line:
            return json.loads(line)
        self.stop()
        return None
