"""Decompositions and systems of equations, in batches and alone."""
import numpy as np

from op_cases import Case, Input, floats


def definite(*shape):
    x = floats(*shape).array
    return Input(x @ np.swapaxes(x, -1, -2) + shape[-1] * np.eye(shape[-1], dtype=np.float32))


def dominant(*shape):
    return Input(floats(*shape).array + 0.1 * shape[-1] * np.eye(shape[-1], dtype=np.float32))


def in_double(given):
    return Input(given.array.astype(np.float64))


def cholesky(name, given, repeat):
    return Case(name, {"x": given}, lambda r, x: r.Cholesky(input=x),
                lambda t, x: t.linalg.cholesky(x), repeat)


def svd(name, given):
    return Case(name, {"x": given}, lambda r, x: r.Svd(input=x),
                lambda t, x: t.linalg.svd(x, full_matrices=False))


def singular_values(name, given):
    return Case(name, {"x": given}, lambda r, x: r.Svd(input=x, compute_uv=False),
                lambda t, x: t.linalg.svdvals(x))


def eigenvectors(name, given):
    return Case(name, {"x": given}, lambda r, x: r.SelfAdjointEigV2(input=x),
                lambda t, x: t.linalg.eigh(x))


def eigenvalues(name, given):
    return Case(name, {"x": given}, lambda r, x: r.SelfAdjointEigV2(input=x, compute_v=False),
                lambda t, x: t.linalg.eigvalsh(x))


def qr(name, given):
    return Case(name, {"x": given}, lambda r, x: r.Qr(input=x), lambda t, x: t.linalg.qr(x))


def decompositions():
    """Every decomposition in batches of small matrices and alone, in both precisions."""
    for shape in ((64, 32, 32), (128, 128), (256, 256), (512, 512)):
        for suffix, given in (("", lambda x: x), ("_double", in_double)):
            size = "x".join(map(str, shape)) + suffix
            anything, symmetric = given(floats(*shape)), given(definite(*shape))
            yield cholesky(f"cholesky_of_{size}", symmetric, 1)
            yield svd(f"svd_of_{size}", anything)
            yield singular_values(f"singular_values_of_{size}", anything)
            yield eigenvectors(f"eigenvectors_of_{size}", symmetric)
            yield eigenvalues(f"eigenvalues_of_{size}", symmetric)
            yield qr(f"qr_of_{size}", anything)


def solve(name, given, rhs):
    return Case(name, {"a": given, "b": rhs}, lambda r, a, b: r.MatrixSolve(matrix=a, rhs=b),
                lambda t, a, b: t.linalg.solve(a, b))


def triangular(name, given, rhs):
    return Case(name, {"a": given, "b": rhs},
                lambda r, a, b: r.MatrixTriangularSolve(matrix=a, rhs=b),
                lambda t, a, b: t.linalg.solve_triangular(a, b, upper=False))


CASES = [
    cholesky("cholesky_64x64x64", definite(64, 64, 64), 2),
    cholesky("cholesky_64x128x128", definite(64, 128, 128), 1),
    cholesky("cholesky_64x256x256", definite(64, 256, 256), 1),
    cholesky("cholesky_double", in_double(definite(64, 128, 128)), 1),
    svd("svd_8x128x128", floats(8, 128, 128)),
    svd("svd_double", in_double(floats(8, 128, 128))),
    svd("svd_256x8x8", floats(256, 8, 8)),
    solve("solve_512", dominant(512, 512), floats(512, 64)),
    solve("solve_double", in_double(dominant(512, 512)), in_double(floats(512, 64))),
    solve("solve_64x32x32", dominant(64, 32, 32), floats(64, 32, 4)),
    triangular("triangular_solve_512", dominant(512, 512), floats(512, 512)),
    triangular("triangular_solve_double", in_double(dominant(512, 512)), in_double(floats(512, 512))),
    triangular("triangular_solve_one", dominant(512, 512), floats(512, 1)),
    Case("inverse_8x128x128", {"x": dominant(8, 128, 128)}, lambda r, x: r.MatrixInverse(input=x),
         lambda t, x: t.linalg.inv(x)),
    eigenvectors("eigenvectors_8x128x128", definite(8, 128, 128)),
    qr("qr_8x128x128", floats(8, 128, 128)),
    *decompositions(),
]
