"""Finds in the text of a program what TensorFlow's 1.0 changed, as replacements of parts of the text."""

import ast
import dataclasses

from rill import _upgrade_rules as rules


@dataclasses.dataclass(frozen=True)
class Edit:
    """A part of the text, by its place, and what stands there instead."""

    begin: int
    end: int
    text: str
    line: int
    what: str


def _is_list(node):
    """Whether an expression makes a list or a tensor: no number can be meant."""
    return isinstance(node, (ast.List, ast.Tuple, ast.ListComp, ast.Call, ast.Subscript))


def _is_axis(node):
    """Whether an expression is a number, or has the name of one."""
    if isinstance(node, (ast.Constant, ast.UnaryOp)):
        return True
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    return any(word in name.lower() for word in ("axis", "dim"))


class _Finder(ast.NodeVisitor):

    def __init__(self, text):
        self.text = text
        self.edits, self.remarks = [], []
        self.names = {}  # what the program's names stand for, below tf: "" is tf itself
        self._starts = [0]
        for line in text.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line.encode()))
        self._bytes = text.encode()

    # --- places

    def _begin(self, node):
        return self._starts[node.lineno - 1] + node.col_offset

    def _end(self, node):
        return self._starts[node.end_lineno - 1] + node.end_col_offset

    def _source(self, node):
        return self._bytes[self._begin(node):self._end(node)].decode()

    def _replace(self, begin, end, text, node, what):
        self.edits.append(Edit(begin, end, text, node.lineno, what))

    # --- names

    def visit_Import(self, node):
        for item in node.names:
            if item.name == "tensorflow":
                self.names[item.asname or "tensorflow"] = ""

    def visit_ImportFrom(self, node):
        if node.module == "tensorflow":
            for item in node.names:
                self.names[item.asname or item.name] = item.name
                self._rename_imported(item)
        elif (node.module or "").startswith("tensorflow.python.ops") or node.module == "tensorflow.models.rnn":
            self.remarks.append((node.lineno, f"{node.module} is private and may have changed"))

    def _rename_imported(self, item):
        new = rules.new_name(item.name)
        if new is not None and "." in new:
            self.remarks.append((item.lineno, f"tf.{item.name} is tf.{new} since 1.0"))
        elif new is not None:
            self._replace(self._begin(item), self._end(item), f"{new} as {item.asname or item.name}", item,
                          f"tf.{item.name} is tf.{new}")

    def _path(self, node):
        if isinstance(node, ast.Name):
            return self.names.get(node.id)
        if isinstance(node, ast.Attribute):
            owner = self._path(node.value)
            return None if owner is None else f"{owner}.{node.attr}".lstrip(".")
        return None

    def _root(self, node):
        while isinstance(node, ast.Attribute):
            node = node.value
        return node.id

    def visit_Attribute(self, node):
        path = self._path(node)
        if path is None:
            return self.generic_visit(node)
        self._rename(node, path)
        self._remark(node, path)
        return None

    def _rename(self, node, path):
        new = rules.new_name(path)
        root = self._root(node)
        if new is not None and self.names.get(root) == "":
            self._replace(self._begin(node), self._end(node), f"{root}.{new}", node, f"tf.{path} is tf.{new}")

    def _remark(self, node, path):
        for known, words in rules.REMARKS.items():
            if path == known or path.startswith(known + "."):
                self.remarks.append((node.lineno, words))

    # --- calls

    def visit_Call(self, node):
        path = self._path(node.func)
        if path is not None:
            self._name_arguments(node, path)
            self._rename_keywords(node, path)
        for keyword in node.keywords:
            self._make_first(keyword)
        self.generic_visit(node)

    def _is_new_form(self, node, path):
        """Whether the first argument of tf.concat is no axis, so that the call is of 1.x already."""
        if path not in rules.AXIS_FIRST:
            return False
        if not node.args or _is_list(node.args[0]):
            return True
        if _is_axis(node.args[0]):
            return False
        last = node.args[1 if path.endswith("concat") else 2:][:1]
        if not last or _is_axis(last[0]):
            return True
        if not _is_list(last[0]):
            self.remarks.append((node.lineno, f"tf.{path} takes its axis behind the values now; nobody can tell what "
                                 "is what here"))
            return True
        return False

    def _name_arguments(self, node, path):
        order = rules.ORDERS.get(path)
        if order is None or self._is_new_form(node, path):
            return
        if any(isinstance(argument, ast.Starred) for argument in node.args):
            self.remarks.append((node.lineno, f"the arguments of tf.{path} are in another order now"))
            return
        given = {keyword.arg for keyword in node.keywords}
        for name, argument in zip(order, node.args):
            if name in given:
                continue
            new = rules.KEYWORDS.get(path, {}).get(name, name)
            if new is None:
                continue
            begin = self._begin(argument)
            begin = self._before_brackets(begin, node)
            self._replace(begin, begin, f"{new}=", argument, f"tf.{path} takes its arguments in another order")

    def _before_brackets(self, begin, call):
        """An expression in brackets begins with them."""
        first = self._end(call.func)
        while begin - 1 > first and self._bytes[begin - 1:begin] == b"(":
            begin -= 1
        return begin

    def _rename_keywords(self, node, path):
        renamed = rules.KEYWORDS.get(path, {})
        for keyword in node.keywords:
            new = renamed.get(keyword.arg)
            if new is not None:
                begin = self._begin(keyword)
                self._replace(begin, begin + len(keyword.arg), new, keyword, f"{keyword.arg} is {new}")

    def _make_first(self, keyword):
        path = self._path(keyword.value)
        if keyword.arg and keyword.arg.endswith("initializer") and path in rules.MADE_FIRST:
            end = self._end(keyword.value)
            self._replace(end, end, "()", keyword, f"tf.{path} is a class")


def find(text):
    """The edits of a program's text, without those inside of others, and remarks as (line, words)."""
    finder = _Finder(text)
    finder.visit(ast.parse(text))
    return finder.edits, sorted(set(finder.remarks))


def apply(text, edits):
    """The text with its parts replaced."""
    bytes_ = text.encode()
    for edit in sorted(set(edits), key=lambda edit: (edit.begin, edit.end), reverse=True):
        bytes_ = bytes_[:edit.begin] + edit.text.encode() + bytes_[edit.end:]
    return bytes_.decode()
