"""What the sources of the repository include: read once, asked by check_layers.py and check_readmes.py."""
import collections
import pathlib
import re

SUFFIXES = (".h", ".cc", ".cu", ".cuh", ".inc")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]', re.MULTILINE)
# Cases, fuzz targets, benchmarks and tests run whole graphs; they are no part of the library.
UNBOUND = re.compile(r"(\.cases|_fuzz|_bench)\.cc$")
TEST = re.compile(r"(_test\.cc|_testing\.h|_testing\.cc)$")


class IncludeGraph:
    """The files below rill/, python/src/ and include/, by their path from the root."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.written = {}  # path to what its #include lines say
        for top in ("rill", "python/src", "include"):
            for path in sorted((self.root / top).rglob("*")):
                if path.suffix in SUFFIXES and path.is_file():
                    text = path.read_text(errors="replace")
                    self.written[path.relative_to(self.root).as_posix()] = INCLUDE.findall(text)
        self.includes = {path: [self.resolve(path, name) for name in names]
                         for path, names in self.written.items()}

    def resolve(self, path, name):
        """The file of the repository that `name` stands for in `path`; `name` itself for others."""
        beside = (pathlib.PurePosixPath(path).parent / name).as_posix()
        for candidate in (name, beside, f"include/{name}", f"python/src/{name}"):
            if candidate in self.written:
                return candidate
        if name.endswith(".pb.h"):
            proto = f"rill/proto/{name[:-len('.pb.h')]}.proto"
            if (self.root / proto).is_file():
                return proto
        return name

    def chain(self, start, is_wanted):
        """The shortest way from `start` through headers to what is wanted, or None."""
        came_from = {start: None}
        queue = collections.deque([start])
        while queue:
            path = queue.popleft()
            for included in self.includes.get(path, ()):
                if included in came_from:
                    continue
                came_from[included] = path
                if is_wanted(included):
                    way = [included]
                    while came_from[way[-1]] is not None:
                        way.append(came_from[way[-1]])
                    return way[::-1]
                queue.append(included)
        return None


def is_library(path):
    """Whether a file is part of the library, rather than a test or a measurement of it."""
    name = path.rsplit("/", 1)[-1]
    return path.startswith("rill/") and not UNBOUND.search(name) and not TEST.search(name)


def folder_of(path):
    return path.rsplit("/", 1)[0] if "/" in path else ""


def strongly_connected(edges):
    """Tarjan's algorithm: the components of more than one node of a graph {node: {node, ...}}."""
    index, low, stack, components = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(edges.get(node, ())):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            at = stack.index(node)
            if len(stack) - at > 1:
                components.append(sorted(stack[at:]))
            del stack[at:]

    for node in sorted(edges):
        if node not in index:
            visit(node)
    return components
