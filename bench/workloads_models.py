"""Models: groups train and infer."""
import importlib

from model_graphs import ASKED, TRAINED
from workloads import Workload

BATCHES = (1, 8)


def graph_step(build):
    def make(tf, setting):
        with tf.Graph().as_default():
            fetches, feeds = build(tf)
            session = tf.Session(config=setting.config(tf))
            session.run(tf.global_variables_initializer())
            run = session.make_callable(fetches, list(feeds))
        return lambda: run(*feeds.values())
    return make


def torch_step(table, name, *arguments):
    """PyTorch's models are found when PyTorch is there."""
    return lambda torch, setting: getattr(importlib.import_module("model_torch"), table)[name](*arguments)


def asked(name, build, batch):
    return Workload(f"{name}_batch_{batch}", graph_step(lambda tf: build(tf, batch)), torch_step("ASKED", name, batch))


def workloads(group):
    if group == "train":
        return [Workload(name, graph_step(build), torch_step("TRAINED", name)) for name, build in TRAINED.items()]
    return [asked(name, build, batch) for name, build in ASKED.items() for batch in BATCHES]
