// Sixteen numbers in vectors, complex ones as vectors of either part: what the leaves of
// factor-inl.h are worked on with. Included by dense.cpu.cc once per instruction set.
namespace rill::HWY_NAMESPACE {
namespace {

constexpr std::int64_t kLeaf = 16;  // rows or columns that are worked on directly

template <class T>
struct Line {
  using R = Real<T>;
  typedef R Vector __attribute__((vector_size(kVectorBytes)));
  static constexpr int kLanes = kVectorLanes<T>, kVectors = kLeaf / kLanes;
  Vector part[kParts<T>][kVectors] = {};

  HWY_INLINE T get(std::int64_t i) const {
    if constexpr (kIsComplex<T>)
      return T(part[0][i / kLanes][i % kLanes], part[1][i / kLanes][i % kLanes]);
    else
      return part[0][i / kLanes][i % kLanes];
  }
  // `count` numbers, at most kLeaf, with a distance between them; zeros behind.
  HWY_INLINE void load(const T* x, std::int64_t count, std::int64_t distance = 1) {
    if (!kIsComplex<T> && count == kLeaf && distance == 1)
      return void(std::memcpy(static_cast<void*>(part), x, sizeof part));
    R values[kParts<T>][kLeaf] = {};
    for (std::int64_t i = 0; i < count; ++i) {
      if constexpr (kIsComplex<T>) {
        values[0][i] = x[i * distance].real();
        values[1][i] = x[i * distance].imag();
      } else {
        values[0][i] = x[i * distance];
      }
    }
    std::memcpy(part, values, sizeof part);
  }
  HWY_INLINE void store(T* x, std::int64_t count, std::int64_t distance = 1) const {
    if (!kIsComplex<T> && count == kLeaf && distance == 1)
      return void(std::memcpy(static_cast<void*>(x), part, sizeof part));
    R values[kParts<T>][kLeaf];
    std::memcpy(values, part, sizeof part);
    for (std::int64_t i = 0; i < count; ++i) {
      if constexpr (kIsComplex<T>)
        x[i * distance] = T(values[0][i], values[1][i]);
      else
        x[i * distance] = values[0][i];
    }
  }
  HWY_INLINE void conjugate() {
    if constexpr (kIsComplex<T>)
      for (int v = 0; v < kVectors; ++v) part[1][v] = -part[1][v];
  }
  // *this -= factor * x
  HWY_INLINE void subtract(T factor, const Line& x) {
    for (int v = 0; v < kVectors; ++v) {
      if constexpr (kIsComplex<T>) {
        const R re = factor.real(), im = factor.imag();
        part[0][v] -= re * x.part[0][v] - im * x.part[1][v];
        part[1][v] -= re * x.part[1][v] + im * x.part[0][v];
      } else {
        part[0][v] -= factor * x.part[0][v];
      }
    }
  }
  HWY_INLINE void divide(R divisor) {
    for (auto& vectors : part)
      for (Vector& v : vectors) v /= divisor;
  }
  HWY_INLINE void divide_by(T divisor) {
    if constexpr (kIsComplex<T>) {
      // The plain formula where the divisor's square neither overflows nor underflows.
      constexpr R kLeast = sizeof(R) == sizeof(float) ? R(1e-30) : R(1e-280);
      const R square = divisor.real() * divisor.real() + divisor.imag() * divisor.imag();
      if (square > kLeast && square < 1 / kLeast) {
        const R re = divisor.real() / square, im = divisor.imag() / square;
        for (int v = 0; v < kVectors; ++v) {
          const Vector x = part[0][v];
          part[0][v] = x * re + part[1][v] * im;
          part[1][v] = part[1][v] * re - x * im;
        }
        return;
      }
      for (std::int64_t i = 0; i < kLeaf; ++i) {
        const T quotient = get(i) / divisor;
        part[0][i / kLanes][i % kLanes] = quotient.real();
        part[1][i / kLanes][i % kLanes] = quotient.imag();
      }
    } else {
      divide(divisor);
    }
  }
};

}  // namespace
}  // namespace rill::HWY_NAMESPACE
