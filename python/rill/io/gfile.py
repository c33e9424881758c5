"""tf.io.gfile: tf.gfile under the names of later versions."""

from rill import _files, _surface, gfile
from rill._files import GFile


def exists(path):
    """Whether there is a file or directory."""
    return gfile.Exists(path)


def isdir(path):
    """Whether there is a directory."""
    return gfile.IsDirectory(path)


def remove(path):
    """Removes a file."""
    gfile.Remove(path)


def mkdir(path):
    """Makes a directory, whose parent must be there."""
    gfile.MkDir(path)


def makedirs(path):
    """Makes a directory and its parents."""
    gfile.MakeDirs(path)


def rmtree(path):
    """Removes a directory and all below it."""
    gfile.DeleteRecursively(path)


def copy(src, dst, overwrite=False):
    """Copies a file."""
    gfile.Copy(src, dst, overwrite)


def rename(src, dst, overwrite=False):
    """Gives a file another name."""
    gfile.Rename(src, dst, overwrite)


def glob(pattern):
    """The files that match a pattern, or one of several."""
    return _files.glob(pattern)


def listdir(path):
    """The names in a directory."""
    return gfile.ListDirectory(path)


def walk(top, topdown=True, onerror=None):
    """(directory, its directories, its files) of a directory and all below it."""
    return _files.walk(top, topdown, onerror)


def stat(path):
    """Length, time of the last change, and whether it is a directory."""
    return gfile.Stat(path)


__getattr__, __dir__ = _surface.members_of(__name__)
