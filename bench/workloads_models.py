"""Models: groups train and infer."""
import importlib

from model_graphs import ASKED, TRAINED
from workloads import Workload

BATCHES = (1, 8)


LOWERED = ("resnet50", "bert_base")  # once more with products in bfloat16


def graph_step(build, lowered=False):
    def make(tf, setting):
        config = setting.config(tf)
        if lowered:
            config.graph_options.rewrite_options.auto_mixed_precision_onednn_bfloat16 = 1  # on
        with tf.Graph().as_default():
            fetches, feeds = build(tf)
            session = tf.Session(config=config)
            session.run(tf.global_variables_initializer())
            run = session.make_callable(fetches, list(feeds))
        return lambda: run(*feeds.values())
    return make


def torch_step(table, name, *arguments):
    """PyTorch's models are found when PyTorch is there."""
    return lambda torch, setting: getattr(importlib.import_module("model_torch"), table)[name](*arguments)


def lowered_torch_step(*arguments):
    def make(torch, setting):
        step = torch_step(*arguments)(torch, setting)

        def lowered():
            with torch.autocast("cpu", torch.bfloat16):
                return step()
        return lowered
    return make


def asked(name, build, batch):
    return Workload(f"{name}_batch_{batch}", graph_step(lambda tf: build(tf, batch)), torch_step("ASKED", name, batch))


def asked_lowered(name, batch):
    return Workload(f"{name}_batch_{batch}_bfloat16", graph_step(lambda tf: ASKED[name](tf, batch), True),
                    lowered_torch_step("ASKED", name, batch))


def workloads(group):
    if group == "train":
        return [Workload(name, graph_step(build), torch_step("TRAINED", name)) for name, build in TRAINED.items()]
    return [*(asked(name, build, batch) for name, build in ASKED.items() for batch in BATCHES),
            *(asked_lowered(name, batch) for name in LOWERED for batch in BATCHES)]
