"""Rewrites a function so that its control flow asks ag__ (_operators.py) whether it belongs to the graph."""

import ast
import copy

from rill.autograph import _jumps, _names, _source
from rill.autograph._trees import call, constant, located, name, parameters, statements, thunk

# Whoever calls these means the function that the call stands in.
_ABOUT_THE_CALLER = {"super", "locals", "globals", "eval", "exec", "vars", "dir"}


class _Expressions(ast.NodeTransformer):
    """Calls, tests and the like of one function."""

    def __init__(self, first_parameter, local_names):
        self._first, self._locals = first_parameter, local_names

    def visit_Call(self, node):
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in _ABOUT_THE_CALLER:
            if node.func.id == "super" and not node.args and self._first:
                node.args = [located(name("__class__"), node), located(name(self._first), node)]
            return node
        if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name) and (
                node.func.value.id == "ag__"):
            return node
        kwargs = constant(None) if not node.keywords else ast.Dict(
            [None if k.arg is None else constant(k.arg) for k in node.keywords], [k.value for k in node.keywords])
        return call("converted_call", [node.func, ast.Tuple(node.args, ast.Load()), kwargs], node)

    def visit_BoolOp(self, node):
        self.generic_visit(node)
        if _binds(node):
            return node
        function = "and_" if isinstance(node.op, ast.And) else "or_"
        made = node.values[-1]
        for value in reversed(node.values[:-1]):
            made = call(function, [thunk(value, node), thunk(made, node)], node)
        return made

    def visit_UnaryOp(self, node):
        self.generic_visit(node)
        return call("not_", [node.operand], node) if isinstance(node.op, ast.Not) else node

    def visit_Compare(self, node):
        if len(node.ops) > 1 and not _binds(node):
            sides = [node.left, *node.comparators]
            pairs = [located(ast.Compare(copy.deepcopy(a), [op], [b]), node)
                     for a, op, b in zip(sides, node.ops, sides[1:])]
            return self.visit(located(ast.BoolOp(ast.And(), pairs), node))
        self.generic_visit(node)
        return node

    def visit_IfExp(self, node):
        self.generic_visit(node)
        if _binds(node):
            return node
        return call("if_exp", [node.test, thunk(node.body, node), thunk(node.orelse, node),
                               constant(ast.unparse(node.test))], node)

    def visit_Assert(self, node):
        self.generic_visit(node)
        message = constant(None) if node.msg is None else node.msg
        made = call("assert_stmt", [node.test, thunk(message, node)], node)
        return located(ast.Expr(made), node)

    def visit_Assign(self, node):
        self.generic_visit(node)
        target = node.targets[0]
        if len(node.targets) == 1 and self._is_item(target):
            return self._set_item(target, node.value, node)
        return node

    def visit_AugAssign(self, node):
        self.generic_visit(node)
        if not self._is_item(node.target):
            return node
        now = located(ast.Subscript(copy.deepcopy(node.target.value), copy.deepcopy(node.target.slice), ast.Load()),
                      node)
        changed = located(ast.BinOp(now, node.op, node.value), node)
        return self._set_item(node.target, changed, node)

    def _is_item(self, target):
        return isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name) and (
            target.value.id in self._locals)

    def _set_item(self, target, value, node):
        made = call("set_item", [name(target.value.id), _as_key(target.slice), value], node)
        return located(ast.Assign([ast.Name(target.value.id, ast.Store())], made), node)

    # Functions in the function have been converted already, classes stay as they are.

    def visit_FunctionDef(self, node):
        return node

    visit_ClassDef = visit_AsyncFunctionDef = visit_FunctionDef


def _binds(node):
    return any(isinstance(inner, (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)) for inner in ast.walk(node))


def _as_key(node):
    if isinstance(node, ast.Slice):
        parts = [constant(None) if part is None else part for part in (node.lower, node.upper, node.step)]
        return ast.Call(name("slice"), parts, [])
    if isinstance(node, ast.Tuple):
        return ast.Tuple([_as_key(part) for part in node.elts], ast.Load())
    return node


