"""Checks that objects compiled for AVX share no function with the rest of the library.

usage: check_avx_symbols.py BUILD_FOLDER

The linker keeps one copy of a function that several objects define. If that one was compiled for AVX, a
machine without it would meet instructions it does not know. So every function that such an object
shares must either carry AVX in its name or contain no instruction of it.
"""
import pathlib
import re
import subprocess
import sys

OWN = re.compile(r"rill_eigen_avx|rill::Avx")
FUNCTION = re.compile(r"^[0-9a-f]+ <(.*)>:$")
AVX = re.compile(r"^\s+[0-9a-f]+:\s+v[a-z0-9]+\s")


def shared_functions(path):
    """Those that the linker may take from any object."""
    lines = subprocess.run(["nm", "--demangle", path], check=True, text=True,
                           stdout=subprocess.PIPE).stdout.splitlines()
    return {line[19:] for line in lines if line[17:18] in "TWVu" and line[17:18] != " "}


def functions_with_avx(path):
    command = ["objdump", "--disassemble", "--demangle", "--no-show-raw-insn", path]
    with subprocess.Popen(command, text=True, stdout=subprocess.PIPE) as process:
        name, found = "", set()
        for line in process.stdout:
            if match := FUNCTION.match(line):
                name = match[1]
            elif AVX.match(line):
                found.add(name)
    return found


def main():
    objects = sorted(pathlib.Path(sys.argv[1]).rglob("eigen_*_avx.cc.o"))
    if not objects:
        raise SystemExit(f"no objects for AVX are below {sys.argv[1]}")
    wrong = [f"{path.name}: {name}" for path in objects
             for name in sorted(shared_functions(path) & functions_with_avx(path)) if not OWN.search(name)]
    if wrong:
        raise SystemExit("functions that other objects may get contain AVX:\n" + "\n".join(wrong))
    print(f"{len(objects)} objects for AVX share none of it")


if __name__ == "__main__":
    main()
