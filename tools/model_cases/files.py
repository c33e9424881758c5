"""Calls of tf.gfile, tf.io.gfile and their like: what is read is what the calls return."""
import os
import tempfile

import tensorflow.compat.v1 as tf

old, new = tf.gfile, tf.io.gfile


class Calls:
    """Calls functions below a root and remembers what they gave, or the class of what they raised."""

    def __init__(self, root):
        self.root, self.results = root, []

    def path(self, name):
        return os.path.join(self.root, name) if name else self.root

    def __call__(self, function, *arguments, **options):
        try:
            result = function(*arguments, **options)
        except Exception as error:
            self.results.append(type(error).__name__)
            return None
        self.results.append(self.plain(result))
        return result

    def plain(self, value):
        if isinstance(value, (str, bytes)):
            return repr(value.replace(self.root, "ROOT") if isinstance(value, str) else value)
        if isinstance(value, (list, tuple)):
            return [self.plain(item) for item in value]
        return value if value is None or isinstance(value, (bool, int)) else type(value).__name__

    def write(self, name, text, mode="w"):
        with old.GFile(self.path(name), mode) as file:
            file.write(text)

    def tree(self, names):
        for name in names:
            if os.path.dirname(name):
                new.makedirs(self.path(os.path.dirname(name)))
            if not name.endswith("/"):
                self.write(name, name)


def modes(calls):
    for mode in ("r", "w", "a", "r+", "w+", "a+", "rb", "wb", "ab", "rb+", "x", "rw", ""):
        calls.write("there", "one\ntwo\n")
        for name in ("there", "missing" + mode):
            file = calls(old.GFile, calls.path(name), mode)
            if file is None:
                continue
            calls(lambda: [file.mode, file.name])
            calls(file.write, "new\n")
            calls(file.flush)
            calls(file.tell)
            calls(file.read, 3)
            calls(file.tell)
            calls(file.size)
            calls(file.close)
        calls(lambda: old.GFile(calls.path("there")).read())


def reading(calls):
    calls.write("a", "one\ntwo\n\nfour")
    for mode in ("r", "rb"):
        file = old.GFile(calls.path("a"), mode)
        for count in (2, 0, 100, 1, -1):
            calls(file.read, count)
        for offset, whence in ((0, 0), (4, 0), (1, 1), (-2, 1), (-4, 2), (0, 2), (100, 0), (-1, 0), (0, 3), (-100, 2)):
            calls(file.seek, offset, whence)
            calls(file.tell)
            calls(file.read, 3)
        calls(file.seek, 0)
        calls(file.readline)
        calls(file.tell)
        calls(file.readlines)
        calls(file.readline)
        calls(file.seek, position=4)
        calls(lambda: list(file))
        calls(next, file)
        calls(file.seek)
        calls(file.seek, offset=1, position=1)
        calls(file.seekable)
        calls(file.close)
        calls(file.close)
        calls(file.read)
    calls(lambda: old.Open(calls.path("none")).read())
    calls(lambda: old.FastGFile(calls.path("a")).readlines())
    calls(lambda: old.GFile(calls.path("a")).size())
    calls(lambda: old.GFile(calls.path("none")).size())


def texts(calls):
    calls.write("grün", "grün\nß")
    for mode in ("r", "rb"):
        calls(lambda: old.GFile(calls.path("grün"), mode).read())
        calls(lambda: old.GFile(calls.path("grün"), mode).readlines())
    calls(lambda: old.GFile(calls.path("grün")).read(2))
    calls.write("bytes", b"\xff\xfe", "wb")
    calls(lambda: old.GFile(calls.path("bytes"), "rb").read())
    calls(lambda: old.GFile(calls.path("bytes")).read())
    calls.write("mixed", "text", "wb")
    calls.write("mixed", b"bytes", "a")
    calls(lambda: old.GFile(calls.path("mixed")).read())
    calls.write("lines", "a\r\nb\x00c\n")
    calls(lambda: old.GFile(calls.path("lines")).readlines())


def copying(calls):
    calls.tree(["a", "folder/b", "empty/"])
    for source, target, options in (("a", "c", {}), ("a", "c", {}), ("a", "c", {"overwrite": True}),
                                    ("none", "d", {}), ("a", "folder/none/x", {})):
        calls(old.Copy, calls.path(source), calls.path(target), **options)
        calls(old.Exists, calls.path(target))
    calls(new.copy, calls.path("folder/b"), calls.path("c"), True)
    calls(lambda: old.GFile(calls.path("c")).read())


def renaming(calls):
    calls.tree(["a", "b", "folder/c", "other/d"])
    for source, target, options in (("a", "x", {}), ("b", "x", {}), ("b", "x", {"overwrite": True}), ("none", "y", {}),
                                    ("folder", "moved", {}), ("x", "moved/x", {})):
        calls(old.Rename, calls.path(source), calls.path(target), **options)
        calls(old.Exists, calls.path(source))
        calls(old.Exists, calls.path(target))
    calls(lambda: old.GFile(calls.path("moved/x")).read())
    calls(lambda: old.GFile(calls.path("moved/c")).read())


