"""Single ops: the cases of op_cases*.py as workloads."""
from op_cases import all_cases
from workloads import Workload

ELEMENTWISE = ("add_1m", "add_16m", "mul_row", "add_column", "maximum", "divide", "relu", "exp", "log", "rsqrt", "tanh",
               "sigmoid", "gelu_chain", "cast_to_int", "add_half", "select", "add_n", "bias_add", "relu_grad", "adam")
REDUCTION = ("sum_all", "sum_all_16m", "sum_rows", "sum_columns", "sum_middle", "mean_last", "max_columns",
             "argmax_columns", "argmax_rows", "l2_loss", "bias_add_grad", "softmax", "sparse_cross_entropy")
TRANSPOSE = ("transpose_matrix", "transpose_to_nchw", "transpose_to_nhwc", "transpose_heads", "concat_rows",
             "concat_columns", "split_columns", "slice", "strided_slice", "pad", "tile", "pack")
GATHER = ("embedding_lookup", "gather_columns", "gather_nd", "scatter_nd", "scatter_add", "segment_sum",
          "unsorted_segment_sum", "one_hot", "top_k")
# What they read and write, in MiB: ops that move more than the caches of a core hold.
MOVED = {"add_1m": 12, "add_16m": 192, "mul_row": 8, "add_column": 8, "maximum": 12, "divide": 12, "relu": 8,
         "cast_to_int": 8, "select": 13, "add_n": 20, "sum_all_16m": 64, "concat_rows": 8, "concat_columns": 8,
         "split_columns": 8, "slice": 4.9, "pad": 8, "tile": 7, "pack": 5}
CHOSEN = {"elementwise": ELEMENTWISE, "reduction": REDUCTION, "transpose": TRANSPOSE, "gather": GATHER}


class Chain:
    """A case as often as it wants, one op after the other; inputs are variables."""

    def __init__(self, tf, case):
        self.tf, self.case, self.before = tf, case, []

    def build(self):
        ops, case = self.tf.raw_ops, self.case
        inputs = {name: self.input(name, given) for name, given in case.inputs.items()}
        if case.setup:
            self.before.append(self.operation(case.setup(ops, **inputs)))
        chain = []
        for _ in range(case.repeat):
            with self.tf.control_dependencies(chain[-1:]):
                chain.append(self.operation(case.graph(ops, **inputs)))
        return chain

    def input(self, name, given):
        ops, dtype, value = self.tf.raw_ops, given.array.dtype, given.array
        if given.as_bfloat16:
            dtype, value = self.tf.bfloat16, self.tf.cast(value, self.tf.bfloat16)
        handle = ops.VarHandleOp(dtype=dtype, shape=given.array.shape, shared_name=name)
        self.before.append(ops.AssignVariableOp(resource=handle, value=value))
        return handle if given.is_state else ops.ReadVariableOp(resource=handle, dtype=dtype)

    def operation(self, made):
        while isinstance(made, (list, tuple)):
            made = made[0]
        return getattr(made, "op", made)


def in_graphs(case):
    def make(tf, setting):
        config = setting.config(tf)
        if setting.framework == "tensorflow":  # the chain is to be run as it stands
            config.graph_options.rewrite_options.disable_meta_optimizer = True
        with tf.Graph().as_default():
            chain = Chain(tf, case)
            # All of them are asked for: what others only wait for need not be computed.
            ops, session = chain.build(), tf.Session(config=config)
            for op in chain.before:
                session.run(op)
            run = session.make_callable(ops)
            return lambda: run() and None
    return make


def in_torch(case):
    def tensor(torch, given):
        made = torch.from_numpy(given.array.copy())
        return given.to_torch(made) if given.to_torch else made

    def make(torch, setting):
        torch.set_grad_enabled(False)
        inputs = {name: tensor(torch, given) for name, given in case.inputs.items()}

        def step():
            for _ in range(case.repeat):
                case.torch(torch, **inputs)
        return step
    return make


def as_workload(case, flops=0):
    return Workload(case.name, in_graphs(case), in_torch(case) if case.torch else None, per=case.repeat, flops=flops,
                    bytes=MOVED.get(case.name, 0) * 2**20)


def workloads(group):
    chosen = CHOSEN.get(group)
    found = [case for case in all_cases() if chosen is None or case.name in chosen]
    missing = set(chosen or ()) - {case.name for case in found}
    assert not missing, f"no cases of ops are called {missing}"
    return [as_workload(case) for case in found]
