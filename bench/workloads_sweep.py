"""Hundreds of single ops beside TensorFlow alone, of many types and shapes: what is slow unnoticed shows up here."""
from op_sweep_array import CASES as ARRAY
from op_sweep_math import CASES as MATH
from op_sweep_nn import CASES as NN
from op_sweep_rest import CASES as REST
from workloads_ops import as_workload


def workloads(group):
    return [as_workload(case) for case in (*MATH, *ARRAY, *NN, *REST)]
