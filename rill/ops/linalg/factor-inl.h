// Triangular systems, Cholesky and LU by halves: each half is small work of its own and a product,
// which is where the time goes. Included by dense.cpu.cc once per instruction set.
namespace rill::HWY_NAMESPACE {
namespace {

// Where to cut n rows: in the middle, at a whole leaf.
HWY_INLINE std::int64_t half_of(std::int64_t n) { return (n / 2 + kLeaf - 1) / kLeaf * kLeaf; }

template <class T>
HWY_INLINE T times(T a, T b) {
  return wrapping_mul(a, b);
}
template <class T>
HWY_INLINE Real<T> squared(T x) {
  if constexpr (kIsComplex<T>)
    return x.real() * x.real() + x.imag() * x.imag();
  else
    return x * x;
}
template <class T>
HWY_INLINE Real<T> real_part(T x) {
  if constexpr (kIsComplex<T>)
    return x.real();
  else
    return x;
}

template <class T>
HWY_INLINE void solve_leaf_column(const TriangularSystem& s, const T* t, T* b) {
  for (std::int64_t step = 0; step < s.n; ++step) {
    const std::int64_t i = s.lower ? step : s.n - 1 - step;
    const std::int64_t first = s.lower ? 0 : i + 1, last = s.lower ? i : s.n;
    T x = b[i * s.ldb];
    for (std::int64_t k = first; k < last; ++k) x -= times(t[i * s.ldt + k], b[k * s.ldb]);
    b[i * s.ldb] = s.unit ? x : x / t[i * s.ldt + i];
  }
}

template <class T>
HWY_INLINE void solve_leaf_columns(const TriangularSystem& s, const T* t, T* b,
                                   std::int64_t count) {
  Line<T> x[kLeaf];
  for (std::int64_t step = 0; step < s.n; ++step) {
    const std::int64_t i = s.lower ? step : s.n - 1 - step;
    const std::int64_t first = s.lower ? 0 : i + 1, last = s.lower ? i : s.n;
    Line<T> row;
    row.load(b + i * s.ldb, count);
    for (std::int64_t k = first; k < last; ++k) row.subtract(t[i * s.ldt + k], x[k]);
    if (!s.unit) row.divide_by(t[i * s.ldt + i]);
    row.store(b + i * s.ldb, count);
    x[i] = row;
  }
}

// A few columns, of real numbers.
template <class T, int count>
void solve_leaf_few(const TriangularSystem& s, const T* t, T* b) {
  for (std::int64_t step = 0; step < s.n; ++step) {
    const std::int64_t i = s.lower ? step : s.n - 1 - step;
    const std::int64_t first = s.lower ? 0 : i + 1, last = s.lower ? i : s.n;
    T row[count];
    for (int j = 0; j < count; ++j) row[j] = b[i * s.ldb + j];
    for (std::int64_t k = first; k < last; ++k)
      for (int j = 0; j < count; ++j) row[j] -= t[i * s.ldt + k] * b[k * s.ldb + j];
    const T pivot = s.unit ? T(1) : t[i * s.ldt + i];
    for (int j = 0; j < count; ++j) b[i * s.ldb + j] = row[j] / pivot;
  }
}

template <class T>
void solve_leaf(const TriangularSystem& s) {
  const auto* t = static_cast<const T*>(s.t);
  auto* b = static_cast<T*>(s.b);
  if constexpr (!kIsComplex<T>) switch (s.m) {
      case 2:
        return solve_leaf_few<T, 2>(s, t, b);
      case 3:
        return solve_leaf_few<T, 3>(s, t, b);
      case 4:
        return solve_leaf_few<T, 4>(s, t, b);
    }
  for (std::int64_t j = 0; j < s.m; j += kLeaf) {
    if (s.m - j == 1)
      solve_leaf_column<T>(s, t, b + j);
    else
      solve_leaf_columns<T>(s, t, b + j, std::min(kLeaf, s.m - j));
  }
}

template <class T>
void solve_triangular_of(const TriangularSystem& s) {
  if constexpr (!kIsComplex<T>)
    if (s.m == 1 && s.ldb == 1) return ColumnSystem<T>{s}.solve();
  if (s.n <= kLeaf) return solve_leaf<T>(s);
  const std::int64_t n = half_of(s.n), rest = s.n - n;
  const auto* t = static_cast<const T*>(s.t);
  auto* b = static_cast<T*>(s.b);
  TriangularSystem upper = s, lower = s;
  upper.n = n;
  lower.n = rest;
  lower.t = t + n * s.ldt + n;
  lower.b = b + n * s.ldb;
  if (s.lower) {
    solve_triangular_of<T>(upper);
    subtract_product_of<T>({rest, s.m, n, t + n * s.ldt, b, b + n * s.ldb, s.ldt, s.ldb, s.ldb});
    solve_triangular_of<T>(lower);
  } else {
    solve_triangular_of<T>(lower);
    subtract_product_of<T>({n, s.m, rest, t + n, b + n * s.ldb, b, s.ldt, s.ldb, s.ldb});
    solve_triangular_of<T>(upper);
  }
}

// X L* = B for m rows of B, in place.
template <class T>
void solve_right_leaf(const T* l, T* b, std::int64_t ld, std::int64_t m, std::int64_t n) {
  Line<T> x[kLeaf];  // columns of B
  for (std::int64_t top = 0; top < m; top += kLeaf) {
    const std::int64_t rows = std::min(kLeaf, m - top);
    T* const block = b + top * ld;
    for (std::int64_t j = 0; j < n; ++j) {
      x[j].load(block + j, rows, ld);
      for (std::int64_t k = 0; k < j; ++k) x[j].subtract(conjugate(l[j * ld + k]), x[k]);
      x[j].divide(real_part(l[j * ld + j]));
    }
    for (std::int64_t j = 0; j < n; ++j) x[j].store(block + j, rows, ld);
  }
}

template <class T>
void solve_right(const T* l, T* b, std::int64_t ld, std::int64_t m, std::int64_t n) {
  if (n <= kLeaf) return solve_right_leaf(l, b, ld, m, n);
  const std::int64_t half = half_of(n), rest = n - half;
  solve_right(l, b, ld, m, half);
  subtract_product_of<T>({m, rest, half, b, l + half * ld, b + half, ld, ld, ld, true});
  solve_right(l + half * ld + half, b + half, ld, m, rest);
}

// C -= A A*, the lower triangle; some of the upper one is written over.
template <class T>
void subtract_square(const T* a, T* c, std::int64_t ld, std::int64_t n, std::int64_t k) {
  if (n <= 2 * kLeaf) return subtract_product_of<T>({n, n, k, a, a, c, ld, ld, ld, true});
  const std::int64_t half = half_of(n), rest = n - half;
  subtract_square(a, c, ld, half, k);
  subtract_product_of<T>({rest, half, k, a + half * ld, a, c + half * ld, ld, ld, ld, true});
  subtract_square(a + half * ld, c + half * ld + half, ld, rest, k);
}

template <class T>
bool cholesky_leaf(T* a, std::int64_t ld, std::int64_t n) {
  Line<T> u[kLeaf];  // rows of the factor's adjoint, zero before the diagonal
  for (std::int64_t i = 0; i < n; ++i) {
    T column[kLeaf] = {};
    for (std::int64_t j = i; j < n; ++j) column[j] = conjugate(a[j * ld + i]);
    u[i].load(column, kLeaf);
  }
  for (std::int64_t k = 0; k < n; ++k) {
    const Real<T> square = real_part(u[k].get(k));
    if (square <= 0) return false;
    u[k].divide(std::sqrt(square));
    for (std::int64_t i = k + 1; i < n; ++i) u[i].subtract(conjugate(u[k].get(i)), u[k]);
  }
  for (std::int64_t i = 0; i < n; ++i) {
    T row[kLeaf];
    u[i].store(row, kLeaf);
    a[i * ld + i] = T(real_part(row[i]));
    for (std::int64_t j = i + 1; j < n; ++j) a[j * ld + i] = conjugate(row[j]);
  }
  return true;
}

template <class T>
bool factor_cholesky(T* a, std::int64_t ld, std::int64_t n) {
  if (n <= kLeaf) return cholesky_leaf(a, ld, n);
  const std::int64_t half = half_of(n), rest = n - half;
  if (!factor_cholesky(a, ld, half)) return false;
  solve_right(a, a + half * ld, ld, rest, half);
  subtract_square(a + half * ld, a + half * ld + half, ld, rest, half);
  return factor_cholesky(a + half * ld + half, ld, rest);
}

template <class T>
bool cholesky_of(void* a, std::int64_t n) {
  return factor_cholesky(static_cast<T*>(a), n, n);
}

// The LU factorisation of a square matrix; rows are exchanged as a whole.
template <class T>
struct LuFactor {
  T* a;
  std::int64_t n;
  std::int64_t* order;
  int sign = 1;

