"""tf.contrib.opt: optimizers that are not part of tf.train."""

from rill import _rill, raw_ops
from rill._control_flow import group
from rill._optimizers import AdamOptimizer, LazyAdamOptimizer, MomentumOptimizer  # noqa: F401
from rill._optimizers import NadamOptimizer, Optimizer  # noqa: F401
from rill._scopes import control_dependencies


class DecoupledWeightDecayExtension:
    """Lets variables lose a part of their value before each update; goes before an optimizer class."""

    def __init__(self, weight_decay, **kwargs):
        self._weight_decay, self._decay_var_list = weight_decay, None
        super().__init__(**kwargs)

    def minimize(self, loss, global_step=None, var_list=None, gate_gradients=Optimizer.GATE_OP,
                 aggregation_method=None, colocate_gradients_with_ops=False, name=None,
                 grad_loss=None, decay_var_list=None):
        """As the optimizer's; `decay_var_list` says which variables decay, all when None."""
        self._decay_var_list = decay_var_list and set(decay_var_list)
        return super().minimize(loss, global_step=global_step, var_list=var_list,
                                gate_gradients=gate_gradients, aggregation_method=aggregation_method,
                                colocate_gradients_with_ops=colocate_gradients_with_ops, name=name,
                                grad_loss=grad_loss)

    def apply_gradients(self, grads_and_vars, global_step=None, name=None, decay_var_list=None):
        """As the optimizer's; `decay_var_list` says which variables decay, all when None."""
        if decay_var_list:
            self._decay_var_list = set(decay_var_list)
        return super().apply_gradients(grads_and_vars, global_step=global_step, name=name)

    def _prepare(self):
        self._weight_decay_tensor = _rill.convert_to_tensor(
            self._call_if_callable(self._weight_decay), name="weight_decay")
        super()._prepare()

    def _decays(self, var):
        return not self._decay_var_list or var in self._decay_var_list

    def _decay_weights_op(self, var):
        if not self._decays(var):
            return _rill.no_op()
        return var.assign_sub(self._weight_decay_tensor * var, use_locking=self._use_locking)

    def _decay_weights_sparse_op(self, var, indices):
        if not self._decays(var):
            return _rill.no_op()
        loss = self._weight_decay_tensor * var.sparse_read(indices)
        scatter = raw_ops.ResourceScatterSub if var._is_resource else raw_ops.ScatterSub
        return scatter(**{"resource" if var._is_resource else "ref": var._ref(), "indices": indices,
                          "updates": loss})

    def _apply_dense(self, grad, var):
        with control_dependencies([self._decay_weights_op(var)]):
            return super()._apply_dense(grad, var)

    def _resource_apply_dense(self, grad, var):
        with control_dependencies([self._decay_weights_op(var)]):
            return super()._resource_apply_dense(grad, var)

    def _apply_sparse(self, grad, var):
        with control_dependencies([self._decay_weights_sparse_op(var, grad.indices)]):
            return super()._apply_sparse(grad, var)

    def _resource_apply_sparse(self, grad, var, indices):
        with control_dependencies([self._decay_weights_sparse_op(var, indices)]):
            return super()._resource_apply_sparse(grad, var, indices)


def extend_with_decoupled_weight_decay(base_optimizer):
    """An optimizer class with the weight decay that its first argument says."""

    class OptimizerWithDecoupledWeightDecay(DecoupledWeightDecayExtension, base_optimizer):
        """The base optimizer with decoupled weight decay."""

        def __init__(self, weight_decay, *args, **kwargs):
            # The extension takes keywords only, so that it can stand before any optimizer.
            self._weight_decay, self._decay_var_list = weight_decay, None
            base_optimizer.__init__(self, *args, **kwargs)

    return OptimizerWithDecoupledWeightDecay


class AdamWOptimizer(DecoupledWeightDecayExtension, AdamOptimizer):
    """Adam with decoupled weight decay."""

    def __init__(self, weight_decay, learning_rate=0.001, beta1=0.9, beta2=0.999, epsilon=1e-8,
                 use_locking=False, name="AdamW"):
        super().__init__(weight_decay, learning_rate=learning_rate, beta1=beta1, beta2=beta2,
                         epsilon=epsilon, use_locking=use_locking, name=name)


class MomentumWOptimizer(DecoupledWeightDecayExtension, MomentumOptimizer):
    """Momentum with decoupled weight decay."""

    def __init__(self, weight_decay, learning_rate, momentum, use_locking=False, name="MomentumW",
                 use_nesterov=False):
        super().__init__(weight_decay, learning_rate=learning_rate, momentum=momentum,
                         use_locking=use_locking, name=name, use_nesterov=use_nesterov)


class MovingAverageOptimizer(Optimizer):
    """Trains with another optimizer and keeps moving averages of the variables."""

    def __init__(self, opt, average_decay=0.9999, num_updates=None, sequential_update=True):
        super().__init__(False, opt.get_name())
        self._optimizer, self._sequential_update = opt, sequential_update
        self._ema = _rill.ExponentialMovingAverage(average_decay, num_updates=num_updates)

    def compute_gradients(self, *args, **kwargs):
        return self._optimizer.compute_gradients(*args, **kwargs)

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        pairs = list(grads_and_vars)
        train_op = self._optimizer.apply_gradients(pairs, global_step=global_step, name=name)
        changed = [variable for gradient, variable in pairs if gradient is not None]
        with control_dependencies([train_op] if self._sequential_update else []):
            averaged = self._ema.apply(changed)
        return group(train_op, averaged, name="train_with_avg")
