"""Linear operators as classes that programs may inherit from; the work is done in C++."""

import functools

from rill import _rill
from rill.dtypes import complex64


class LinearOperator:
    """A matrix, or a batch of them, that is used without writing all of it down."""

    def __init__(self, dtype, graph_parents=None, is_non_singular=None, is_self_adjoint=None,
                 is_positive_definite=None, is_square=None, name=None):
        parents = [] if graph_parents is None else list(graph_parents)
        for i, parent in enumerate(parents):
            if not (isinstance(parent, _rill.Tensor) or hasattr(parent, "initializer")):
                raise ValueError(f"Graph parent item {i} is not a Tensor; {parent}.")
        self._graph_parents, self._parameters = parents, {}
        tensors = [parent for parent in parents if isinstance(parent, _rill.Tensor)]
        self._core = _rill.LinearOperatorCore(self, dtype, tensors, is_non_singular, is_self_adjoint,
                                              is_positive_definite, is_square, name or type(self).__name__)

    def _start(self, kind, arguments):
        """Makes the operator of C++ called `kind`; `arguments` are those of __init__."""
        self._parameters = {key: value for key, value in arguments.items()
                            if key != "self" and not key.startswith("__")}
        self._graph_parents = []
        self._core = _rill.LinearOperatorCore(self, kind, self._parameters)

    def _adopted(self):
        """Called for an operator that C++ has made."""
        self._parameters, self._graph_parents = {}, []

    @property
    def name(self):
        """Its name, which its name scopes begin with."""
        return self._core.name

    @property
    def dtype(self):
        """The type of the matrix."""
        return self._core.dtype

    @property
    def graph_parents(self):
        """Tensors that it depends on."""
        return self._graph_parents or self._core.all_tensors()

    @property
    def shape(self):
        """The shape of the matrix as far as it is known."""
        return self._core.shape()

    @property
    def batch_shape(self):
        """The shape of the batch of matrices."""
        return self.shape[:-2]

    @property
    def tensor_rank(self):
        """How many dimensions the matrix and its batch have."""
        return self.shape.ndims

    @property
    def domain_dimension(self):
        """The number of columns."""
        return self._dimension(-1)

    @property
    def range_dimension(self):
        """The number of rows."""
        return self._dimension(-2)

    def _dimension(self, i):
        from rill import Dimension
        dims = self.shape.dims
        return dims[i] if dims else Dimension(None)

    @property
    def H(self):
        """The adjoint."""
        return self.adjoint()

    def __matmul__(self, other):
        return self.matmul(other)

    def __rmatmul__(self, other):
        return _rill.functions.linalg.matmul(other, self)

    def add_to_tensor(self, x, name="add_to_tensor"):
        """A dense matrix with this one added to it."""
        return self._core.add_to_tensor(x, name)

    def matmul(self, x, adjoint=False, adjoint_arg=False, name="matmul"):
        """The product with matrices, or with another operator."""
        return self._core.matmul(x, bool(adjoint), bool(adjoint_arg), name)

    def matvec(self, x, adjoint=False, name="matvec"):
        """The product with vectors."""
        return self._core.matvec(x, bool(adjoint), False, name)

    def solve(self, rhs, adjoint=False, adjoint_arg=False, name="solve"):
        """What the operator makes `rhs` of."""
        return self._core.solve(rhs, bool(adjoint), bool(adjoint_arg), name)

    def solvevec(self, rhs, adjoint=False, name="solve"):
        """The vectors that the operator makes `rhs` of."""
        return self._core.solvevec(rhs, bool(adjoint), False, name)

    def _shape(self):
        return self._core.own_shape()

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self._core.own_answer("matmul", x, adjoint, adjoint_arg)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._core.own_answer("solve", rhs, adjoint, adjoint_arg)

    def _matvec(self, x, adjoint=False):
        return self._core.own_answer("matvec", x, adjoint)

    def _solvevec(self, rhs, adjoint=False):
        return self._core.own_answer("solvevec", rhs, adjoint)

    def _add_to_tensor(self, x):
        return self._core.own_answer("add_to_tensor", x)

    @property
    def name_scope(self):
        """A name scope of the operator's name."""
        from rill import name_scope
        return name_scope(self.name + "/")

    @classmethod
    def with_name_scope(cls, method):
        """A decorator of methods: what they make stands in the operator's name scope."""
        @functools.wraps(method)
        def in_scope(self, *args, **kwargs):
            with self.name_scope:
                return method(self, *args, **kwargs)
        return in_scope

    @property
    def submodules(self):
        """The operators that it is made of, and theirs."""
        found = []
        for operand in self._core.operands():
            found += [operand, *operand.submodules]
        return tuple(found)

    @property
    def variables(self):
        """The variables that it and the operators in it were made of."""
        own = [value for value in [*self._parameters.values(), *vars(self).values(), *self._graph_parents]
               if hasattr(value, "initializer") and hasattr(value, "op")]
        found = own + [variable for operand in self._core.operands() for variable in operand.variables]
        return tuple({id(variable): variable for variable in found}.values())

    @property
    def trainable_variables(self):
        """Those of them that are trained."""
        return tuple(variable for variable in self.variables if variable.trainable)