  // The row with the largest element of a column below the diagonal; the first of equal ones.
  std::int64_t pivot_row(std::int64_t column) const {
    std::int64_t best = column;
    Real<T> largest = squared(a[column * n + column]);
    for (std::int64_t i = column + 1; i < n; ++i) {
      const Real<T> size = squared(a[i * n + column]);
      if (size > largest) largest = size, best = i;
    }
    return best;
  }

  void exchange(std::int64_t i, std::int64_t j) {
    if (i == j) return;
    std::swap_ranges(a + i * n, a + i * n + n, a + j * n);
    std::swap(order[i], order[j]);
    sign = -sign;
  }

  // Columns [from, from + count) of rows from `from` on.
  void leaf(std::int64_t from, std::int64_t count) {
    for (std::int64_t k = from; k < from + count; ++k) {
      exchange(k, pivot_row(k));
      const T pivot = a[k * n + k];
      if (pivot == T(0)) continue;
      if (count == kLeaf)
        eliminate(k, from, pivot);
      else
        for (std::int64_t i = k + 1; i < n; ++i) {
          const T factor = a[i * n + k] /= pivot;
          for (std::int64_t j = k + 1; j < from + count; ++j)
            a[i * n + j] -= times(factor, a[k * n + j]);
        }
    }
  }

