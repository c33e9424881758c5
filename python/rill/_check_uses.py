"""The names of TensorFlow that a program's text uses."""

import ast
import dataclasses

_ROOTS = ("tensorflow.compat.v1", "tensorflow")
_NOT_PUBLIC = ("python", "contrib", "core", "examples")


@dataclasses.dataclass(frozen=True)
class Use:
    """A name of TensorFlow at a place of a program, and the keywords it is called with."""

    path: str  # "tf.nn.relu", or "tensorflow.python.ops.math_ops.add"
    line: int
    keywords: tuple = ()


def _public(path):
    """tensorflow.nn.relu is tf.nn.relu; what lies in packages that are not public keeps its name."""
    for root in _ROOTS:
        if path == root or path.startswith(root + "."):
            rest = path[len(root):]
            if rest[1:].partition(".")[0] in _NOT_PUBLIC:
                return "tensorflow" + rest
            return "tf" + rest
    return path


class _Reader(ast.NodeVisitor):
    """Collects the uses in a module's text."""

    def __init__(self):
        self.names = {}  # what the program's names stand for
        self.uses = []

    def visit_Import(self, node):
        for item in node.names:
            if item.name.partition(".")[0] != "tensorflow":
                continue
            if item.asname:
                self.names[item.asname] = item.name
            else:
                self.names["tensorflow"] = "tensorflow"
            if "." in item.name:
                self.uses.append(Use(_public(item.name), node.lineno))

    def visit_ImportFrom(self, node):
        if node.level or (node.module or "").partition(".")[0] != "tensorflow":
            return
        for item in node.names:
            path = f"{node.module}.{item.name}"
            if item.name != "*":
                self.names[item.asname or item.name] = path
                self.uses.append(Use(_public(path), node.lineno))

    def path_of(self, node):
        """The dotted path of an expression, or None."""
        if isinstance(node, ast.Name):
            return self.names.get(node.id)
        if isinstance(node, ast.Attribute):
            owner = self.path_of(node.value)
            return None if owner is None else f"{owner}.{node.attr}"
        return None

    def _forget(self, target):
        """From now on these names are the program's own."""
        for part in ast.walk(target):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                self.names.pop(part.id, None)

    def visit_Assign(self, node):
        path = self.path_of(node.value)
        self.visit(node.value)
        for target in node.targets:
            if isinstance(target, ast.Name) and path is not None:
                self.names[target.id] = path
            else:
                self.visit(target)
                self._forget(target)

    def visit_For(self, node):
        self.visit(node.iter)
        self._forget(node.target)
        for child in (*node.body, *node.orelse):
            self.visit(child)

    def visit_withitem(self, node):
        self.visit(node.context_expr)
        if node.optional_vars is not None:
            self._forget(node.optional_vars)

    def _visit_function(self, node):
        """Parameters hide names of the module; what a function assigns is its own."""
        arguments = node.args
        for child in (*getattr(node, "decorator_list", ()), *arguments.defaults, *filter(None, arguments.kw_defaults)):
            self.visit(child)
        outside = dict(self.names)
        every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg)
        for argument in filter(None, every):
            self.names.pop(argument.arg, None)
        for child in node.body if isinstance(node.body, list) else [node.body]:
            self.visit(child)
        self.names = outside

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = _visit_function

    def visit_Call(self, node):
        path = self.path_of(node.func)
        if path is None:
            self.generic_visit(node)
            return
        keywords = tuple(keyword.arg for keyword in node.keywords if keyword.arg)
        self.uses.append(Use(_public(path), node.lineno, keywords))
        for child in (*node.args, *node.keywords):
            self.visit(child)

    def visit_Attribute(self, node):
        path = self.path_of(node)
        if path is None:
            self.generic_visit(node)
        else:
            self.uses.append(Use(_public(path), node.lineno))


def uses_in(text, file="<program>"):
    """All uses in the order of their lines."""
    reader = _Reader()
    reader.visit(ast.parse(text, file))
    return sorted(reader.uses, key=lambda use: (use.line, use.path))
