"""tf.linalg: functions of matrices, and linear operators."""

from rill import _surface
from rill._linear_operators import (  # noqa: F401
    LinearOperator, LinearOperatorAdjoint, LinearOperatorBlockDiag, LinearOperatorCirculant, LinearOperatorCirculant2D,
    LinearOperatorCirculant3D, LinearOperatorComposition, LinearOperatorDiag, LinearOperatorFullMatrix,
    LinearOperatorHouseholder, LinearOperatorIdentity, LinearOperatorInversion, LinearOperatorKronecker,
    LinearOperatorLowerTriangular, LinearOperatorLowRankUpdate, LinearOperatorScaledIdentity, LinearOperatorToeplitz,
    LinearOperatorZeros)

__getattr__, __dir__ = _surface.members_of(__name__)
