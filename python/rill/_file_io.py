"""tensorflow.python.lib.io.file_io: functions of files under their first names."""

import binascii

from rill import _rill, errors, gfile
from rill._files import GFile as FileIO
from rill._files import path_of

copy = gfile.Copy
create_dir = gfile.MkDir
delete_file = gfile.Remove
delete_recursively = gfile.DeleteRecursively
file_exists = gfile.Exists
get_matching_files = gfile.Glob
is_directory = gfile.IsDirectory
list_directory = gfile.ListDirectory
recursive_create_dir = gfile.MakeDirs
rename = gfile.Rename
stat = gfile.Stat
walk = gfile.Walk


def read_file_to_string(filename, binary_mode=False):
    """All of a file."""
    return FileIO(filename, "rb" if binary_mode else "r").read()


def write_string_to_file(filename, file_content):
    """Makes a file of text or bytes."""
    with FileIO(filename, "w") as file:
        file.write(file_content)


def atomic_write_string_to_file(filename, contents, overwrite=True):
    """The same; nobody ever sees half of it."""
    if not overwrite and file_exists(filename):
        raise errors.AlreadyExistsError(None, None, "file already exists")
    _rill.write_whole_file(path_of(filename), contents if isinstance(contents, bytes) else contents.encode("utf-8"))


def has_atomic_move(path):
    """Whether a rename replaces a file in one step; in object stores it is a copy."""
    return _rill.has_atomic_move(path_of(path))


def get_registered_schemes():
    """The schemes that paths may begin with."""
    return _rill.file_system_schemes()


def _blocks(filename, block_size=65536):
    with FileIO(filename, "rb") as file:
        while block := file.read(block_size):
            yield block


def filecmp(filename_a, filename_b):
    """Whether two files hold the same bytes."""
    return stat(filename_a).length == stat(filename_b).length and \
        all(a == b for a, b in zip(_blocks(filename_a), _blocks(filename_b)))


def file_crc32(filename, block_size=65536):
    """The CRC-32 of a file as a number in hexadecimal digits."""
    crc = 0
    for block in _blocks(filename, block_size):
        crc = binascii.crc32(block, crc)
    return hex(crc)
