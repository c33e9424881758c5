"""tf.contrib.learn.datasets: tables of numbers from files; nothing is downloaded."""

import collections
import csv
import sys

import numpy as np

from rill.contrib import _mnist as mnist

Dataset = collections.namedtuple("Dataset", ["data", "target"])
Datasets = collections.namedtuple("Datasets", ["train", "validation", "test"])


def load_csv_with_header(filename, target_dtype, features_dtype, target_column=-1):
    """A table whose first line tells how many examples and features there are."""
    with open(filename, newline="") as file:
        rows = csv.reader(file)
        header = next(rows)
        data = np.zeros((int(header[0]), int(header[1])), dtype=features_dtype)
        target = np.zeros((int(header[0]),), dtype=target_dtype)
        for i, row in enumerate(rows):
            target[i] = np.asarray(row.pop(target_column), dtype=target_dtype)
            data[i] = np.asarray(row, dtype=features_dtype)
    return Dataset(data=data, target=target)


def load_csv_without_header(filename, target_dtype, features_dtype, target_column=-1):
    """A table of nothing but examples."""
    data, target = [], []
    with open(filename, newline="") as file:
        for row in csv.reader(file):
            target.append(row.pop(target_column))
            data.append(np.asarray(row, dtype=features_dtype))
    return Dataset(data=np.array(data), target=np.array(target, dtype=target_dtype))


def load_iris(data_path=None):
    """Irises: the table at `data_path`."""
    return load_csv_with_header(_path(data_path, "iris.csv"), target_dtype=int, features_dtype=float)


def load_boston(data_path=None):
    """Prices of houses: the table at `data_path`."""
    return load_csv_with_header(_path(data_path, "boston_house_prices.csv"), target_dtype=float, features_dtype=float)


def _path(given, name):
    if given is None:
        from rill import errors
        raise errors.NotFoundError(None, None, f"Say where {name} is: data_path. Nothing is downloaded.")
    return given


def load_dataset(name, size="small", test_with_fake_data=False):
    """The dataset of that name: "mnist", whose files are in the directory MNIST-data."""
    if name == "mnist":
        return mnist.load_mnist()
    if name in ("iris", "boston", "dbpedia"):
        raise NotImplementedError(f"Rill has no copy of the dataset {name}.")
    raise ValueError(f"Name of dataset is not found: {name}")


base = sys.modules[__name__]
