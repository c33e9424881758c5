#include "rill/io/png_filters.h"

#include <cstring>

namespace rill {
namespace {

// The channels of a pixel, in lanes that hold sums of theirs.
typedef std::int16_t Lanes __attribute__((vector_size(16)));
typedef std::uint8_t ByteVector __attribute__((vector_size(8)));

// What stands in for a byte: both are computed with in the same way.
template <int kChannels>
struct Pixel {
  Lanes value = {};
  void load(const std::uint8_t* from) {  // a byte behind three channels may be read
    ByteVector bytes = {};
    std::memcpy(&bytes, from, 4);
    value = __builtin_convertvector(bytes, Lanes);
  }
  void store(std::uint8_t* to) const {
    const ByteVector bytes = __builtin_convertvector(value, ByteVector);
    std::memcpy(to, &bytes, kChannels);
  }
};
template <>
struct Pixel<1> {
  int value = 0;
  void load(const std::uint8_t* from) { value = *from; }
  void store(std::uint8_t* to) const { *to = static_cast<std::uint8_t>(value); }
};

struct Left {
  template <class P>
  static void guess(P& guess, const P& left, const P&, const P&) {
    guess = left;
  }
};
struct Mean {
  template <class P>
  static void guess(P& guess, const P& left, const P& above, const P&) {
    guess = (left + above) >> 1;
  }
};
// That of the three to which left + above - corner is nearest.
struct Nearest {
  template <class P>
  static void guess(P& guess, const P& left, const P& above, const P& corner) {
    P from_left = above - corner, from_above = left - corner, from_corner = from_left + from_above;
    from_left = from_left < 0 ? -from_left : from_left;
    from_above = from_above < 0 ? -from_above : from_above;
    from_corner = from_corner < 0 ? -from_corner : from_corner;
    guess = from_above <= from_corner ? above : corner;
    guess = (from_left <= from_above) & (from_left <= from_corner) ? left : guess;
  }
};

// Adds to each pixel what is guessed from its neighbours, which wait in registers.
template <class Filter, int kChannels>
void add_guesses(const std::uint8_t* in, const std::uint8_t* above, std::uint8_t* out,
                 std::size_t size) {
  Pixel<kChannels> left, corner, up, next;
  for (std::size_t i = 0; i < size; i += kChannels) {
    up.load(above + i);
    next.load(in + i);
    auto guess = left.value;
    Filter::guess(guess, left.value, up.value, corner.value);
    left.value = (next.value + guess) & 0xff;
    left.store(out + i);
    corner = up;
  }
}

void add_rows(const std::uint8_t* in, const std::uint8_t* above, std::uint8_t* out,
              std::size_t size) {
  typedef std::uint8_t Block __attribute__((vector_size(16)));
  std::size_t i = 0;
  for (Block a, b; i + sizeof a <= size; i += sizeof a) {
    std::memcpy(&a, in + i, sizeof a);
    std::memcpy(&b, above + i, sizeof b);
    a += b;
    std::memcpy(out + i, &a, sizeof a);
  }
  for (; i < size; ++i) out[i] = static_cast<std::uint8_t>(in[i] + above[i]);
}

template <int kChannels>
void restore_row(PngFilter filter, const std::uint8_t* in, const std::uint8_t* above,
                 std::uint8_t* out, std::size_t size) {
  switch (filter) {
    case PngFilter::kNone:
      std::memcpy(out, in, size);
      return;
    case PngFilter::kLeft:
      return add_guesses<Left, kChannels>(in, above, out, size);
    case PngFilter::kAbove:
      return add_rows(in, above, out, size);
    case PngFilter::kMean:
      return add_guesses<Mean, kChannels>(in, above, out, size);
    case PngFilter::kNearest:
      return add_guesses<Nearest, kChannels>(in, above, out, size);
  }
}

}  // namespace

void restore_png_row(PngFilter filter, int channels, const std::uint8_t* in,
                     const std::uint8_t* above, std::uint8_t* out, std::size_t size) {
  switch (channels) {
    case 1:
      return restore_row<1>(filter, in, above, out, size);
    case 2:
      return restore_row<2>(filter, in, above, out, size);
    case 3:
      return restore_row<3>(filter, in, above, out, size);
    default:
      return restore_row<4>(filter, in, above, out, size);
  }
}

}  // namespace rill
