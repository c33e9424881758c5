#include "rill/io/inflate_exactly.h"

#include <zlib.h>

#include <bit>
#include <cstring>

#include "rill/io/inflate_codes.h"

namespace rill {
namespace {

constexpr std::uint16_t kLengths[] = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                      15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                      67, 83, 99, 115, 131, 163, 195, 227, 258};
constexpr std::uint8_t kLengthBits[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                        2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
constexpr std::uint8_t kLengthOrder[] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                         11, 4,  12, 3, 13, 2, 14, 1, 15};
constexpr int kEndSymbol = 256, kLiterals = 288, kDistances = 32;

InflateEntry plain_entry(int symbol) {
  return {.value = static_cast<std::uint16_t>(symbol), .extra = 1, .kind = InflateEntry::kLiteral};
}

InflateEntry literal_entry(int symbol) {
  const auto at = static_cast<std::size_t>(symbol - kEndSymbol - 1);
  if (symbol < kEndSymbol) return plain_entry(symbol);
  if (symbol == kEndSymbol) return {.kind = InflateEntry::kEnd};
  if (at >= std::size(kLengths)) return {};
  return {.value = kLengths[at],
          .extra = static_cast<std::uint8_t>(kLengthBits[at] & 15),
          .kind = InflateEntry::kSum};
}

// From the third on, two distances each begin where those with so many extra bits do.
InflateEntry distance_entry(int symbol) {
  if (symbol >= 30) return {};
  const int extra = symbol < 4 ? 0 : symbol / 2 - 1;
  const int first = symbol < 4 ? symbol + 1 : (2 + symbol % 2) * (1 << extra) + 1;
  return {.value = static_cast<std::uint16_t>(first),
          .extra = static_cast<std::uint8_t>(extra & 15),
          .kind = InflateEntry::kSum};
}

// The bits of the input, lowest first. It may be read until `past_end`.
struct BitReader {
  const std::uint8_t *in, *end;
  std::uint64_t buffer = 0;
  unsigned count = 0;

  bool past_end() const { return in > end + 8; }
  // Afterwards there are 56 bits at least.
  void refill() {
    std::uint64_t next;
    std::memcpy(&next, in, sizeof next);
    if constexpr (std::endian::native == std::endian::big) next = __builtin_bswap64(next);
    buffer |= next << count;
    in += (63 - count) >> 3;
    count |= 56;
  }
  void drop(unsigned bits) {
    buffer >>= bits;
    count -= bits;
  }
  unsigned take(unsigned bits) {
    const auto value = static_cast<unsigned>(buffer & ((std::uint64_t{1} << bits) - 1));
    drop(bits);
    return value;
  }
  // Whole bytes that are not used become input again; other bits are left out.
  void to_bytes() {
    in -= count >> 3;
    buffer = count = 0;
  }
  std::ptrdiff_t left() const { return end - in; }
};

class Inflater {
 public:
  Inflater(std::span<const std::uint8_t> packed, std::uint8_t* out, std::size_t size)
      : bits_{packed.data(), packed.data() + packed.size()},
        out_(out),
        begin_(out),
        end_(out + size) {}

  bool run() {
    const std::uint8_t* header = bits_.in;
    if (bits_.left() < 6 || (header[0] & 15) != 8 || header[0] >> 4 > 7 || (header[1] & 32) != 0 ||
        (header[0] * 256 + header[1]) % 31 != 0)
      return false;
    farthest_ = std::size_t{256} << (header[0] >> 4);
    bits_.in += 2;
    for (bool last = false; !last;) {
      last = number(1) == 1;
      if (!block(number(2))) return false;
    }
    bits_.to_bytes();
    if (bits_.left() != 4 || out_ != end_) return false;
    std::uint32_t sum = 0;
    for (int i = 0; i < 4; ++i) sum = sum << 8 | bits_.in[i];
    return sum == adler32_z(1, begin_, static_cast<std::size_t>(end_ - begin_));
  }

 private:
  // The next bits as a number. Behind the end it is any, and the loops of symbols stop.
  unsigned number(unsigned count) {
    if (bits_.past_end()) return 0;
    bits_.refill();
    return bits_.take(count);
  }

  bool block(unsigned kind) {
    return kind == 0   ? stored()
           : kind == 1 ? fixed() && symbols()
                       : kind == 2 && dynamic() && symbols();
  }

  bool stored() {
    bits_.to_bytes();
    const std::uint8_t* header = bits_.in;
    if (bits_.left() < 4) return false;
    const std::ptrdiff_t size = header[0] + 256 * header[1];
    if (size != 0xffff - (header[2] + 256 * header[3])) return false;
    if (size > bits_.left() - 4 || size > end_ - out_) return false;
    std::memcpy(out_, header + 4, static_cast<std::size_t>(size));
    bits_.in += 4 + size;
    out_ += size;
    return true;
  }

