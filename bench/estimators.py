"""Compares estimators with TensorFlow's: a prediction for one example, a step of training.

usage: estimators.py [FILTER] [--rounds N] [--threads N] [--json FILE]

The cases are in estimator_worker.py. A row is marked unless Rill is 50 times as fast (predictions) or twice (training).
"""
from beside_tensorflow import compare
from run import ROOT

WANTED = {"predict": 50, "train": 2}

if __name__ == "__main__":
    compare("estimators", ROOT / "bench" / "estimator_worker.py", lambda name: WANTED[name.partition("_")[0]])