def _take_options(body):
    """A call of set_loop_options at the beginning of a loop's body becomes an argument of the loop."""
    for loop in (inner for item in body for inner in _jumps._own_or_none(item)):
        if not isinstance(loop, (ast.For, ast.While)):
            continue
        for item in loop.body:
            called = item.value if isinstance(item, ast.Expr) else None
            if isinstance(called, ast.Call) and isinstance(called.func, ast.Attribute) and (
                    called.func.attr == "set_loop_options"):
                loop.body[loop.body.index(item)] = ast.copy_location(ast.Pass(), item)
                loop.options = located(ast.Call(ast.Attribute(name("ag__"), "LoopOptions", ast.Load()), called.args,
                                                called.keywords), item)
                break


def _options_of(loop):
    options = getattr(loop, "options", None)
    return constant(None) if options is None else thunk(options, loop)


class _Function:
    """One function: its branches and loops become functions of their own."""

    def __init__(self, node, count):
        self._node = node
        self._count = count
        arguments = node.args
        self._parameters = [a.arg for a in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]]
        self._parameters += [a.arg for a in (arguments.vararg, arguments.kwarg) if a is not None]

    def convert(self):
        body = self._node.body
        docstring = []
        if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) and isinstance(
                body[0].value.value, str):
            docstring, body = body[:1], body[1:]
        outside = [item for item in ast.walk(ast.Module(body, [])) if isinstance(item, (ast.Global, ast.Nonlocal))]
        self._globals = {text for item in outside if isinstance(item, ast.Global) for text in item.names}
        nonlocals = {text for item in outside if isinstance(item, ast.Nonlocal) for text in item.names}
        _take_options(body)
        body = _jumps.Lowering().visit(body) if body else body
        self._locals = (_names.written(body) | set(self._parameters)) - self._globals
        body = [self._expressions(item) for item in body]
        _names.Liveness().before(body, nonlocals)
        self._node.body = [*docstring, *self._block(body)] or [ast.Pass()]
        if not self._node.body:
            self._node.body = [ast.copy_location(ast.Pass(), self._node)]
        return self._node

    # --- expressions ---------------------------------------------------------------------------

    def _expressions(self, item):
        first = self._parameters[0] if self._parameters else None
        transformer = _Expressions(first, self._locals)

        class Inner(ast.NodeTransformer):
            """Functions in the function first, with names of their own."""

            def __init__(self, count):
                self._count = count

            def visit_FunctionDef(self, node):
                if _is_generator(node):
                    return node
                return _Function(node, self._count).convert()

            def visit_ClassDef(self, node):
                return node

            visit_AsyncFunctionDef = visit_ClassDef

        item = Inner(self._count).visit(item)
        for loop in ast.walk(item):
            if isinstance(loop, ast.For) and getattr(loop, "extra_test", None) is not None:
                loop.extra_test = transformer.visit(located(loop.extra_test, loop))
        return transformer.visit(item)

    # --- control flow --------------------------------------------------------------------------

    def _block(self, items):
        made = []
        for item in items:
            visit = getattr(self, "_" + type(item).__name__, None)
            made += [item] if visit is None else visit(item)
        return made

    def _With(self, node):
        node.body = self._block(node.body)
        return [node]

    def _Try(self, node):
        node.body, node.orelse = self._block(node.body), self._block(node.orelse)
        node.finalbody = self._block(node.finalbody)
        for handler in node.handlers:
            handler.body = self._block(handler.body)
        return [node]

    _TryStar = _Try

    def _Match(self, node):
        for case in node.cases:
            case.body = self._block(case.body)
        return [node]

    def _state(self, blocks, live, live_after):
        """The names that blocks change and others read, those read afterwards first; how many these are."""
        changed = _names.written(blocks)
        names = sorted(n for n in changed if n in live_after)
        count = len(names)
        names += sorted(n for n in changed if n in live and n not in live_after)
        parts = _names.written_parts(blocks)
        kept = {text: node for text, node in parts.items() if text.partition(".")[0].partition("[")[0] not in changed}
        return sorted(kept), kept, names, count + len(kept)

    def _helpers(self, suffix, parts, kept, names, like):
        """get_state and set_state; and what stands at the head of functions that change the names."""
        declared = [n for n in names if n not in self._globals]
        head = statements(f"nonlocal {', '.join(declared)}", like) if declared else []
        from_outside = [n for n in names if n in self._globals]
        head += statements(f"global {', '.join(from_outside)}", like) if from_outside else []
        reads = [thunk(copy.deepcopy(_as_load(kept[part])), like) for part in parts]
        reads += [thunk(name(n), like) for n in names]
        get_state = _function(f"get_state_{suffix}", [], [
            located(ast.Return(call("state_of", [located(ast.List(reads, ast.Load()), like)], like)), like)], like)
        body = copy.deepcopy(head)
        for i, target in enumerate([*parts, *names]):
            text = target if i < len(parts) else target
            body += statements(
                f"if ag__.is_undefined(values_[{i}]):\n    try:\n        del {text}\n    except (NameError, "
                f"AttributeError, LookupError):\n        pass\nelse:\n    {text} = values_[{i}]", like)
        set_state = _function(f"set_state_{suffix}", ["values_"], body or [ast.Pass()], like)
        return [get_state, set_state], head

    def _bindings(self, names, like):
        """Nested functions may change only what the function around binds somewhere."""
        own = [n for n in names if n in self._locals]
        if not own:
            return []
        return statements("if False:\n    " + " = ".join(own) + " = None", like)

    def _next(self):
        self._count[0] += 1
        return self._count[0]

    def _names_of(self, parts, names):
        return located(ast.Tuple([constant(text) for text in [*parts, *names]], ast.Load()), self._node)

    def _If(self, node):
        parts, kept, names, count = self._state([*node.body, *node.orelse], node.live_in, node.live_after)
        k = self._next()
        helpers, head = self._helpers(k, parts, kept, names, node)
        body = _function(f"if_body_{k}", [], copy.deepcopy(head) + self._block(node.body), node)
        orelse = _function(f"else_body_{k}", [], head + (self._block(node.orelse) or [ast.Pass()]), node)
        made = call("if_stmt", [node.test, name(f"if_body_{k}"), name(f"else_body_{k}"), name(f"get_state_{k}"),
                                name(f"set_state_{k}"), self._names_of(parts, names), constant(count)], node)
        return [*self._bindings(names, node), *helpers, body, orelse, located(ast.Expr(made), node)]

    def _While(self, node):
        parts, kept, names, _ = self._state(node.body, node.live_head, node.live_after)
        k = self._next()
        helpers, head = self._helpers(k, parts, kept, names, node)
        test = _function(f"loop_test_{k}", [], [located(ast.Return(node.test), node)], node)
        body = _function(f"loop_body_{k}", [], head + self._block(node.body), node)
        made = call("while_stmt", [name(f"loop_test_{k}"), name(f"loop_body_{k}"), name(f"get_state_{k}"),
                                   name(f"set_state_{k}"), self._names_of(parts, names),
                                   self._live_names(names, node), _options_of(node)], node)
        return [*self._bindings(names, node), *helpers, test, body, located(ast.Expr(made), node)]

    def _live_names(self, names, node):
        live = [constant(n) for n in names if n in node.live_after]
        return located(ast.Tuple(live, ast.Load()), node)

    def _For(self, node):
        blocks = [*node.body, ast.Expr(node.target)]
        parts, kept, names, _ = self._state(blocks, node.live_head, node.live_after)
        k = self._next()
        helpers, head = self._helpers(k, parts, kept, names, node)
        take = located(ast.Assign([node.target], name("element_")), node)
        body = _function(f"loop_body_{k}", ["element_"], [*head, take, *self._block(node.body)], node)
        extra = getattr(node, "extra_test", None)
        test = constant(None) if extra is None else thunk(extra, node)
        made = call("for_stmt", [node.iter, test, name(f"loop_body_{k}"), name(f"get_state_{k}"),
                                 name(f"set_state_{k}"), self._names_of(parts, names),
                                 self._live_names(names, node), _options_of(node)], node)
        return [*self._bindings(names, node), *helpers, body, located(ast.Expr(made), node)]


