"""tf.gfile: files and directories wherever they are."""

from rill import _files, _rill, _surface
from rill._files import FastGFile, GFile, path_of

Open = GFile


def Exists(filename):
    """Whether there is a file or directory."""
    return _rill.file_exists(path_of(filename))


def IsDirectory(dirname):
    """Whether there is a directory."""
    return _rill.is_directory(path_of(dirname))


def Remove(filename):
    """Removes a file."""
    _rill.remove_file(path_of(filename))


def MkDir(dirname):
    """Makes a directory, whose parent must be there."""
    _rill.make_directory(path_of(dirname))


def MakeDirs(dirname):
    """Makes a directory and its parents."""
    _rill.make_directories(path_of(dirname))


def DeleteRecursively(dirname):
    """Removes a directory and all below it."""
    _rill.remove_tree(path_of(dirname))


def Copy(oldpath, newpath, overwrite=False):
    """Copies a file."""
    _rill.copy_file(path_of(oldpath), path_of(newpath), overwrite)


def Rename(oldname, newname, overwrite=False):
    """Gives a file another name."""
    _rill.rename_file(path_of(oldname), path_of(newname), overwrite)


def Glob(filename):
    """The files that match a pattern, or one of several."""
    return _files.glob(filename)


def ListDirectory(dirname):
    """The names in a directory."""
    return _rill.list_directory(path_of(dirname))


def Walk(top, in_order=True):
    """(directory, its directories, its files) of a directory and all below it."""
    return _files.walk(top, in_order)


def Stat(filename):
    """Length, time of the last change, and whether it is a directory."""
    return _rill.file_statistics(path_of(filename))


__getattr__, __dir__ = _surface.members_of(__name__)
