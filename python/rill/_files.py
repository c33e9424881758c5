"""Files and directories wherever they are: what tf.gfile and tf.io.gfile are made of."""

import os

from rill import _rill, errors


def path_of(name):
    """A path as text: str, bytes and os.PathLike will do."""
    return os.fsdecode(name)


class GFile:
    """An open file of any file system."""

    def __init__(self, name, mode="r"):
        self._name, self._mode = name, mode
        self._file = _rill.File(path_of(name), mode)

    @property
    def name(self):
        """The path it was opened with."""
        return self._name

    @property
    def mode(self):
        """The mode it was opened with."""
        return self._mode

    def _value(self, read):
        return read if "b" in self._mode else read.decode("utf-8")

    def size(self):
        """The bytes that the file has."""
        return self._file.size()

    def write(self, file_content):
        """Appends text or bytes."""
        self._file.write(file_content if isinstance(file_content, bytes) else file_content.encode("utf-8"))

    def read(self, n=-1):
        """The next `n` bytes, or all that follow."""
        return self._value(self._file.read(n))

    def seek(self, offset=None, whence=0, position=None):
        """Goes to a place: from the start, from here (1), or from the end (2)."""
        if (offset is None) == (position is None):
            raise TypeError("seek(): offset argument required" if offset is None else
                            "seek(): offset and position may not be set simultaneously.")
        self._file.seek(position if offset is None else offset, whence)

    def readline(self):
        """The next line with its end; empty at the end of the file."""
        return self._value(self._file.readline())

    def readlines(self):
        """All lines that follow."""
        return [self._value(line) for line in self._file.readlines()]

    def tell(self):
        """The place of the next byte."""
        return self._file.tell()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def __iter__(self):
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def next(self):
        """The next line."""
        return next(self)

    def flush(self):
        """Readers of the file find everything written so far."""
        self._file.flush()

    def close(self):
        """Ends reading and writing."""
        self._file.close()

    def seekable(self):
        """True."""
        return True


class FastGFile(GFile):
    """The same: there is no faster one."""


def glob(pattern):
    """The files that match a pattern, or one of several."""
    patterns = [pattern] if isinstance(pattern, (str, bytes, os.PathLike)) else pattern
    return [name for each in patterns for name in _rill.matching_files(path_of(each))]


def walk(top, topdown=True, onerror=None):
    """(directory, its directories, its files) of a directory and all below it."""
    top = path_of(top)
    try:
        directories, files = _rill.walk_directory(top)
    except errors.NotFoundError as error:
        if onerror:
            onerror(error)
        return
    here = (top, directories, files)
    if topdown:
        yield here
    for name in directories:
        yield from walk(os.path.join(top, name), topdown, onerror)
    if not topdown:
        yield here
