// Decompositions for processors without AVX that are computed in double: each type for which Eigen
// is compiled costs every build most of a minute.
#include <algorithm>
#include <type_traits>
#include <vector>

#include "rill/ops/linalg/eigen_doors.h"

namespace rill {
namespace {

template <class T>
using Wide = std::conditional_t<std::is_same_v<T, float>, double, std::complex<double>>;

template <class T>
std::vector<Wide<T>> widened(const T* values, std::int64_t count) {
  return {values, values + count};
}

// Room for `count` numbers, which are rounded to where they belong at the end.
template <class T>
class WideResult {
 public:
  WideResult(T* narrow, std::int64_t count)
      : narrow_(narrow), wide_(narrow == nullptr ? 0 : static_cast<std::size_t>(count)) {}
  ~WideResult() {
    for (std::size_t i = 0; i < wide_.size(); ++i) narrow_[i] = static_cast<T>(wide_[i]);
  }
  WideResult(const WideResult&) = delete;
  WideResult& operator=(const WideResult&) = delete;

  Wide<T>* data() { return narrow_ == nullptr ? nullptr : wide_.data(); }

 private:
  T* narrow_;
  std::vector<Wide<T>> wide_;
};

template <class T>
void wide_qr(const T* a, std::int64_t m, std::int64_t n, bool full, T* q, T* r) {
  const std::int64_t k = full ? m : std::min(m, n);
  WideResult<T> wide_q(q, m * k), wide_r(r, k * n);
  eigen_qr_on<AnyX86>(widened(a, m * n).data(), m, n, full, wide_q.data(), wide_r.data());
}

template <class T>
bool wide_self_adjoint(const T* a, std::int64_t n, T* values, T* v) {
  WideResult<T> wide_values(values, n), wide_v(v, n * n);
  return eigen_self_adjoint_on<AnyX86>(widened(a, n * n).data(), n, wide_values.data(),
                                       wide_v.data());
}

template <class T>
void wide_svd(const T* a, std::int64_t m, std::int64_t n, bool full, T* s, T* u, T* v) {
  const std::int64_t k = std::min(m, n);
  WideResult<T> wide_s(s, k), wide_u(u, m * (full ? m : k)), wide_v(v, n * (full ? n : k));
  eigen_svd_on<AnyX86>(widened(a, m * n).data(), m, n, full, wide_s.data(), wide_u.data(),
                       wide_v.data());
}

}  // namespace

template <>
void eigen_qr_on<AnyX86>(const float* a, std::int64_t m, std::int64_t n, bool full, float* q,
                         float* r) {
  wide_qr(a, m, n, full, q, r);
}
template <>
bool eigen_self_adjoint_on<AnyX86>(const float* a, std::int64_t n, float* values, float* v) {
  return wide_self_adjoint(a, n, values, v);
}
template <>
void eigen_svd_on<AnyX86>(const float* a, std::int64_t m, std::int64_t n, bool full, float* s,
                          float* u, float* v) {
  wide_svd(a, m, n, full, s, u, v);
}

using Complex64 = std::complex<float>;

template <>
void eigen_qr_on<AnyX86>(const Complex64* a, std::int64_t m, std::int64_t n, bool full,
                         Complex64* q, Complex64* r) {
  wide_qr(a, m, n, full, q, r);
}
template <>
bool eigen_self_adjoint_on<AnyX86>(const Complex64* a, std::int64_t n, Complex64* values,
                                   Complex64* v) {
  return wide_self_adjoint(a, n, values, v);
}
template <>
void eigen_svd_on<AnyX86>(const Complex64* a, std::int64_t m, std::int64_t n, bool full,
                          Complex64* s, Complex64* u, Complex64* v) {
  wide_svd(a, m, n, full, s, u, v);
}

}  // namespace rill
