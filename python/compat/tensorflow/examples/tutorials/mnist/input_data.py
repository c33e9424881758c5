"""The digits, read from files."""

from rill.contrib._mnist import DataSet, Datasets, dense_to_one_hot, read_data_sets

__all__ = ["DataSet", "Datasets", "dense_to_one_hot", "read_data_sets"]
