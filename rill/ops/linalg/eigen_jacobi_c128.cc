#define RILL_COMPILES_JACOBI
#include "rill/ops/linalg/eigen-inl.h"

template class Eigen::JacobiSVD<rill::EigenMatrix<std::complex<double>>>;
