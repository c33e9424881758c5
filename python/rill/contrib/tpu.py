"""tf.contrib.tpu: tf.tpu and tf.estimator.tpu under their first names."""

from rill.estimator.tpu import (InputPipelineConfig, RunConfig, TPUConfig, TPUContext,  # noqa: F401
                                TPUEstimator, TPUEstimatorSpec)
from rill.tpu import (CrossShardOptimizer, _no_tpu, batch_parallel, bfloat16_scope, core,  # noqa: F401
                      cross_replica_sum, initialize_system, outside_compilation, replicate, rewrite, shard,
                      shutdown_system)


def repeat(n, body, inputs=None, infeed_queue=None, name=None):
    """What `body` makes of the inputs, `n` times over."""
    from rill import _rill
    if infeed_queue is not None:
        _no_tpu("An infeed queue of tf.contrib.tpu.repeat")
    inputs = [_rill.convert_to_tensor(x) for x in inputs or []]

    def step(i, *values):
        made = body(*values)
        made = () if made is None else made if isinstance(made, (list, tuple)) else (made,)
        tensors, operations = made[:len(inputs)], made[len(inputs):]
        with _rill.get_default_graph().control_dependencies(list(operations)):
            return [i + 1] + [_rill.functions.identity(value) for value in tensors]

    from rill import _control_flow
    return _control_flow.while_loop(lambda i, *values: i < n, step, [_rill.constant(0), *inputs],
                                    parallel_iterations=1, name=name)[1:]


def keras_to_tpu_model(model, strategy=None):
    """There is no TPU to move a model to."""
    _no_tpu("tf.contrib.tpu.keras_to_tpu_model")


class TPUDistributionStrategy:
    """There is no TPU to spread a model over."""

    def __init__(self, tpu_cluster_resolver=None, using_single_core=False):
        _no_tpu("tf.contrib.tpu.TPUDistributionStrategy")
