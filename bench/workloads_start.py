"""What is there before the first step: groups import, memory and size. Every answer comes from a fresh process.

Nothing is imported here before it is measured.
"""
import glob
import importlib
import os
import pathlib
import subprocess
import sys
import time

from workloads import Workload

ROOT = pathlib.Path(__file__).resolve().parent.parent


def answering(measure):
    """A workload for all frameworks alike: `measure` gets what imports the framework, and the setting."""
    def make(framework, setting):
        def step():
            return measure(framework, setting)
        step.answers = True
        return step
    return make


def alike(name, measure, **limits):
    made = answering(measure)
    return Workload(name, made, made, **limits)


def import_time(framework, setting):
    begin = time.perf_counter()
    framework()
    return time.perf_counter() - begin


# Resident memory.

def resident():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024


def after_import(framework, setting):
    framework()
    return resident()


def after_steps(name, count=3):
    def measure(framework, setting):
        module = framework()
        made = next(w for w in importlib.import_module("workloads_models").workloads("train") if w.name == name)
        step = (made.torch if setting.framework == "torch" else made.graph)(module, setting)
        for _ in range(count):
            step()
        return resident()
    return measure


# Installed files.

def bytes_below(*paths):
    """Of files as they lie on the disk, each once; what Python makes of sources at run time does not count."""
    found = {}
    for path in map(str, paths):
        files = [path] if os.path.isfile(path) else [
            os.path.join(folder, name) for folder, _, names in os.walk(path) if "__pycache__" not in folder
            for name in names]
        for file in files:
            known = os.lstat(file)
            found[known.st_dev, known.st_ino] = known.st_size
    return sum(found.values())


def site_packages(*patterns):
    """What pip put there under such names."""
    return [path for folder in sys.path if folder.endswith("site-packages") for pattern in patterns
            for path in glob.glob(os.path.join(folder, pattern))]


def rill_package():
    """What a wheel carries of Rill's own (cmake/RillInstall.cmake): not Eigen's and protobuf's headers."""
    build = ROOT / "build" / "release"
    messages = glob.glob(str(build / "rill" / "proto" / "gen" / "**" / "*.pb.h"), recursive=True)
    facts = glob.glob(str(ROOT / "tests" / "facts" / "tf1_*.tsv"))
    return bytes_below(ROOT / "python" / "rill", ROOT / "python" / "compat", ROOT / "bin" / "rill", ROOT / "include",
                       build / "lib" / "librill.so", *messages, *facts)


def debian_package(*names):
    listed = subprocess.run(["dpkg", "-L", *names], text=True, stdout=subprocess.PIPE, check=True).stdout
    return bytes_below(*(path for path in listed.splitlines() if os.path.isfile(path)))


def torch_package():
    if sys.executable.startswith("/usr/bin"):
        names = subprocess.run(["dpkg-query", "-W", "-f", "${Package}\n", "python3-torch", "libtorch1*"], text=True,
                               stdout=subprocess.PIPE, check=True).stdout
        return debian_package(*names.split())
    return bytes_below(*site_packages("torch", "torch-*"))


def installed(framework, setting):
    sizes = {"rill": rill_package, "torch": torch_package,
             "tensorflow": lambda: bytes_below(*site_packages("tensorflow", "tensorflow_cpu*"))}
    return sizes[setting.framework]() / 1e6


def workloads(group):
    return {
        "import": [alike("import_time", import_time)],
        "memory": [alike("after_import", after_import), alike("after_lenet_steps", after_steps("lenet")),
                   alike("after_resnet50_steps", after_steps("resnet50"))],
        "size": [alike("installed", installed, most=80)],
    }[group]