class _Mangling(ast.NodeTransformer):
    """Private names of a class as they are outside of it."""

    def __init__(self, owner):
        self._prefix = "_" + owner.lstrip("_")

    def _mangled(self, text):
        return self._prefix + text if text.startswith("__") and not text.endswith("__") else text

    def visit_Name(self, node):
        node.id = self._mangled(node.id)
        return node

    def visit_Attribute(self, node):
        self.generic_visit(node)
        node.attr = self._mangled(node.attr)
        return node


def _as_load(node):
    copied = copy.deepcopy(node)
    copied.ctx = ast.Load()
    return copied


def _function(text, arguments, body, like):
    made = ast.FunctionDef(text, parameters(arguments), body, [], None)
    made.type_params = []
    return located(made, like)


def _is_generator(node):
    return any(isinstance(inner, (ast.Yield, ast.YieldFrom, ast.Await)) for inner in _jumps._own(node)
               if inner is not node)


def _as_function(node):
    """A lambda as a function with a name."""
    if isinstance(node, ast.FunctionDef):
        return node
    made = ast.FunctionDef("lambda_", node.args, [located(ast.Return(node.body), node)], [], None)
    made.type_params = []
    return located(made, node)


def _without_calls_outside(node):
    """What is evaluated where the function is defined belongs to the definition that is there already."""
    node.decorator_list, node.returns = [], None
    arguments = node.args
    arguments.defaults = [constant(None) for _ in arguments.defaults]
    arguments.kw_defaults = [None if d is None else constant(None) for d in arguments.kw_defaults]
    for argument in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg,
                     arguments.kwarg]:
        if argument is not None:
            argument.annotation = None
    return node


