"""tf.nondifferentiable_batch_function: one call for what several steps ask at a time."""

from rill import _nest, _rill, raw_ops
from rill._scopes import name_scope


def _traced(fn, tensors):
    """The function of the graph, what it captures, the types and the structure of its results."""
    builder = _rill.FunctionBuilder(_rill.get_default_graph())
    arguments = [builder.add_argument(t.dtype, f"arg{i}", None if t.shape.ndims is None else [None] + t.shape[1:].as_list())
                 for i, t in enumerate(tensors)]
    with builder.graph.as_default():
        structure = fn(*arguments)
        results = [_rill.convert_to_tensor(leaf) for leaf in _nest.flatten(structure)]
    name = "batched_" + getattr(fn, "__name__", "function").strip("<>")
    function = builder.finish(results, "", name, [], {}, order_effects=True)
    return function, builder.captured, [result.dtype.base_dtype for result in results], structure


def nondifferentiable_batch_function(num_batch_threads, max_batch_size, batch_timeout_micros,
                                     allowed_batch_sizes=None, max_enqueued_batches=10, autograph=True):
    """Makes calls of a function, from several steps at once, one call with their rows together."""
    del autograph

    def decorator(fn):
        def decorated(*args):
            for argument in args:
                if not isinstance(argument, _rill.Tensor):
                    raise ValueError("All arguments to functions decorated with `batch_function`  are supposed to "
                                     f"be Tensors; found {argument!r}")
            function, captured, types, structure = _traced(fn, args)
            function.add_to_graph(_rill.get_default_graph())
            with name_scope("batch") as name:
                results = raw_ops.BatchFunction(
                    in_tensors=list(args), captured_tensors=list(captured), f=function.name,
                    num_batch_threads=num_batch_threads, max_batch_size=max_batch_size,
                    batch_timeout_micros=batch_timeout_micros, Tout=types,
                    max_enqueued_batches=max_enqueued_batches,
                    allowed_batch_sizes=list(allowed_batch_sizes or []), shared_name=name)
            results = results if isinstance(results, list) else [results]
            return _nest.pack_sequence_as(structure, results)
        return decorated
    return decorator