  bool fixed() {
    std::uint8_t lengths[kLiterals];
    for (int symbol = 0; symbol < kLiterals; ++symbol)
      lengths[symbol] = symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8;
    std::uint8_t distances[kDistances];
    std::ranges::fill(distances, std::uint8_t{5});
    return build(lengths, distances);
  }
  bool build(std::span<const std::uint8_t> literals, std::span<const std::uint8_t> distances) {
    if (!literals_.build(literals, true, literal_entry) ||
        !distances_.build(distances, true, distance_entry))
      return false;
    literals_.pair_literals();
    return true;
  }

  bool dynamic();
  bool symbols();

  BitReader bits_;
  std::uint8_t *out_, *const begin_, *const end_;
  std::size_t farthest_ = 0;
  InflateCodes<11, kLiterals> literals_;
  InflateCodes<9, kDistances> distances_;
};

// The lengths of the codes, which are themselves written in codes.
bool Inflater::dynamic() {
  const unsigned literals = 257 + number(5), distances = 1 + number(5), named = 4 + number(4);
  if (literals > 286 || distances > 30) return false;
  std::uint8_t of_lengths[19] = {};
  for (unsigned i = 0; i < named; ++i)
    of_lengths[kLengthOrder[i]] = static_cast<std::uint8_t>(number(3));
  InflateCodes<7, 0> codes;
  if (!codes.build(of_lengths, false, plain_entry)) return false;
  std::uint8_t lengths[286 + 30] = {};
  const unsigned count = literals + distances;
  for (unsigned i = 0; i < count;) {
    if (bits_.past_end()) return false;
    bits_.refill();
    const InflateEntry entry = codes[bits_.buffer];
    bits_.drop(entry.bits);
    if (entry.value < 16) {
      lengths[i++] = static_cast<std::uint8_t>(entry.value);
      continue;
    }
    if (entry.value == 16 && i == 0) return false;
    const std::uint8_t again = entry.value == 16 ? lengths[i - 1] : 0;
    const unsigned times = entry.value == 16   ? 3 + number(2)
                           : entry.value == 17 ? 3 + number(3)
                                               : 11 + number(7);
    if (times > count - i) return false;
    std::fill_n(lengths + i, times, again);
    i += times;
  }
  const std::span<const std::uint8_t> all(lengths, count);
  return lengths[kEndSymbol] != 0 && build(all.first(literals), all.subspan(literals));
}

// Copies what stands `distance` bytes before; up to 7 bytes more are written.
inline std::uint8_t* copy_back(std::uint8_t* out, std::size_t distance, std::size_t length) {
  const std::uint8_t* from = out - distance;
  std::uint8_t* const stop = out + length;
  if (distance >= 8) {
    for (; out < stop; out += 8, from += 8) std::memcpy(out, from, 8);
  } else if (distance == 1) {
    std::memset(out, *from, length);
  } else {
    while (out < stop) *out++ = *from++;
  }
  return stop;
}

// Puts one literal or two; what is behind the one is overwritten.
inline std::uint8_t* put_literals(std::uint8_t* out, InflateEntry entry) {
  out[0] = static_cast<std::uint8_t>(entry.value);
  out[1] = static_cast<std::uint8_t>(entry.value >> 8);
  return out + entry.extra;
}

// Everything up to the end of a block. Each turn of the loop puts four pairs of literals and one
// copy at most, which fit the margins.
bool Inflater::symbols() {
  constexpr int kAtOnce = 4;  // codes of 11 bits that are there after a refill
  BitReader bits = bits_;
  std::uint8_t* out = out_;
  while (!bits.past_end() && out <= end_) {
    bits.refill();
    InflateEntry entry = literals_[bits.buffer];
    if (entry.kind == InflateEntry::kLiteral) {
      for (int i = 0; i < kAtOnce && entry.kind == InflateEntry::kLiteral; ++i) {
        bits.drop(entry.bits);
        out = put_literals(out, entry);
        entry = literals_[bits.buffer];
      }
      bits.refill();
      if (entry.kind == InflateEntry::kLiteral) continue;
    }
    bits.drop(entry.bits);
    if (entry.kind == InflateEntry::kTable) {
      entry = literals_.longer(entry, bits.buffer);
      bits.drop(entry.bits);
    }
    if (entry.kind == InflateEntry::kLiteral) {
      out = put_literals(out, entry);
      continue;
    }
    if (entry.kind == InflateEntry::kEnd) {
      bits_ = bits;
      out_ = out;
      return true;
    }
    if (entry.kind == InflateEntry::kNone) return false;
    const std::size_t length = entry.value + bits.take(entry.extra);
    entry = distances_[bits.buffer];
    bits.drop(entry.bits);
    if (entry.kind == InflateEntry::kTable) {
      entry = distances_.longer(entry, bits.buffer);
      bits.drop(entry.bits);
    }
    if (entry.kind == InflateEntry::kNone) return false;
    const std::size_t distance = entry.value + bits.take(entry.extra);
    if (distance > static_cast<std::size_t>(out - begin_) || distance > farthest_) return false;
    out = copy_back(out, distance, length);
  }
  return false;
}

}  // namespace

bool inflate_exactly(std::span<const std::uint8_t> packed, std::uint8_t* out, std::size_t size) {
  return Inflater(packed, out, size).run();
}

}  // namespace rill
