"""tf.contrib.linalg: linear operators under the name they had first."""

from rill.linalg import (  # noqa: F401
    LinearOperator, LinearOperatorAdjoint, LinearOperatorBlockDiag, LinearOperatorCirculant, LinearOperatorCirculant2D,
    LinearOperatorCirculant3D, LinearOperatorComposition, LinearOperatorDiag, LinearOperatorFullMatrix,
    LinearOperatorHouseholder, LinearOperatorIdentity, LinearOperatorInversion, LinearOperatorKronecker,
    LinearOperatorLowerTriangular, LinearOperatorLowRankUpdate, LinearOperatorScaledIdentity, LinearOperatorToeplitz,
    LinearOperatorZeros)
