// C -= A B by tiles that stay in registers. Included by dense.cpu.cc once per instruction set;
// every element is summed in the order of the depth, so that all give the same bits.
namespace rill::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_AVX3
constexpr int kVectorBytes = 64, kPanelRows = 8;
#else
constexpr int kVectorBytes = 32, kPanelRows = 4;
#endif
constexpr std::int64_t kPanelDepth = 256, kRowBlock = 128;  // what is packed stays in the caches

template <class T>
struct RealOf {
  using type = T;
};
template <class T>
struct RealOf<std::complex<T>> {
  using type = T;
};
template <class T>
using Real = typename RealOf<T>::type;
template <class T>
inline constexpr int kParts = kIsComplex<T> ? 2 : 1;
template <class T>
inline constexpr int kVectorLanes = kVectorBytes / static_cast<int>(sizeof(Real<T>));

template <class T>
HWY_INLINE T conjugate(T x) {
  if constexpr (kIsComplex<T>)
    return T(x.real(), -x.imag());
  else
    return x;
}

// Packs `count` lines of length `depth` to [depth][part][width], zero beyond `count`: real parts
// first, then imaginary ones. Element (i, d) lies at x[i * line + d * step].
template <class T>
void pack_lines(const T* x, std::int64_t line, std::int64_t step, std::int64_t count, int width,
                std::int64_t depth, bool conjugates, Real<T>* out) {
  if (count < width) std::fill_n(out, depth * width * kParts<T>, Real<T>(0));
  const auto lines = static_cast<int>(std::min<std::int64_t>(count, width));
  const auto put = [&](int i, std::int64_t d) {
    const T value = x[i * line + d * step];
    if constexpr (kIsComplex<T>) {
      Real<T>* const to = out + d * 2 * width + i;
      to[0] = value.real();
      to[width] = conjugates ? -value.imag() : value.imag();
    } else {
      out[d * width + i] = value;
    }
  };
  if (step == 1) {
    for (int i = 0; i < lines; ++i)
      for (std::int64_t d = 0; d < depth; ++d) put(i, d);
  } else {
    for (std::int64_t d = 0; d < depth; ++d)
      for (int i = 0; i < lines; ++i) put(i, d);
  }
}

// c -= a tile of the product, of which `rows` x `columns` are wanted.
template <class T>
HWY_INLINE void subtract_tile(const T* tile, int width, T* c, std::int64_t ldc, std::int64_t rows,
                              std::int64_t columns) {
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j) c[i * ldc + j] -= tile[i * width + j];
}

// kVectors vectors to a row of the tile; complex numbers as vectors of either part.
template <class T, int kVectors>
HWY_INLINE void subtract_panels(const Real<T>* a, const Real<T>* b, std::int64_t depth, T* c,
                                std::int64_t ldc, std::int64_t rows, std::int64_t columns) {
  using R = Real<T>;
  typedef R Vector __attribute__((vector_size(kVectorBytes)));
  constexpr int kLanes = kVectorLanes<T>, kWidth = kVectors * kLanes;
  Vector sum[kPanelRows][kVectors * kParts<T>] = {};
  for (std::int64_t d = 0; d < depth; ++d, a += kPanelRows * kParts<T>, b += kWidth * kParts<T>) {
    Vector line[kVectors * kParts<T>];
    std::memcpy(line, b, sizeof line);
    for (int i = 0; i < kPanelRows; ++i) {
      for (int v = 0; v < kVectors; ++v) {
        if constexpr (kIsComplex<T>) {
          const R re = a[i], im = a[kPanelRows + i];
          sum[i][v] += re * line[v] - im * line[kVectors + v];
          sum[i][kVectors + v] += re * line[kVectors + v] + im * line[v];
        } else {
          sum[i][v] += a[i] * line[v];
        }
      }
    }
  }
  alignas(64) T tile[kPanelRows * kWidth];
  if constexpr (kIsComplex<T>) {
    for (int i = 0; i < kPanelRows; ++i)
      for (int j = 0; j < kWidth; ++j)
        tile[i * kWidth + j] =
            T(sum[i][j / kLanes][j % kLanes], sum[i][kVectors + j / kLanes][j % kLanes]);
  } else {
    std::memcpy(tile, sum, sizeof sum);
  }
  if (rows == kPanelRows && columns == kWidth)
    subtract_tile(tile, kWidth, c, ldc, kPanelRows, kWidth);
  else
    subtract_tile(tile, kWidth, c, ldc, rows, columns);
}

template <class T>
void subtract_product_of(const Subtraction& s) {
  using R = Real<T>;
  constexpr int kLanes = kVectorLanes<T>;
  constexpr int kVectors = kIsComplex<T> ? 1 : 2;
  constexpr int kWidth = kVectors * kLanes;
  if (s.m <= 0 || s.n <= 0 || s.k <= 0) return;
  const auto* a = static_cast<const T*>(s.a);
  const auto* b = static_cast<const T*>(s.b);
  auto* c = static_cast<T*>(s.c);
  const std::int64_t max_depth = std::min(kPanelDepth, s.k);
  const std::int64_t tiles = (std::min(kRowBlock, s.m) + kPanelRows - 1) / kPanelRows;
  const auto a_panels = std::make_unique_for_overwrite<R[]>(
      static_cast<std::size_t>(tiles * kPanelRows * max_depth * kParts<T>));
  alignas(64) R b_panel[kPanelDepth * kWidth * kParts<T>];
  for (std::int64_t d = 0; d < s.k; d += kPanelDepth) {
    const std::int64_t depth = std::min(kPanelDepth, s.k - d);
    for (std::int64_t top = 0; top < s.m; top += kRowBlock) {
      const std::int64_t end = std::min(s.m, top + kRowBlock);
      R* packed = a_panels.get();
      for (std::int64_t i = top; i < end; i += kPanelRows, packed += depth * kPanelRows * kParts<T>)
        pack_lines(a + i * s.lda + d, s.lda, 1, end - i, kPanelRows, depth, false, packed);
      for (std::int64_t j = 0; j < s.n; j += kWidth) {
        const std::int64_t columns = std::min<std::int64_t>(kWidth, s.n - j);
        const bool narrow = columns <= kLanes;
        pack_lines(s.adjoint_b ? b + j * s.ldb + d : b + d * s.ldb + j, s.adjoint_b ? s.ldb : 1,
                   s.adjoint_b ? 1 : s.ldb, columns, narrow ? kLanes : kWidth, depth, s.adjoint_b,
                   b_panel);
        const R* rows = a_panels.get();
        for (std::int64_t i = top; i < end;
             i += kPanelRows, rows += depth * kPanelRows * kParts<T>) {
          const std::int64_t count = std::min<std::int64_t>(kPanelRows, end - i);
          if (narrow)
            subtract_panels<T, 1>(rows, b_panel, depth, c + i * s.ldc + j, s.ldc, count, columns);
          else
            subtract_panels<T, kVectors>(rows, b_panel, depth, c + i * s.ldc + j, s.ldc, count,
                                         columns);
        }
      }
    }
  }
}

}  // namespace
}  // namespace rill::HWY_NAMESPACE
