// Householder's reduction to two diagonals, for singular values without vectors. Included by
// singular_values.cpu.cc once per instruction set; sums are split over the same lanes on
// all, so that all give the same bits.
namespace rill::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_AVX3
constexpr int kVectorBytes = 64;
#elif HWY_TARGET == HWY_AVX2
constexpr int kVectorBytes = 32;
#else
constexpr int kVectorBytes = 16;
#endif
constexpr int kLineBytes = 64;
template <class T>
constexpr std::int64_t kLanes = kLineBytes / static_cast<int>(sizeof(T));

// Numbers of 64 bytes, in as many vectors as it takes.
template <class T>
struct Lanes {
  typedef T Vector __attribute__((vector_size(kVectorBytes)));
  static constexpr int kWidth = kVectorBytes / static_cast<int>(sizeof(T));
  static constexpr int kVectors = kLineBytes / kVectorBytes;
  Vector part[kVectors] = {};

  static HWY_INLINE Lanes load(const T* x) {
    Lanes result;  // vector by vector, or the compiler keeps them in memory
    for (int v = 0; v < kVectors; ++v) std::memcpy(&result.part[v], x + v * kWidth, kVectorBytes);
    return result;
  }
  HWY_INLINE void store(T* x) const {
    for (int v = 0; v < kVectors; ++v) std::memcpy(x + v * kWidth, &part[v], kVectorBytes);
  }
  // *this += factor * x
  HWY_INLINE void add(T factor, const Lanes& x) {
    for (int v = 0; v < kVectors; ++v) part[v] += factor * x.part[v];
  }
  HWY_INLINE void add_product(const Lanes& x, const Lanes& y) {
    for (int v = 0; v < kVectors; ++v) part[v] += x.part[v] * y.part[v];
  }
  // *this -= a * x + b * y
  HWY_INLINE void subtract(T a, const Lanes& x, T b, const Lanes& y) {
    for (int v = 0; v < kVectors; ++v) part[v] -= a * x.part[v] + b * y.part[v];
  }
  HWY_INLINE T sum() const {
    T x[kLanes<T>];
    store(x);
    for (int width = kLanes<T> / 2; width > 0; width /= 2)
      for (int i = 0; i < width; ++i) x[i] += x[i + width];
    return x[0];
  }
};

// The main diagonal and the one above it, one after the other: d0 e0 d1 e1 ... dn.
using Diagonals = std::vector<double>;

// A reflection turns a vector into (beta, 0, ..., 0); it is I - tau v v* with v[0] = 1.
template <class T>
struct Reflection {
  T beta, tau;
};

// Of the `count` numbers of x, which v replaces; count > 0.
template <class T>
Reflection<T> reflect(T* x, std::int64_t count) {
  Lanes<T> squares;
  std::int64_t i = 1;
  T rest = 0;
  for (; i + kLanes<T> <= count; i += kLanes<T>) {
    const Lanes<T> here = Lanes<T>::load(x + i);
    squares.add_product(here, here);
  }
  for (; i < count; ++i) rest += x[i] * x[i];
  const T tail = squares.sum() + rest, first = x[0];
  x[0] = 1;
  if (tail == 0) {
    std::fill_n(x + 1, count - 1, T(0));
    return {first, 0};
  }
  const T norm = std::sqrt(first * first + tail), beta = first > 0 ? -norm : norm;
  const T scale = 1 / (first - beta);
  for (i = 1; i < count; ++i) x[i] *= scale;
  return {beta, (beta - first) / beta};
}

