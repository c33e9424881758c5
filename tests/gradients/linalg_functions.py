"""Functions of matrices. Nodes are not compared: products of matrices have other names here."""
import numpy as np

from functions import FEEDS, FUNCTIONS, VALUES_ONLY

NUMBERS = np.random.RandomState(7)


def feed(name, *shape, add=0.0):
    FEEDS[name] = NUMBERS.uniform(-1, 1, shape) + add * np.eye(*shape[-2:])
    return name


def positive(name, *shape):
    x = NUMBERS.uniform(-1, 1, shape)
    FEEDS[name] = x @ np.swapaxes(x, -1, -2) + np.eye(shape[-1])
    return name


def place(tf, name):
    """Sizes are known: TensorFlow's gradients of decompositions ask for them."""
    value = FEEDS[name]
    return tf.placeholder(tf.as_dtype(value.dtype), value.shape, name=name)


def weighted(tf, outputs, xs):
    """Every element of an output counts differently."""
    outputs = outputs if isinstance(outputs, (list, tuple)) else [outputs]
    weighted_ones = []
    for output in outputs:
        size = int(np.prod(output.shape.as_list()))
        weights = np.cos(np.arange(1.0, size + 1)).reshape(output.shape.as_list())
        weighted_ones.append(tf.raw_ops.Mul(x=output, y=tf.constant(weights)))
    return weighted_ones, xs


def add(name, op, feeds, order=1, **attributes):
    """`order` 2 takes gradients of the first input's gradient."""
    def build(tf):
        xs = {argument: place(tf, value) for argument, value in feeds.items()}
        outputs = getattr(tf.raw_ops, op)(**xs, **attributes)
        made = [x for x in xs.values()]
        ys, xs = weighted(tf, outputs, made)
        if order == 1:
            return ys, xs
        return weighted(tf, tf.gradients(ys, xs[:1])[0], xs)
    FUNCTIONS[name] = build
    VALUES_ONLY[name] = "products of matrices have other names"


square, batch, spd = feed("square", 4, 4, add=3.0), feed("batch", 2, 3, 3, add=2.0), positive("spd", 2, 3, 3)
tall, wide, columns = feed("tall", 5, 3), feed("wide", 3, 5), feed("columns", 4, 2)
rows3, rows5 = feed("rows3", 3, 2), feed("rows5", 5, 2)
nearly = feed("nearly_square", 3, 4)
bands, band_rhs = feed("bands", 2, 3, 4, add=3.0), feed("band_rhs", 2, 4, 2)
above, middle, below = (feed(name, 2, 1, 4) for name in ("above", "middle", "below"))
FEEDS["regularizer"] = np.array(0.25)

for order in (1, 2):
    suffix = "" if order == 1 else "_twice"
    add("cholesky" + suffix, "Cholesky", {"input": spd}, order)
    add("matrix_inverse" + suffix, "MatrixInverse", {"input": batch}, order)
    add("matrix_inverse_adjoint" + suffix, "MatrixInverse", {"input": batch}, order, adjoint=True)
    add("determinant" + suffix, "MatrixDeterminant", {"input": batch}, order)
    add("log_determinant" + suffix, "LogMatrixDeterminant", {"input": batch}, order)
    add("qr" + suffix, "Qr", {"input": tall}, order)
    add("svd" + suffix, "Svd", {"input": tall}, order)
    add("self_adjoint_eig" + suffix, "SelfAdjointEigV2", {"input": batch}, order)
    add("square_root" + suffix, "MatrixSquareRoot", {"input": batch}, order)
    for adjoint in (False, True):
        turned = ("_adjoint" if adjoint else "") + suffix
        add("matrix_solve" + turned, "MatrixSolve", {"matrix": square, "rhs": columns}, order,
            adjoint=adjoint)
        for lower in (False, True):
            add(("lower" if lower else "upper") + "_solve" + turned, "MatrixTriangularSolve",
                {"matrix": square, "rhs": columns}, order, lower=lower, adjoint=adjoint)
    add("tridiagonal_product" + suffix, "TridiagonalMatMul",
        {"superdiag": above, "maindiag": middle, "subdiag": below, "rhs": band_rhs}, order)
    add("tridiagonal_solve" + suffix, "TridiagonalSolve",
        {"diagonals": bands, "rhs": band_rhs}, order)

add("qr_square", "Qr", {"input": square})
add("qr_wide", "Qr", {"input": wide})
add("svd_wide", "Svd", {"input": wide})
add("svd_square", "Svd", {"input": square})
add("svd_full", "Svd", {"input": nearly}, full_matrices=True)
add("triangular_solve_broadcast", "MatrixTriangularSolve", {"matrix": batch, "rhs": rows3})
add("least_squares_tall", "MatrixSolveLs",
    {"matrix": tall, "rhs": rows5, "l2_regularizer": "regularizer"})
add("least_squares_wide", "MatrixSolveLs",
    {"matrix": wide, "rhs": rows3, "l2_regularizer": "regularizer"})
