"""tensorflow.python.ops.linalg.linear_operator_util and linear_operator_addition: what operators of programs use."""

import rill
from rill import _resource_variable, _rill


def assert_not_ref_type(x, arg_name):
    """Refuses a variable whose reads are references: its value may change behind the operator."""
    if x is not None and getattr(getattr(x, "dtype", None), "_is_ref_dtype", False):
        raise TypeError(f"Argument {arg_name} cannot be reference type. Found: {type(x)}.")


def is_ref(x):
    """Whether something is a variable, or refers to one."""
    return isinstance(x, rill.Variable) or _resource_variable.is_resource_variable(x)


def convert_nonref_to_tensor(value, dtype=None, dtype_hint=None, name=None):
    """A tensor; variables stay as they are."""
    return value if value is None or is_ref(value) else rill.convert_to_tensor(
        value, dtype, name=name, preferred_dtype=dtype_hint)


def broadcast_matrix_batch_dims(batch_matrices, name=None):
    """Batches of matrices, broadcast to one shape."""
    with rill.name_scope(name or "broadcast_matrix_batch_dims"):
        return list(_rill.matrices_with_common_batch(list(batch_matrices)))


def matrix_solve_with_broadcast(matrix, rhs, adjoint=False, name=None):
    """matrix_solve of batches that broadcast."""
    with rill.name_scope(name, "MatrixSolveWithBroadcast"):
        return rill.linalg.solve(*broadcast_matrix_batch_dims([matrix, rhs]), adjoint=adjoint)


def matrix_triangular_solve_with_broadcast(matrix, rhs, lower=True, adjoint=False, name=None):
    """matrix_triangular_solve of batches that broadcast."""
    with rill.name_scope(name, "MatrixTriangularSolveWithBroadcast"):
        matrix, rhs = broadcast_matrix_batch_dims([matrix, rhs])
        return rill.linalg.triangular_solve(matrix, rhs, lower, adjoint)


def shape_tensor(shape, name=None):
    """A shape as a vector of int32, or of what it is if it is a tensor."""
    is_static = isinstance(shape, (tuple, list)) and not shape
    return rill.convert_to_tensor(shape, rill.int32 if is_static else None, name=name)


def use_operator_or_provided_hint_unless_contradicting(operator, hint_attr_name, provided_hint_value, message):
    """The operator's hint or the given one; ValueError if they say different things."""
    own = getattr(operator, hint_attr_name)
    if own is not None and provided_hint_value is not None and own != provided_hint_value:
        raise ValueError(message)
    return provided_hint_value if own is None else own


_IDENTITIES = (rill.linalg.LinearOperatorIdentity, rill.linalg.LinearOperatorScaledIdentity)


def _sum_kind(operators):
    """How the sum of operators is kept: as few numbers as all of them allow."""
    if all(isinstance(op, (*_IDENTITIES, rill.linalg.LinearOperatorDiag)) for op in operators):
        return lambda matrix, name: rill.linalg.LinearOperatorDiag(rill.linalg.diag_part(matrix), name=name)
    triangular = (*_IDENTITIES, rill.linalg.LinearOperatorDiag, rill.linalg.LinearOperatorLowerTriangular)
    if all(isinstance(op, triangular) for op in operators):
        return lambda matrix, name: rill.linalg.LinearOperatorLowerTriangular(matrix, name=name)
    return lambda matrix, name: rill.linalg.LinearOperatorFullMatrix(matrix, name=name)


def add_operators(operators, operator_name=None, name=None):
    """The sum of operators, as a list of one."""
    operators = list(operators)
    if not operators:
        raise ValueError("Argument 'operators' must contain at least one operator.")
    if len({op.dtype.base_dtype for op in operators}) > 1:
        raise TypeError(f"Expected every operation in argument 'operators' to have the same dtype. Found "
                        f"{[op.dtype for op in operators]}")
    if len(operators) == 1:
        return operators
    with rill.name_scope(name, "add_operators"):
        total = operators[0].to_dense()
        for operator in operators[1:]:
            total = operator.add_to_tensor(total)
        return [_sum_kind(operators)(total, operator_name or "Add__" + "__".join(op.name for op in operators))]
