"""Ops that call functions made with Defun."""

from rill import _rill, raw_ops
from rill._defun import Defun


def _output_types(function):
    return [arg.type for arg in function.definition.signature.output_arg]


def If(cond, inputs, then_branch, else_branch, name=None):
    """What then_branch(*inputs) returns if `cond` is true, else what else_branch returns."""
    return raw_ops.If(cond=cond, input=inputs, Tout=_output_types(then_branch),
                      then_branch=then_branch, else_branch=else_branch, name=name)


def While(input_, cond, body, name=None):
    """Replaces `input_` by body(*input_) as long as cond(*input_) holds."""
    if cond.captured_inputs:
        raise ValueError("While op 'cond' argument must be a function without implicitly captured "
                         "inputs.")
    if cond.declared_input_types != body.declared_input_types:
        raise ValueError("While op 'cond' and 'body' signatures do not match. "
                         f"{cond.declared_input_types!r} vs {body.declared_input_types!r}")
    captured = body.captured_inputs
    if captured:
        cond, body = _with_captured(cond, body)
    results = raw_ops.While(input=[*input_, *captured], cond=cond, body=body, name=name)
    return results[:len(results) - len(captured)]


def _with_captured(cond, body):
    """The same functions with what `body` captures as further arguments, which it passes on."""
    declared = len(body.declared_input_types)
    types = [*body.declared_input_types, *(t.dtype for t in body.captured_inputs)]

    @Defun(*types, func_name=f"{cond.name}_Wrapper")
    def cond_wrapper(*args):
        return cond(*args[:declared])

    @Defun(*types, func_name=f"{body.name}_Wrapper")
    def body_wrapper(*args):
        body.add_to_graph(_rill.get_default_graph())
        return [*_rill.call_function(body.name, list(args)).outputs, *args[declared:]]

    return cond_wrapper, body_wrapper


def For(start, limit, delta, inputs, body, name=None):
    """Replaces `inputs` by body(i, *inputs) for every i of range(start, limit, delta)."""
    if body.captured_inputs:
        raise NotImplementedError(f"For with a body that captures {body.captured_inputs}")
    return raw_ops.For(start=start, limit=limit, delta=delta, input=inputs, body=body, name=name)


def symbolic_gradient(input, Tout, f, name=None):  # pylint: disable=redefined-builtin
    """The gradients of the arguments of `f`, whose arguments and output gradients are `input`."""
    return raw_ops.SymbolicGradient(input=input, Tout=Tout, f=f, name=name)


def remote_call(target, args, Tout, f, name=None):
    """What f(*args) returns, run on the device that `target` names."""
    return raw_ops.RemoteCall(target=target, args=args, Tout=Tout, f=f, name=name)
