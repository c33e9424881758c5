#include <algorithm>
#include <cmath>
#include <limits>

#include "rill/ops/linalg/functions_of_matrices.h"
#include "rill/ops/linalg/small_matrix.h"

namespace rill {
namespace {

// The numerator of the approximant of degree 13; with these, norms up to kPadeReach need no
// scaling.
constexpr double kCoefficients[] = {64764752532480000.,
                                    32382376266240000.,
                                    7771770303897600.,
                                    1187353796428800.,
                                    129060195264000.,
                                    10559470521600.,
                                    670442572800.,
                                    33522128640.,
                                    1323241920.,
                                    40840800.,
                                    960960.,
                                    16380.,
                                    182.,
                                    1.};
constexpr double kPadeReach = 5.37;

// The sum of coefficient times matrix over some terms.
template <class T>
struct Term {
  double coefficient;
  const SmallMatrix<T>& matrix;
};
template <class T>
SmallMatrix<T> sum_of(std::initializer_list<Term<T>> terms, double on_diagonal = 0) {
  SmallMatrix<T> sum(terms.begin()->matrix.n());
  for (const Term<T>& term : terms)
    for (std::size_t i = 0; i < sum.values.size(); ++i)
      sum.values[i] += term.coefficient * term.matrix.values[i];
  sum.add_to_diagonal(T(on_diagonal));
  return sum;
}

template <class T>
std::vector<T> exponential_of(const std::vector<T>& a, std::int64_t n) {
  SmallMatrix<T> scaled(n, a);
  const double norm = scaled.largest_column_sum();
  if (!std::isfinite(norm)) return SmallMatrix<T>::nan(n).values;
  const int squarings =
      norm > kPadeReach ? static_cast<int>(std::ceil(std::log2(norm / kPadeReach))) : 0;
  for (T& value : scaled.values) value *= std::ldexp(1.0, -squarings);
  const auto& b = kCoefficients;
  const SmallMatrix<T> a2 = scaled * scaled, a4 = a2 * a2, a6 = a4 * a2;
  const SmallMatrix<T> odd_high = a6 * sum_of<T>({{b[13], a6}, {b[11], a4}, {b[9], a2}});
  const SmallMatrix<T> even_high = a6 * sum_of<T>({{b[12], a6}, {b[10], a4}, {b[8], a2}});
  const SmallMatrix<T> odd =
      scaled * sum_of<T>({{1, odd_high}, {b[7], a6}, {b[5], a4}, {b[3], a2}}, b[1]);
  const SmallMatrix<T> even = sum_of<T>({{1, even_high}, {b[6], a6}, {b[4], a4}, {b[2], a2}}, b[0]);
  SmallMatrix<T> result =
      solved(sum_of<T>({{1, even}, {-1, odd}}), sum_of<T>({{1, even}, {1, odd}}));
  for (int i = 0; i < squarings; ++i) result = result * result;
  return result.values;
}

}  // namespace

RealMatrix exponential(const RealMatrix& a, std::int64_t n) { return exponential_of(a, n); }
ComplexMatrix exponential(const ComplexMatrix& a, std::int64_t n) { return exponential_of(a, n); }

}  // namespace rill
