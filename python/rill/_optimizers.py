"""tf.train.Optimizer and its subclasses: attributes as TensorFlow's have; the work is done in C++."""

from rill import _rill


class Optimizer:
    """Changes variables along gradients; subclasses say how one variable is changed."""

    GATE_NONE = 0
    GATE_OP = 1
    GATE_GRAPH = 2

    def __init__(self, use_locking, name):
        self._start("", use_locking, name)

    def _start(self, kind, use_locking, name):
        self._use_locking, self._name, self._kind = use_locking, name, kind
        self._core = _rill.OptimizerCore(self, kind, use_locking, name)

    def __getstate__(self):
        if self.get_slot_names():
            raise TypeError("cannot pickle or copy an optimizer that has made variables")
        return {key: value for key, value in self.__dict__.items() if key != "_core"}

    def __setstate__(self, state):
        self.__dict__.update(state)
        self._core = _rill.OptimizerCore(self, self._kind, self._use_locking, self._name)

    def __getattr__(self, name):
        if "_core" not in self.__dict__:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        return self._core._hyper_tensor(name)

    def minimize(self, loss, global_step=None, var_list=None, gate_gradients=GATE_OP,
                 aggregation_method=None, colocate_gradients_with_ops=False, name=None, grad_loss=None):
        """An operation that changes the variables so that the loss becomes smaller."""
        return self._core.minimize(loss, global_step, var_list, gate_gradients, aggregation_method,
                                   colocate_gradients_with_ops, name, grad_loss)

    def compute_gradients(self, loss, var_list=None, gate_gradients=GATE_OP, aggregation_method=None,
                          colocate_gradients_with_ops=False, grad_loss=None):
        """Pairs of gradients (or None) and variables."""
        return self._core.compute_gradients(loss, var_list, gate_gradients, aggregation_method,
                                            colocate_gradients_with_ops, grad_loss)

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        """An operation that changes the variables along their gradients."""
        return self._core.apply_gradients(grads_and_vars, global_step, name)

    def get_name(self):
        """The name that the updates are made under."""
        return self._core.get_name()

    def get_slot(self, var, name):
        """The variable that belongs to `var` under that name, or None."""
        return self._core.get_slot(var, name)

    def get_slot_names(self):
        """The names of all slots."""
        return self._core.get_slot_names()

    def variables(self):
        """The optimizer's own variables in the default graph."""
        return self._core.variables()

    def _call_if_callable(self, param):
        """What `param` is, or what it returns."""
        return param() if callable(param) else param

    def _non_slot_devices(self, var_list):
        return {variable.device for variable in var_list}

    def _assert_valid_dtypes(self, tensors):
        valid = self._valid_dtypes()
        for tensor in tensors:
            dtype = tensor.dtype.base_dtype
            if dtype not in valid:
                raise ValueError(f"Invalid type {dtype!r} for {tensor.name}, expected: "
                                 f"{list(valid)}.")


def _forward(name):
    def method(self, *args, **kwargs):
        return getattr(self._core, name)(*args, **kwargs)
    method.__name__ = name
    return method


for _name in ("_prepare", "_create_slots", "_apply_dense", "_resource_apply_dense", "_apply_sparse",
              "_resource_apply_sparse", "_apply_sparse_duplicate_indices",
              "_resource_apply_sparse_duplicate_indices", "_finish", "_valid_dtypes", "_zeros_slot",
              "_get_or_make_slot", "_get_or_make_slot_with_initializer", "_create_non_slot_variable",
              "_get_non_slot_variable", "_non_slot_variables"):
    setattr(Optimizer, _name, _forward(_name))


class GradientDescentOptimizer(Optimizer):
    """var -= learning_rate * gradient."""

    def __init__(self, learning_rate, use_locking=False, name="GradientDescent"):
        self._learning_rate = learning_rate
        self._start("GradientDescent", use_locking, name)


class MomentumOptimizer(Optimizer):
    """Gradient descent that keeps some of its speed."""

    def __init__(self, learning_rate, momentum, use_locking=False, name="Momentum",
                 use_nesterov=False):
        self._learning_rate, self._momentum, self._use_nesterov = learning_rate, momentum, use_nesterov
        self._start("Momentum", use_locking, name)


class AdagradOptimizer(Optimizer):
    """A rate for each element, lower the larger its gradients were."""

    def __init__(self, learning_rate, initial_accumulator_value=0.1, use_locking=False,
                 name="Adagrad"):
        self._learning_rate = learning_rate
        self._initial_accumulator_value = initial_accumulator_value
        self._start("Adagrad", use_locking, name)