// The matrix A and what is still to be subtracted from it, v w* + y u*. Every step passes it twice:
// once to subtract and to sum up the next w, once for the next y. Columns are padded to whole
// lanes; w and u are zero in those that are done.
template <class T>
class Bidiagonal {
 public:
  // Divided by a power of two; matrices with more columns than rows are turned.
  Bidiagonal(const T* a, std::int64_t m, std::int64_t n, int exponent)
      : rows_(std::max(m, n)),
        columns_(std::min(m, n)),
        stride_((columns_ + kLanes<T> - 1) / kLanes<T> * kLanes<T>),
        room_(static_cast<std::size_t>((rows_ + 2) * stride_ + 3 * rows_ + stride_)) {
    T* at = room_.data();
    const auto take = [&](std::int64_t count) { return std::exchange(at, at + count); };
    a_ = take(rows_ * stride_), w_ = take(stride_), u_ = take(stride_), sums_ = take(stride_);
    v_ = take(rows_), y_ = take(rows_), column_ = take(rows_);
    const T up = std::ldexp(T(1), -exponent / 2),
            rest = std::ldexp(T(1), -exponent - -exponent / 2);
    for (std::int64_t i = 0; i < rows_; ++i)
      for (std::int64_t j = 0; j < columns_; ++j)
        a_[i * stride_ + j] = (m >= n ? a[i * n + j] : a[j * n + i]) * up * rest;
  }

  void reduce() {
    for (std::int64_t k = 0; k < columns_; ++k) {
      for (std::int64_t i = k; i < rows_; ++i)
        column_[i] = a_[i * stride_ + k] - (v_[i] * w_[k] + y_[i] * u_[k]);
      const Reflection<T> left = reflect(column_ + k, rows_ - k);
      diagonals_.push_back(left.beta);
      if (k + 1 == columns_) return;
      subtract_and_sum(k);
      std::swap(v_, column_);
      set_w_and_row(k, left.tau);
      const Reflection<T> right = reflect(u_ + k + 1, columns_ - k - 1);
      diagonals_.push_back(right.beta);
      multiply_by_u(k, right.tau);
    }
  }

  const Diagonals& diagonals() const { return diagonals_; }

 private:
  std::int64_t first_lane(std::int64_t k) const { return k / kLanes<T> * kLanes<T>; }

  // A -= v w* + y u*, and sums = A* column.
  void subtract_and_sum(std::int64_t k) {
    std::fill_n(sums_, stride_, T(0));
    std::int64_t i = k;
    for (; i + 4 <= rows_; i += 4) subtract_rows<4>(k, i);
    for (; i < rows_; ++i) subtract_rows<1>(k, i);
  }

  template <int kRows>
  void subtract_rows(std::int64_t k, std::int64_t i) {
    for (std::int64_t j = first_lane(k); j < stride_; j += kLanes<T>) {
      const auto w = Lanes<T>::load(w_ + j), u = Lanes<T>::load(u_ + j);
      auto sums = Lanes<T>::load(sums_ + j);
      for (int r = 0; r < kRows; ++r) {
        T* const at = a_ + (i + r) * stride_ + j;
        auto row = Lanes<T>::load(at);
        row.subtract(v_[i + r], w, y_[i + r], u);
        row.store(at);
        sums.add(column_[i + r], row);
      }
      sums.store(sums_ + j);
    }
  }

  // w = tau A* v; u = row k of A - v w*.
  void set_w_and_row(std::int64_t k, T tau) {
    for (std::int64_t j = 0; j <= k; ++j) w_[j] = u_[j] = 0;
    for (std::int64_t j = k + 1; j < columns_; ++j) {
      w_[j] = tau * sums_[j];
      u_[j] = a_[k * stride_ + j] - w_[j];
    }
  }

  // y = tau (A - v w*) u
  void multiply_by_u(std::int64_t k, T tau) {
    const T along = row_times_u(w_, k);
    for (std::int64_t i = k + 1; i < rows_; ++i)
      y_[i] = tau * (row_times_u(a_ + i * stride_, k) - v_[i] * along);
  }

  HWY_INLINE T row_times_u(const T* row, std::int64_t k) const {
    Lanes<T> sum;
    for (std::int64_t j = first_lane(k); j < stride_; j += kLanes<T>)
      sum.add_product(Lanes<T>::load(row + j), Lanes<T>::load(u_ + j));
    return sum.sum();
  }

  std::int64_t rows_, columns_, stride_;
  std::vector<T> room_;
  T *a_, *w_, *u_, *sums_, *v_, *y_, *column_;
  Diagonals diagonals_;
};

}  // namespace
}  // namespace rill::HWY_NAMESPACE
