"""What is measured: the kind of a workload, and the groups that `./do bench` knows.

Nothing here imports a framework: a workload gets one, in a process of its own (worker.py).
"""
import dataclasses
import importlib
from typing import Callable, Optional


@dataclasses.dataclass
class Setting:
    """What a worker was told, for workloads that need it."""
    framework: str  # rill, tensorflow, torch or files
    threads: int
    folder: str  # for files, the same for all frameworks

    def config(self, tf):
        return tf.ConfigProto(intra_op_parallelism_threads=self.threads,
                              inter_op_parallelism_threads=self.threads)


@dataclasses.dataclass
class Workload:
    """The same work for each framework that can do it.

    Each function gets the framework's module and the setting, and returns a step: a function without
    arguments that does the work once. What a step returns is checked: its shape must be the same in
    all frameworks, its numbers finite. A step that sets `times_itself` returns its seconds instead,
    and one with `answers` what is measured, whatever it is.
    """
    name: str
    graph: Optional[Callable] = None  # under Rill and under TensorFlow
    torch: Optional[Callable] = None
    files: Optional[Callable] = None  # (setting): the file system itself, as a yardstick
    per: int = 1  # how much work a step does; its time is divided by this
    flops: float = 0  # floating-point operations of one work, where they are all that counts
    bytes: float = 0  # of memory that one work reads and writes, where caches of a core do not hold them
    wanted: Optional[float] = None  # the ratio that is good enough, if not the group's
    most: Optional[float] = None  # what Rill's own value may be, beside any rival


@dataclasses.dataclass
class Group:
    name: str
    doc: str
    module: str  # workloads_MODULE.py, `workloads(group)` gives them
    wanted: float = 1.0  # the ratio to the better rival above which a row is marked
    mean: Optional[float] = None  # the same for the geometric mean
    frameworks: tuple = ("rill", "tensorflow", "torch")
    rivals: tuple = ("tensorflow", "torch")  # whose better one counts
    window: float = 0.05  # seconds of measuring per answer
    unit: str = "s"  # of the answers: s, MiB or MB
    fresh: bool = False  # every answer comes from a new process
    rounds: Optional[int] = None  # at most so many
    by_default: bool = True  # `./do bench` alone runs it
    eager: bool = False  # ops compute where they are called

    def workloads(self):
        return importlib.import_module(f"workloads_{self.module}").workloads(self.name)


TENSORFLOW = {"frameworks": ("rill", "tensorflow"), "rivals": ("tensorflow",)}
GROUPS = [
    Group("overhead", "what a node costs beside its kernel", "sessions", mean=0.3),
    Group("latency", "runs of small graphs", "sessions", mean=0.3),
    Group("build", "graphs built, differentiated, imported, extended", "sessions", **TENSORFLOW),
    Group("elementwise", "ops that go through elements", "ops", window=0.04),
    Group("reduction", "sums, means, maxima", "ops", window=0.04),
    Group("transpose", "ops that move elements", "ops", window=0.04),
    Group("gather", "ops that pick elements", "ops", window=0.04),
    Group("matmul", "products of the shapes of BERT, ResNet, MobileNet", "shapes", window=0.04),
    Group("conv", "convolutions of the shapes of ResNet and MobileNet", "shapes", window=0.04),
    Group("train", "training steps", "models", mean=0.7, window=0.1),
    Group("infer", "inference at batch 1 and 8", "models", window=0.1),
    Group("eager", "ops and models in eager execution", "eager", mean=0.6, window=0.1, eager=True),
    Group("pipelines", "input pipelines, an epoch each", "pipelines", wanted=1 / 1.5, **TENSORFLOW),
    Group("checkpoints", "models saved and restored, beside the file system itself", "files",
          frameworks=("rill", "tensorflow", "torch", "files")),
    Group("import", "the time of the import", "start", mean=0.1, rivals=("tensorflow",), fresh=True),
    Group("memory", "resident memory", "start", mean=0.6, rivals=("tensorflow",), unit="MiB", fresh=True,
          rounds=2),
    Group("size", "installed files", "start", rivals=("tensorflow",), unit="MB", fresh=True, rounds=1),
    # Only when they are asked for.
    Group("ops", "all single ops", "ops", window=0.04, by_default=False),
    Group("sweep", "hundreds of ops, of many types and shapes", "sweep", window=0.04, by_default=False, **TENSORFLOW),
    Group("files", "records, events and the memory that saving takes", "files", wanted=1 / 1.5,
          frameworks=("rill", "tensorflow", "files"), rivals=("tensorflow",), by_default=False),
    Group("estimators", "predictions and training", "estimators", by_default=False, **TENSORFLOW),
]


def group_named(name):
    return next((group for group in GROUPS if group.name == name), None)