class AdagradDAOptimizer(Optimizer):
    """Adagrad with dual averaging, for sparse linear models."""

    def __init__(self, learning_rate, global_step, initial_gradient_squared_accumulator_value=0.1,
                 l1_regularization_strength=0.0, l2_regularization_strength=0.0, use_locking=False,
                 name="AdagradDA"):
        self._learning_rate, self._global_step = learning_rate, global_step
        self._initial_gradient_squared_accumulator_value = initial_gradient_squared_accumulator_value
        self._l1_regularization_strength = l1_regularization_strength
        self._l2_regularization_strength = l2_regularization_strength
        self._start("AdagradDA", use_locking, name)


class AdadeltaOptimizer(Optimizer):
    """Steps of the size of earlier steps over that of earlier gradients."""

    def __init__(self, learning_rate=0.001, rho=0.95, epsilon=1e-8, use_locking=False,
                 name="Adadelta"):
        self._lr, self._rho, self._epsilon = learning_rate, rho, epsilon
        self._start("Adadelta", use_locking, name)


class RMSPropOptimizer(Optimizer):
    """Gradients over the root of the moving average of their squares."""

    def __init__(self, learning_rate, decay=0.9, momentum=0.0, epsilon=1e-10, use_locking=False,
                 centered=False, name="RMSProp"):
        self._learning_rate, self._decay, self._momentum = learning_rate, decay, momentum
        self._epsilon, self._centered = epsilon, centered
        self._start("RMSProp", use_locking, name)


class FtrlOptimizer(Optimizer):
    """Follows the regularised leader."""

    def __init__(self, learning_rate, learning_rate_power=-0.5, initial_accumulator_value=0.1,
                 l1_regularization_strength=0.0, l2_regularization_strength=0.0, use_locking=False,
                 name="Ftrl", accum_name=None, linear_name=None,
                 l2_shrinkage_regularization_strength=0.0, beta=None):
        if not callable(learning_rate_power) and learning_rate_power > 0.0:
            raise ValueError(f"learning_rate_power {learning_rate_power:f} needs to be negative or zero")
        self._learning_rate, self._learning_rate_power = learning_rate, learning_rate_power
        self._initial_accumulator_value = initial_accumulator_value
        self._l1_regularization_strength = l1_regularization_strength
        self._l2_regularization_strength = l2_regularization_strength
        self._accum_name, self._linear_name = accum_name, linear_name
        self._l2_shrinkage_regularization_strength = l2_shrinkage_regularization_strength
        self._beta = 0.0 if beta is None else beta
        self._start("Ftrl", use_locking, name)


class ProximalGradientDescentOptimizer(Optimizer):
    """Gradient descent, then drawn to zero by l1 and l2."""

    def __init__(self, learning_rate, l1_regularization_strength=0.0, l2_regularization_strength=0.0,
                 use_locking=False, name="ProximalGradientDescent"):
        self._learning_rate = learning_rate
        self._l1_regularization_strength = l1_regularization_strength
        self._l2_regularization_strength = l2_regularization_strength
        self._start("ProximalGradientDescent", use_locking, name)


class ProximalAdagradOptimizer(Optimizer):
    """Adagrad, then drawn to zero by l1 and l2."""

    def __init__(self, learning_rate, initial_accumulator_value=0.1, l1_regularization_strength=0.0,
                 l2_regularization_strength=0.0, use_locking=False, name="ProximalAdagrad"):
        self._learning_rate = learning_rate
        self._initial_accumulator_value = initial_accumulator_value
        self._l1_regularization_strength = l1_regularization_strength
        self._l2_regularization_strength = l2_regularization_strength
        self._start("ProximalAdagrad", use_locking, name)


class AdamOptimizer(Optimizer):
    """Steps along moving averages of the gradient, over the root of those of its square."""

    _kind = "Adam"

    def __init__(self, learning_rate=0.001, beta1=0.9, beta2=0.999, epsilon=1e-8, use_locking=False,
                 name="Adam"):
        self._lr, self._beta1, self._beta2, self._epsilon = learning_rate, beta1, beta2, epsilon
        self._start(self._kind, use_locking, name)

    def _get_beta_accumulators(self):
        return self._get_non_slot_variable("beta1_power"), self._get_non_slot_variable("beta2_power")


class LazyAdamOptimizer(AdamOptimizer):
    """Adam that changes only the rows of its averages that a sparse gradient has."""

    _kind = "LazyAdam"


class NadamOptimizer(AdamOptimizer):
    """Adam that looks one step ahead, as Nesterov's momentum does."""

    _kind = "Nadam"
