"""Files beside the program that asks for them."""

import os as _os
import sys as _sys


def _folder_of_caller(depth):
    return _os.path.dirname(_os.path.abspath(_sys._getframe(depth + 1).f_code.co_filename))


def get_data_files_path():
    """The folder of the file that calls this."""
    return _folder_of_caller(1)


def get_path_to_datafile(path):
    """`path` beside the file that calls this."""
    return _os.path.join(_folder_of_caller(1), path)


def get_root_dir_with_all_resources():
    """The folder of the file that calls this."""
    return _folder_of_caller(1)


def load_resource(path):
    """The bytes of the file at `path` beside the file that calls this."""
    with open(_os.path.join(_folder_of_caller(1), path), "rb") as file:
        return file.read()


def readahead_file_path(path, readahead="128M"):
    """`path`: there is nothing to read ahead."""
    return path
