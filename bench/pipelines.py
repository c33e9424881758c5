"""Compares input pipelines with TensorFlow's: the time of an epoch, a step taking each batch.

usage: pipelines.py [FILTER] [--rounds N] [--threads N] [--json FILE]

The cases are in pipeline_worker.py. A row is marked unless Rill is 1.5 times as fast.
"""
from beside_tensorflow import compare
from run import ROOT

if __name__ == "__main__":
    compare("pipelines", ROOT / "bench" / "pipeline_worker.py", lambda name: 1.5)