def _hint(hint, doc):
    return property(lambda self: self._core.hint(hint), doc=doc)


def _ask(function, scope):
    def method(self, name=scope):
        return getattr(self._core, function)(name)
    return method


def _own(question):
    def method(self):
        return self._core.own_answer(question)
    return method


_HINTS = {
    "is_non_singular": "Whether it can be inverted.",
    "is_self_adjoint": "Whether it is its own adjoint.",
    "is_positive_definite": "Whether its real part has positive eigenvalues only.",
    "is_square": "Whether it has as many rows as columns.",
}
_FUNCTIONS = {
    "shape_tensor": "The shape as a tensor.",
    "batch_shape_tensor": "The shape of the batch as a tensor.",
    "tensor_rank_tensor": "The number of dimensions as a tensor.",
    "domain_dimension_tensor": "The number of columns as a tensor.",
    "range_dimension_tensor": "The number of rows as a tensor.",
    "determinant": "The determinants.",
    "log_abs_determinant": "The logarithms of the sizes of the determinants.",
    "to_dense": "All of the matrix.",
    "diag_part": "The diagonal.",
    "trace": "The sum of the diagonal.",
    "assert_non_singular": "An operation that fails unless it can be inverted.",
    "assert_positive_definite": "An operation that fails unless it is positive definite.",
    "assert_self_adjoint": "An operation that fails unless it is its own adjoint.",
    "adjoint": "The adjoint as an operator.",
    "inverse": "The inverse as an operator.",
    "cholesky": "Cholesky's factor as an operator.",
}
_SCOPES = {"determinant": "det", "log_abs_determinant": "log_abs_det"}
_OVERRIDABLE = ("shape_tensor", "determinant", "log_abs_determinant", "to_dense", "diag_part", "trace",
                "assert_non_singular", "assert_positive_definite", "assert_self_adjoint")
for _name, _doc in _HINTS.items():
    setattr(LinearOperator, _name, _hint(_name, _doc))
for _name, _doc in _FUNCTIONS.items():
    _method = _ask(_name, _SCOPES.get(_name, _name))
    _method.__name__, _method.__doc__ = _name, _doc
    setattr(LinearOperator, _name, _method)
for _name in _OVERRIDABLE:
    setattr(LinearOperator, "_" + _name, _own(_name))


def _tensor(name, doc):
    return property(lambda self: self._core.tensor(name), doc=doc)


def _operand(i, doc):
    return property(lambda self: self._core.operands()[i], doc=doc)


class LinearOperatorAdjoint(LinearOperator):
    """The adjoint of another operator."""

    def __init__(self, operator, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None,
                 is_square=None, name=None):
        self._start("Adjoint", locals())

    operator = _operand(0, "The operator whose adjoint it is.")


class LinearOperatorInversion(LinearOperator):
    """The inverse of another operator."""

    def __init__(self, operator, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None,
                 is_square=None, name=None):
        self._start("Inversion", locals())

    operator = _operand(0, "The operator whose inverse it is.")


class _OfMany(LinearOperator):
    operators = property(lambda self: self._core.operands(), doc="The operators it is made of.")


class LinearOperatorBlockDiag(_OfMany):
    """Operators as blocks along the diagonal."""

    def __init__(self, operators, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None,
                 is_square=True, name=None):
        self._start("BlockDiag", locals())


class LinearOperatorComposition(_OfMany):
    """Operators one after the other, the last one first."""

    def __init__(self, operators, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None,
                 is_square=None, name=None):
        self._start("Composition", locals())


class LinearOperatorKronecker(_OfMany):
    """Kronecker's product of operators."""

    def __init__(self, operators, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None,
                 is_square=None, name=None):
        self._start("Kronecker", locals())


class _Circulant(LinearOperator):
    spectrum = _tensor("spectrum", "What each frequency is multiplied by.")

    @property
    def block_depth(self):
        """How many dimensions the convolution has."""
        return self._core.block_depth()

    @property
    def block_shape(self):
        """The shape of what is convolved."""
        return self._core.block_shape()

    def block_shape_tensor(self):
        """The same as a tensor."""
        return self._core.block_shape_tensor()

    def convolution_kernel(self, name="convolution_kernel"):
        """What the operator convolves with."""
        return self._core.convolution_kernel(name)

    def assert_hermitian_spectrum(self, name="assert_hermitian_spectrum"):
        """An operation that fails unless the convolution kernel is real."""
        return self._core.assert_hermitian_spectrum(name)


class LinearOperatorCirculant(_Circulant):
    """A convolution of vectors."""

    def __init__(self, spectrum, input_output_dtype=complex64, is_non_singular=None, is_self_adjoint=None,
                 is_positive_definite=None, is_square=True, name="LinearOperatorCirculant"):
        self._start("Circulant", locals())


