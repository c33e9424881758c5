"""Which names statements read and write, and which are live where: read later, before they are written again."""

import ast

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_PATTERNS = ("MatchAs", "MatchStar", "MatchMapping")  # of match statements, which not every Python has
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def dotted(node):
    """"a.b" of an attribute of a name, "a['k']" of an item by a constant; None of all else."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, (ast.Name, ast.Attribute)):
        root = node.value.id if isinstance(node.value, ast.Name) else dotted(node.value)
        return None if root is None else f"{root}.{node.attr}"
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and isinstance(
            node.slice, ast.Constant) and isinstance(node.slice.value, str):
        return f"{node.value.id}[{node.slice.value!r}]"
    return None


def _own_nodes(node):
    """The nodes of a statement but those of functions and classes in it."""
    yield node
    if not isinstance(node, _SCOPES):
        for child in ast.iter_child_nodes(node):
            yield from _own_nodes(child)


def _bound_in_comprehensions(node):
    return {name.id for inner in _own_nodes(node) if isinstance(inner, _COMPREHENSIONS)
            for generator in inner.generators for name in ast.walk(generator.target)
            if isinstance(name, ast.Name)}


def written(statements):
    """The names that statements bind, those in functions in them left out."""
    names = set()
    for statement in statements:
        local = _bound_in_comprehensions(statement)
        for node in _own_nodes(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)) and node.id not in local:
                names.add(node.id)
            elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                names.add(node.name)
            elif type(node).__name__ in _PATTERNS:
                names |= {text for text in (getattr(node, "name", None), getattr(node, "rest", None)) if text}
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                names |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
    return names


def written_parts(statements):
    """The attributes and items, as `dotted` tells them, that statements assign: "self.x"."""
    names = {}
    for statement in statements:
        for node in _own_nodes(statement):
            if isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Store):
                name = dotted(node)
                if name is not None:
                    names[name] = node
    return names


def read(node):
    """The names that are read in a tree, in functions in it too."""
    if node is None:
        return set()
    names = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load)}
    names |= {inner.target.id for inner in ast.walk(node)
              if isinstance(inner, ast.AugAssign) and isinstance(inner.target, ast.Name)}
    return names


def _read_all(nodes):
    return set().union(*(read(node) for node in nodes))


class Liveness:
    """Notes at every branch and loop, as `live_after`, which names are read later; at branches as `live_in` which
    its blocks read, at loops as `live_head` which an iteration or what follows reads."""

    def before(self, statements, after):
        """The names that are live before statements, given those that are live after them."""
        live = set(after)
        for statement in reversed(statements):
            visit = getattr(self, "_" + type(statement).__name__, self._other)
            live = visit(statement, live)
        return live

    def _If(self, node, after):
        node.live_after = after
        node.live_in = self.before(node.body, after) | self.before(node.orelse, after)
        return read(node.test) | node.live_in

    def _loop(self, node, head, reads, bound):
        while True:
            larger = head | reads | (self.before(node.body, head) - bound)
            if larger == head:
                return head
            head = larger

    def _While(self, node, after):
        node.live_after = after
        node.live_head = self._loop(node, set(after), read(node.test), set())
        return node.live_head

    def _For(self, node, after):
        bound = written([ast.Expr(node.target)])
        node.live_after = after
        node.live_head = self._loop(node, set(after), read(getattr(node, "extra_test", None)), bound)
        return node.live_head | read(node.iter)

    def _With(self, node, after):
        bound = {name for item in node.items if item.optional_vars is not None
                 for name in written([ast.Expr(item.optional_vars)])}
        return (self.before(node.body, after) - bound) | _read_all(item.context_expr for item in node.items)

    def _Try(self, node, after):
        live = set(after) | self.before(node.finalbody, after)
        ends = self.before(node.orelse, live)
        for handler in node.handlers:
            ends = ends | self.before(handler.body, live) | read(handler.type)
        return live | ends | self.before(node.body, ends | live)

    _TryStar = _Try

    def _Match(self, node, after):
        live = set(after)
        for case in node.cases:
            bound = written([case.pattern])
            live |= (self.before(case.body, after) | read(case.guard) | read(case.pattern)) - bound
        return live | read(node.subject)

    def _Return(self, node, after):
        return read(node.value)

    def _other(self, node, after):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            return (after - {node.name}) | read(node)
        return (after - written([node])) | read(node)
