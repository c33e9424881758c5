// Triangular systems with one right-hand side, which passes over the triangle once: nothing is
// packed, as it would not be used again. Included by dense.cpu.cc once per instruction set; sums
// are split over the same lanes on all.
namespace rill::HWY_NAMESPACE {
namespace {

constexpr int kLineBytes = 64;

// The sums over k < count of t[row * ld + k] * x[k], for kRows rows.
template <class T, int kRows>
HWY_INLINE void row_sums(const T* t, std::int64_t ld, const T* x, std::int64_t count, T* sums) {
  typedef T Vector __attribute__((vector_size(kVectorBytes)));
  constexpr int kWidth = kVectorBytes / sizeof(T), kVectors = kLineBytes / kVectorBytes;
  constexpr int kLanes = kLineBytes / sizeof(T);
  Vector lanes[kRows][kVectors] = {};
  std::int64_t k = 0;
  for (; k + kLanes <= count; k += kLanes)
    for (int v = 0; v < kVectors; ++v) {
      Vector here, factor;
      std::memcpy(&here, x + k + v * kWidth, sizeof here);
      for (int row = 0; row < kRows; ++row) {
        std::memcpy(&factor, t + row * ld + k + v * kWidth, sizeof factor);
        lanes[row][v] += factor * here;
      }
    }
  for (int row = 0; row < kRows; ++row) {
    T sum[kLanes];
    std::memcpy(sum, lanes[row], sizeof sum);
    for (int width = kLanes / 2; width > 0; width /= 2)
      for (int i = 0; i < width; ++i) sum[i] += sum[i + width];
    for (std::int64_t i = k; i < count; ++i) sum[0] += t[row * ld + i] * x[i];
    sums[row] = sum[0];
  }
}

// x[k] -= the sum over rows of t[row * ld + k] * factors[row], for k < count.
template <class T, int kRows>
HWY_INLINE void subtract_rows(const T* t, std::int64_t ld, const T* factors, std::int64_t count,
                              T* HWY_RESTRICT x) {
  T factor[kRows];
  std::copy_n(factors, kRows, factor);
  for (std::int64_t k = 0; k < count; ++k) {
    T here = x[k];
    for (int row = 0; row < kRows; ++row) here -= t[row * ld + k] * factor[row];
    x[k] = here;
  }
}

// As TriangularSystem with m = 1, for the triangle itself or its transpose.
template <class T>
struct ColumnSystem {
  const TriangularSystem& s;
  const T* t = static_cast<const T*>(s.t);
  T* b = static_cast<T*>(s.b);

  // The order of unknowns is that in which they are solved for.
  bool ascends() const { return s.lower != s.transposed; }
  const T& at(std::int64_t i, std::int64_t k) const {
    return s.transposed ? t[k * s.ldt + i] : t[i * s.ldt + k];
  }

  void solve() const {
    const std::int64_t blocks = (s.n + kLeaf - 1) / kLeaf;
    for (std::int64_t step = 0; step < blocks; ++step) {
      const std::int64_t first = (ascends() ? step : blocks - 1 - step) * kLeaf;
      const std::int64_t end = std::min(s.n, first + kLeaf);
      if (!s.transposed) subtract_solved(first, end);
      solve_block(first, end);
      if (s.transposed) subtract_from_others(first, end);
    }
  }

  // What is known of the rows [first, end) from unknowns outside.
  void subtract_solved(std::int64_t first, std::int64_t end) const {
    const std::int64_t from = s.lower ? 0 : end, count = s.lower ? first : s.n - end;
    T sums[4];
    std::int64_t i = first;
    for (; i + 4 <= end; i += 4) {
      row_sums<T, 4>(t + i * s.ldt + from, s.ldt, b + from, count, sums);
      for (int row = 0; row < 4; ++row) b[i + row] -= sums[row];
    }
    for (; i < end; ++i) {
      row_sums<T, 1>(t + i * s.ldt + from, s.ldt, b + from, count, sums);
      b[i] -= sums[0];
    }
  }

  void solve_block(std::int64_t first, std::int64_t end) const {
    T x[kLeaf];
    const std::int64_t count = end - first;
    std::copy_n(b + first, count, x);
    for (std::int64_t step = 0; step < count; ++step) {
      const std::int64_t k = ascends() ? step : count - 1 - step;
      if (!s.unit) x[k] /= t[(first + k) * (s.ldt + 1)];
      const std::int64_t from = ascends() ? k + 1 : 0, to = ascends() ? count : k;
      for (std::int64_t i = from; i < to; ++i) x[i] -= at(first + i, first + k) * x[k];
    }
    std::copy_n(x, count, b + first);
  }

  void subtract_from_others(std::int64_t first, std::int64_t end) const {
    const std::int64_t from = s.lower ? 0 : end, count = s.lower ? first : s.n - end;
    std::int64_t k = first;
    for (; k + 4 <= end; k += 4)
      subtract_rows<T, 4>(t + k * s.ldt + from, s.ldt, b + k, count, b + from);
    for (; k < end; ++k) subtract_rows<T, 1>(t + k * s.ldt + from, s.ldt, b + k, count, b + from);
  }
};

}  // namespace
}  // namespace rill::HWY_NAMESPACE