  // Whole leaves at once: what lies left of the pivot has zeros subtracted.
  void eliminate(std::int64_t k, std::int64_t from, T pivot) {
    T values[kLeaf] = {};
    for (std::int64_t j = k + 1; j < from + kLeaf; ++j) values[j - from] = a[k * n + j];
    Line<T> line, row;
    line.load(values, kLeaf);
    for (std::int64_t i = k + 1; i < n; ++i) {
      const T factor = a[i * n + k] / pivot;
      row.load(a + i * n + from, kLeaf);
      row.subtract(factor, line);
      row.store(a + i * n + from, kLeaf);
      a[i * n + k] = factor;
    }
  }

  void factor(std::int64_t from, std::int64_t count) {
    if (count <= kLeaf) return leaf(from, count);
    const std::int64_t half = half_of(count), rest = count - half, next = from + half;
    factor(from, half);
    T* const top = a + from * n;
    T* const below = a + next * n;
    solve_triangular_of<T>({half, rest, top + from, top + next, n, n, true, true});
    subtract_product_of<T>({n - next, rest, half, below + from, top + next, below + next, n, n, n});
    factor(next, rest);
  }
};

template <class T>
int lu_of(void* a, std::int64_t n, std::int64_t* order) {
  std::iota(order, order + n, std::int64_t{0});
  LuFactor<T> lu{static_cast<T*>(a), n, order};
  if (n > 0) lu.factor(0, n);
  return lu.sign;
}

template <class T>
constexpr Dense kDense{subtract_product_of<T>, solve_triangular_of<T>, cholesky_of<T>, lu_of<T>};

}  // namespace
}  // namespace rill::HWY_NAMESPACE