def folders(calls):
    calls.tree(["a", "folder/b", "deep/er/c"])
    for function, name in ((old.MkDir, "new"), (old.MkDir, "new"), (old.MkDir, "no/parent"), (old.MakeDirs, "x/y/z"),
                           (old.MakeDirs, "x/y/z"), (old.MakeDirs, "a"), (old.IsDirectory, "new"),
                           (old.IsDirectory, "a"), (old.IsDirectory, "none"), (old.Exists, "x/y"), (old.Exists, "none"),
                           (old.Remove, "none"), (old.DeleteRecursively, "none"), (old.DeleteRecursively, "deep"),
                           (old.Exists, "deep/er/c"), (new.rmtree, "x"), (new.isdir, "x"), (new.mkdir, "again"),
                           (new.exists, "again"), (new.remove, "a"), (new.exists, "a")):
        calls(function, calls.path(name))
    calls(lambda: sorted(old.ListDirectory(calls.path(""))))
    calls(lambda: sorted(new.listdir(calls.path("folder/"))))
    calls(old.ListDirectory, calls.path("none"))


def matching(calls):
    calls.tree(["a.txt", "b.txt", "ab.log", "one/a.txt", "one/two/b.txt", "x[1]", "hidden/.dot", "star*"])
    for pattern in ("*.txt", "?.txt", "[ab].txt", "[!a].txt", "[a-c]*", "*/*.txt", "*/*/*", "none*", "a.txt", "one/",
                    "one", "*", "hidden/*", "x\\[1\\]", "one/*", "**", "{a,b}.txt"):
        calls(lambda: sorted(old.Glob(calls.path(pattern))))
    calls(lambda: sorted(new.glob([calls.path("*.txt"), calls.path("none"), calls.path("*.log")])))


def walking(calls):
    calls.tree(["a", "one/b", "one/two/c", "three/"])
    for options in ({}, {"in_order": False}):
        calls(lambda: sorted([top, sorted(folders), sorted(files)]
                             for top, folders, files in old.Walk(calls.path(""), **options)))
    calls(lambda: [os.path.basename(top) for top, _, _ in new.walk(calls.path("one"), topdown=False)])


def facts(calls):
    calls.tree(["a", "folder/b"])
    for name in ("a", "folder", "none"):
        calls(lambda: [old.Stat(calls.path(name)).length > 0, old.Stat(calls.path(name)).is_directory])
        calls(lambda: new.stat(calls.path(name)).mtime_nsec > 10 ** 18)
    calls(lambda: new.stat(calls.path("a")).length)


def module_functions(calls):
    """Those that programs reach by TensorFlow's own path."""
    from tensorflow.python.lib.io import file_io
    calls(file_io.write_string_to_file, calls.path("a"), "text")
    calls(file_io.read_file_to_string, calls.path("a"))
    calls(file_io.read_file_to_string, calls.path("a"), True)
    calls(file_io.atomic_write_string_to_file, calls.path("a"), "other")
    calls(file_io.atomic_write_string_to_file, calls.path("a"), "third", overwrite=False)
    calls(file_io.read_file_to_string, calls.path("a"))
    calls(file_io.recursive_create_dir, calls.path("x/y"))
    calls(file_io.create_dir, calls.path("z"))
    calls(file_io.file_exists, calls.path("z"))
    calls(file_io.copy, calls.path("a"), calls.path("b"))
    calls(file_io.filecmp, calls.path("a"), calls.path("b"))
    calls(file_io.file_crc32, calls.path("a"))
    calls(file_io.rename, calls.path("b"), calls.path("c"))
    calls(lambda: sorted(file_io.list_directory(calls.path(""))))
    calls(lambda: sorted(file_io.get_matching_files(calls.path("*"))))
    calls(lambda: file_io.stat(calls.path("a")).length)
    calls(file_io.is_directory, calls.path("x"))
    calls(file_io.delete_file, calls.path("c"))
    calls(file_io.delete_recursively, calls.path("x"))
    calls(lambda: sorted(top for top, _, _ in file_io.walk(calls.path(""))))
    calls(lambda: file_io.FileIO(calls.path("a"), "rb").read())


PROGRAMS = (modes, reading, texts, copying, renaming, folders, matching, walking, facts, module_functions)
# In memory, files that are opened for writing keep what they held, folders are renamed without what is in them, and
# have no times in TensorFlow 2.15: programs that would notice are left out.
IN_MEMORY = (reading, texts, walking)


def run(name, in_memory=False):
    """The results of a program in a folder on the disk, or in memory."""
    program, = (program for program in PROGRAMS if program.__name__ == name)
    root = f"ram://{name}" if in_memory else tempfile.mkdtemp()
    if in_memory:
        new.makedirs(root)
    calls = Calls(root)
    try:
        program(calls)
    finally:
        new.rmtree(root)
    return calls.results


def _case(name, in_memory):
    return lambda folder: {"kind": "calls", "program": name, "in_memory": in_memory}


for _program in PROGRAMS:
    globals()[f"case_{_program.__name__}"] = _case(_program.__name__, False)
    if _program in IN_MEMORY:
        globals()[f"case_{_program.__name__}_in_memory"] = _case(_program.__name__, True)