def _class_of(function):
    """The class in whose body the function is written, or None."""
    path = function.__qualname__.split(".")
    return path[-2] if len(path) > 1 and path[-2] != "<locals>" else None


def converted_tree(function):
    """The function's tree, converted, in a function around it that has what it takes from outside."""
    node = _without_calls_outside(_as_function(copy.deepcopy(_source.find(function))))
    node = _Function(node, [0]).convert()
    inner = [node]
    owner = _class_of(function)
    outside = [n for n in function.__code__.co_freevars if n != "__class__"]
    if owner is not None:
        around = ast.ClassDef(owner, [], [], inner, [])
        around.type_params = []
        inner = [located(around, node)]
        if owner not in outside:  # where the method names it, it is the program's
            inner = [*statements(f"global {owner}", node), *inner]
    factory = _function("factory_", ["ag__", *outside], [*inner], node)
    return ast.fix_missing_locations(ast.Module([factory], [])), node.name


def converted_code(function):
    """The code object of the converted function, whose lines are those of the program."""
    tree, wanted = converted_tree(function)
    code = compile(tree, function.__code__.co_filename, "exec")
    found = [c for c in _source._codes(code) if c.co_name == wanted
             and c.co_argcount == function.__code__.co_argcount]
    return found[0].replace(co_name=function.__code__.co_name)


def converted_text(function):
    """The converted function as text."""
    tree, wanted = converted_tree(function)
    node = next(item for item in ast.walk(tree) if isinstance(item, ast.FunctionDef) and item.name == wanted)
    return ast.unparse(node) + "\n"
