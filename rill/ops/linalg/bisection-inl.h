// Singular values of two diagonals by bisection, many at once. Included by singular_values.cpu.cc
// once per instruction set.
namespace rill::HWY_NAMESPACE {
namespace {

// Diagonals d0 e0 d1 ... have the values that are the positive eigenvalues of the symmetric matrix
// with zeros on its diagonal and them beside it. So many of these are greater than x as the
// sequence
//   q0 = 1, q1 = x, q(i+1) = x q(i) - z(i)^2 q(i-1)
// changes its sign. Rounding it is rounding x and z(i).
constexpr int kFew = 8, kMany = 32;  // values that are searched together
constexpr int kBetweenScalings = 4;  // steps, each of which shrinks q by less than 2^202
constexpr double kLeast = 0x1p-100;

typedef double Numbers __attribute__((vector_size(kVectorBytes)));
typedef std::int64_t Integers __attribute__((vector_size(kVectorBytes)));
typedef std::uint64_t Bits __attribute__((vector_size(kVectorBytes)));
constexpr int kWidth = kVectorBytes / 8;

HWY_INLINE Bits bits(Numbers x) { return reinterpret_cast<Bits>(x); }

// For as many numbers x as kVectors vectors hold: whether more than `rank` values are greater.
template <int kVectors>
HWY_INLINE void compare(const std::vector<double>& squares, const Integers* x_bits,
                        const Integers* rank, Integers* is_below) {
  const Integers magnitude = Integers{} + INT64_MAX, exponents = Integers{} + (2047LL << 52);
  Numbers x[kVectors], before[kVectors], now[kVectors];
  Bits changes[kVectors] = {};
  for (int v = 0; v < kVectors; ++v) {
    x[v] = now[v] = reinterpret_cast<Numbers>(x_bits[v]);
    before[v] = Numbers{} + 1.0;
  }
  for (std::size_t i = 0; i < squares.size(); i += kBetweenScalings) {
    for (int step = 0; step < kBetweenScalings; ++step) {
      const double square = squares[i + static_cast<std::size_t>(step)];
      for (int v = 0; v < kVectors; ++v) {
        const Numbers next = x[v] * now[v] - square * before[v];
        changes[v] += (bits(next) ^ bits(now[v])) >> 63;
        before[v] = now[v];
        now[v] = next;
      }
    }
    for (int v = 0; v < kVectors; ++v) {
      const Integers a = reinterpret_cast<Integers>(now[v]) & magnitude;
      const Integers b = reinterpret_cast<Integers>(before[v]) & magnitude;
      const Integers power = (2046LL << 52) - ((a > b ? a : b) & exponents);
      now[v] *= reinterpret_cast<Numbers>(power);
      before[v] *= reinterpret_cast<Numbers>(power);
    }
  }
  for (int v = 0; v < kVectors; ++v) is_below[v] = reinterpret_cast<Integers>(changes[v]) > rank[v];
}

// The values of ranks from `first` on, as many as fit, between kLeast and `bound`. Numbers are
// halved as integers, which halves the error relative to them.
template <class T, int kVectors>
void bisect_some(const std::vector<double>& squares, double bound, std::int64_t first,
                 double* found) {
  constexpr int kSpared = sizeof(T) == 4 ? 27 : 0;  // bits that T does not have, but for two
  const auto least = std::bit_cast<std::int64_t>(kLeast), most = std::bit_cast<std::int64_t>(bound);
  Integers low[kVectors], high[kVectors], middle[kVectors], rank[kVectors], is_below[kVectors];
  std::int64_t ranks[kVectors * kWidth];
  for (int i = 0; i < kVectors * kWidth; ++i) ranks[i] = first + i;
  std::memcpy(rank, ranks, sizeof rank);
  for (int v = 0; v < kVectors; ++v) low[v] = Integers{} + least, high[v] = Integers{} + most;
  for (std::int64_t gap = (most - least) >> kSpared; gap > 0; gap /= 2) {
    for (int v = 0; v < kVectors; ++v) middle[v] = low[v] + ((high[v] - low[v]) >> 1);
    compare<kVectors>(squares, middle, rank, is_below);
    for (int v = 0; v < kVectors; ++v) {
      low[v] = is_below[v] ? middle[v] : low[v];
      high[v] = is_below[v] ? high[v] : middle[v];
    }
  }
  for (int v = 0; v < kVectors; ++v) {
    const Integers last = low[v] == least ? Integers{} : low[v] + ((high[v] - low[v]) >> 1);
    std::memcpy(found + v * kWidth, &last, sizeof last);
  }
}

// Descending values of the diagonals times a power of two.
template <class T>
void bisect_values(const std::vector<double>& diagonals, int exponent, T* s) {
  const std::size_t count = diagonals.size();
  std::vector<double> squares((count + kBetweenScalings - 1) / kBetweenScalings * kBetweenScalings);
  double bound = 2 * kLeast, previous = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double z = std::max(std::abs(diagonals[i]), kLeast);
    bound = std::max(bound, 1.001 * (previous + z));
    squares[i] = z * z;
    previous = z;
  }
  const auto values = static_cast<std::int64_t>((count + 1) / 2);
  const int together = values <= kFew ? kFew : kMany;
  double greatest = bound;
  for (std::int64_t first = 0; first < values; first += together) {
    double found[kMany];
    if (together == kFew)
      bisect_some<T, kFew / kWidth>(squares, bound, first, found);
    else
      bisect_some<T, kMany / kWidth>(squares, bound, first, found);
    for (std::int64_t i = first; i < std::min(values, first + together); ++i) {
      greatest = std::min(greatest, found[i - first]);
      s[i] = std::ldexp(static_cast<T>(greatest), exponent);
    }
  }
}

}  // namespace
}  // namespace rill::HWY_NAMESPACE
