// The entry points to Eigen, whose signs and phases TensorFlow's results have. Only the eigen_*.cc
// files of this folder include it, and it must be their first include. Some are compiled with
// RILL_EIGEN_AVX and -mavx, some without, see README.md. Eigen's namespace gets a name of ours, in
// each compilation another: plugins bring their own Eigen, and the linker must not mix what was
// compiled with different options. What Eigen asserts becomes an error instead of the end of the
// process; release builds leave the checks out.
#pragma once

#include <immintrin.h>
#ifdef RILL_EIGEN_AVX
// Functions of these headers stay plain, whoever makes them: others may be linked with them.
#pragma GCC push_options
#pragma GCC target("no-avx")
#endif

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <climits>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iosfwd>
#include <limits>
#include <memory>
#include <ostream>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "rill/base/error.h"
#include "rill/ops/linalg/eigen_doors.h"

#define EIGEN_DONT_PARALLELIZE
#ifdef RILL_EIGEN_AVX
#pragma GCC pop_options
#define Eigen rill_eigen_avx
#else
#define Eigen rill_eigen
#endif
#ifdef NDEBUG
#define eigen_assert(condition) static_cast<void>(0)
#else
#define eigen_assert(condition) \
  ((condition) ? void() : ::rill::raise(::rill::Code::kInternal, "Eigen: " #condition))
#endif
// clang-format off
#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>
// clang-format on

namespace rill {

#ifdef RILL_EIGEN_AVX
using CompiledFor = Avx;
#else
using CompiledFor = AnyX86;
#endif

template <class T>
using EigenMatrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T>
using MatrixIn = Eigen::Map<const EigenMatrix<T>>;
template <class T>
using MatrixOut = Eigen::Map<EigenMatrix<T>>;

}  // namespace rill