class LinearOperatorCirculant2D(_Circulant):
    """A convolution of pictures."""

    def __init__(self, spectrum, input_output_dtype=complex64, is_non_singular=None, is_self_adjoint=None,
                 is_positive_definite=None, is_square=True, name="LinearOperatorCirculant2D"):
        self._start("Circulant2D", locals())


class LinearOperatorCirculant3D(_Circulant):
    """A convolution of volumes."""

    def __init__(self, spectrum, input_output_dtype=complex64, is_non_singular=None, is_self_adjoint=None,
                 is_positive_definite=None, is_square=True, name="LinearOperatorCirculant3D"):
        self._start("Circulant3D", locals())


class LinearOperatorDiag(LinearOperator):
    """A diagonal, and zeros elsewhere."""

    def __init__(self, diag, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None,
                 is_square=None, name="LinearOperatorDiag"):
        self._start("Diag", locals())

    diag = _tensor("diag", "The diagonal.")


class LinearOperatorFullMatrix(LinearOperator):
    """A matrix as it is."""

    def __init__(self, matrix, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None,
                 is_square=None, name="LinearOperatorFullMatrix"):
        self._start("FullMatrix", locals())

    matrix = _tensor("matrix", "The matrix.")


class LinearOperatorHouseholder(LinearOperator):
    """The reflection at the plane that a vector stands on."""

    def __init__(self, reflection_axis, is_non_singular=None, is_self_adjoint=None,
                 is_positive_definite=None, is_square=None, name="LinearOperatorHouseholder"):
        self._start("Householder", locals())

    reflection_axis = _tensor("reflection_axis", "The vector.")


class LinearOperatorIdentity(LinearOperator):
    """Ones on the diagonal."""

    def __init__(self, num_rows, batch_shape=None, dtype=None, is_non_singular=True, is_self_adjoint=True,
                 is_positive_definite=True, is_square=True, assert_proper_shapes=False,
                 name="LinearOperatorIdentity"):
        self._start("Identity", locals())

    def add_to_tensor(self, mat, name="add_to_tensor"):
        """A dense matrix with this one added to it."""
        return self._core.add_to_tensor(mat, name)


class LinearOperatorScaledIdentity(LinearOperator):
    """A number on the diagonal."""

    def __init__(self, num_rows, multiplier, is_non_singular=None, is_self_adjoint=None,
                 is_positive_definite=None, is_square=True, assert_proper_shapes=False,
                 name="LinearOperatorScaledIdentity"):
        self._start("ScaledIdentity", locals())

    multiplier = _tensor("multiplier", "The number.")

    def add_to_tensor(self, mat, name="add_to_tensor"):
        """A dense matrix with this one added to it."""
        return self._core.add_to_tensor(mat, name)


class LinearOperatorLowRankUpdate(LinearOperator):
    """Another operator plus a product of narrow matrices."""

    def __init__(self, base_operator, u, diag_update=None, v=None, is_diag_update_positive=None,
                 is_non_singular=None, is_self_adjoint=None, is_positive_definite=None, is_square=None,
                 name="LinearOperatorLowRankUpdate"):
        self._start("LowRankUpdate", locals())

    base_operator = _operand(0, "The operator that is added to.")
    diag_operator = _operand(1, "The diagonal between the narrow matrices, as an operator.")
    u = _tensor("u", "The narrow matrix on the left.")
    v = _tensor("v", "The adjoint of the narrow matrix on the right.")
    diag_update = _tensor("diag_update", "The diagonal between them; None: ones.")

    @property
    def is_diag_update_positive(self):
        """Whether that diagonal has positive numbers only."""
        return self._core.is_diag_update_positive()


class LinearOperatorLowerTriangular(LinearOperator):
    """The lower half of a matrix."""

    def __init__(self, tril, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None,
                 is_square=None, name="LinearOperatorLowerTriangular"):
        self._start("LowerTriangular", locals())

    tril = _tensor("tril", "The matrix; only its lower half is looked at.")


class LinearOperatorToeplitz(LinearOperator):
    """Equal numbers along each diagonal."""

    def __init__(self, col, row, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None,
                 is_square=None, name="LinearOperatorToeplitz"):
        self._start("Toeplitz", locals())

    col = _tensor("col", "The first column.")
    row = _tensor("row", "The first row.")


class LinearOperatorZeros(LinearOperator):
    """Zeros only."""

    def __init__(self, num_rows, num_columns=None, batch_shape=None, dtype=None, is_non_singular=False,
                 is_self_adjoint=True, is_positive_definite=False, is_square=True, assert_proper_shapes=False,
                 name="LinearOperatorZeros"):
        self._start("Zeros", locals())

    def add_to_tensor(self, mat, name="add_to_tensor"):
        """A dense matrix, which stays as it is but for its batch."""
        return self._core.add_to_tensor(mat, name)
