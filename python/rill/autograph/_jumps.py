"""Takes break, continue and early return out of a function: flags say what is left to do."""

import ast

from rill.autograph._trees import assign, constant, located, not_any, statement

DO_RETURN, RETURNED = "do_return_", "retval_"


def _returns_early(statements):
    """Whether there is a return but as the last statement."""
    inner = statements[:-1] if statements and isinstance(statements[-1], ast.Return) else statements
    return any(isinstance(node, ast.Return) for item in inner for node in _own_or_none(item))


def _own(node):
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _own_or_none(child)


def _own_or_none(node):
    """The nodes of a statement; nothing of a function or class in it."""
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
        yield from _own(node)


def _always_returns(statements):
    if not statements:
        return False
    last = statements[-1]
    if isinstance(last, ast.If):
        return _always_returns(last.body) and _always_returns(last.orelse)
    return isinstance(last, (ast.Return, ast.Raise))


def _nested_returns(statements):
    """What follows a branch that returns is moved into the other branch."""
    made = []
    for i, item in enumerate(statements):
        if isinstance(item, ast.If):
            rest = statements[i + 1:]
            item.body, item.orelse = _nested_returns(item.body), _nested_returns(item.orelse)
            ends, others_end = _always_returns(item.body), _always_returns(item.orelse)
            if rest and (ends or others_end):
                if not ends:
                    item.body = _nested_returns([*item.body, *rest])
                elif not others_end:
                    item.orelse = _nested_returns([*item.orelse, *rest])
                return [*made, item]
        made.append(item)
    return made


class _Loop:
    def __init__(self, break_flag, continue_flag):
        self.break_flag, self.continue_flag = break_flag, continue_flag


class Lowering:
    """Of one function; visit() gives the new body."""

    def __init__(self):
        self._loops, self._count = [], 0
        self._lowers_returns = False

    def visit(self, statements):
        """The statements without jumps."""
        statements = _nested_returns(statements)
        self._lowers_returns = _returns_early(statements)
        made, _ = self._block(statements)
        if not self._lowers_returns:
            return made
        first = statements[0]
        start = [assign(DO_RETURN, constant(False), first),
                 assign(RETURNED, statement("ag__.NO_VALUE_RETURNED", first).value, first)]
        end = statement(f"return ag__.returned({RETURNED})", statements[-1])
        return [*start, *made, end]

    def _block(self, statements):
        made, flags = [], set()
        for i, item in enumerate(statements):
            new, set_here = self._statement(item)
            made += new
            flags |= set_here
            rest = statements[i + 1:]
            if set_here and rest:
                if set_here == {None}:  # nothing after this runs
                    return made, flags - {None}
                body, more = self._block(rest)
                guard = located(ast.If(not_any(sorted(set_here - {None})), body, []), rest[0])
                return [*made, guard], (flags | more) - {None}
        return made, flags - {None}

    def _statement(self, node):
        visit = getattr(self, "_" + type(node).__name__, None)
        return ([node], set()) if visit is None else visit(node)

    def _Break(self, node):
        return [assign(self._loops[-1].break_flag, constant(True), node)], {self._loops[-1].break_flag}

    def _Continue(self, node):
        return [assign(self._loops[-1].continue_flag, constant(True), node)], {self._loops[-1].continue_flag}

    def _Return(self, node):
        if not self._lowers_returns:
            return [node], set()
        value = constant(None) if node.value is None else node.value
        return [assign(DO_RETURN, constant(True), node), assign(RETURNED, value, node)], {DO_RETURN}

    def _If(self, node):
        node.body, ours = self._block(node.body)
        node.orelse, theirs = self._block(node.orelse)
        return [node], ours | theirs

    def _With(self, node):
        node.body, flags = self._block(node.body)
        return [node], flags

    def _Try(self, node):
        flags = set()
        for part in (node, *node.handlers):
            part.body, more = self._block(part.body)
            flags |= more
        node.orelse, more = self._block(node.orelse)
        node.finalbody, last = self._block(node.finalbody)
        return [node], flags | more | last

    _TryStar = _Try

    def _Match(self, node):
        flags = set()
        for case in node.cases:
            case.body, more = self._block(case.body)
            flags |= more
        return [node], flags

    def _loop(self, node):
        self._count += 1
        loop = _Loop(f"break_{self._count}_", f"continue_{self._count}_")
        self._loops.append(loop)
        body, flags = self._block(node.body)
        self._loops.pop()
        before, after = [], []
        if loop.continue_flag in flags:
            body.insert(0, assign(loop.continue_flag, constant(False), node))
        stops = sorted(flags - {loop.continue_flag})
        if loop.break_flag in flags:
            before.append(assign(loop.break_flag, constant(False), node))
        node.body, orelse, node.orelse = body, node.orelse, []
        outer, more = self._block(orelse)
        if outer:
            after = [located(ast.If(not_any(stops), outer, []), outer[0])] if stops else outer
        return [*before, node, *after], stops, (flags - {loop.continue_flag, loop.break_flag}) | more

    def _While(self, node):
        made, stops, flags = self._loop(node)
        if stops:
            node.test = located(ast.BoolOp(ast.And(), [not_any(stops), node.test]), node.test)
        return made, flags

    def _For(self, node):
        made, stops, flags = self._loop(node)
        node.extra_test = not_any(stops) if stops else None
        return made, flags


