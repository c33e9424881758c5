#include "rill/ops/random/fill.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "rill/ops/math/rows/float_rows.h"
#include "rill/ops/random/normal.h"
#include "rill/ops/random/philox_rows.h"

namespace rill {
namespace {

constexpr std::size_t kChunk = 64;  // blocks drawn at a time: 1 KiB of words

// Calls row(dst, words, blocks), which writes whole blocks of values, for every part of `out`.
template <class T, class Row>
void fill_blocks(const KernelCall& call, const Philox& stream, std::span<T> out,
                 std::uint64_t stride, double cost, Row row) {
  constexpr std::size_t kValues = kValuesPerBlock<T>;
  const std::size_t total = (out.size() + kValues - 1) / kValues;
  call.parallel_for(total, cost, [&](std::size_t begin, std::size_t end) {
    std::uint32_t words[4 * kChunk];
    T rest[kValues * kChunk];
    Philox at = stream;
    at.skip(begin * stride);
    while (begin < end) {
      const std::size_t blocks = std::min(end - begin, kChunk);
      philox_words(at, stride, words, blocks);
      T* const dst = out.data() + begin * kValues;
      const std::size_t room = out.size() - begin * kValues;
      if (room >= blocks * kValues) {
        row(dst, words, blocks, at);
      } else {
        row(rest, words, blocks, at);
        std::copy_n(rest, room, dst);
      }
      at.skip(blocks * stride);
      begin += blocks;
    }
  });
}

// What values are computed in before they are rounded to T.
template <class T>
using Wide = std::conditional_t<std::is_same_v<T, double>, double, float>;

template <class T, class Values>
void narrowed(T* dst, std::size_t blocks, Values values) {
  if constexpr (std::is_same_v<T, Wide<T>>) {
    values(dst);
  } else {
    float wide[kChunk * kValuesPerBlock<T>];
    values(wide);
    narrow_row(dtype_of<T>)(dst, wide, blocks * kValuesPerBlock<T>);
  }
}

// Half types have as many random bits as they have digits.
template <class T>
void fill_uniform(const KernelCall& call, const Philox& stream, std::span<T> out) {
  fill_blocks(call, stream, out, 1, 3,
              [](T* dst, const std::uint32_t* words, std::size_t blocks, const Philox&) {
                const std::size_t count = blocks * kValuesPerBlock<T>;
                if constexpr (std::is_same_v<T, Wide<T>>) {
                  uniform_row(dst, words, count);
                } else {
                  constexpr int kDigits = std::is_same_v<T, half> ? 10 : 7;
                  for (std::size_t i = 0; i < count; ++i)
                    dst[i] = T(static_cast<float>(words[i] & ((1u << kDigits) - 1)) /
                               static_cast<float>(1 << kDigits));
                }
              });
}

template <class T>
void fill_normal(const KernelCall& call, const Philox& stream, std::span<T> out) {
  fill_blocks(call, stream, out, 1, 30,
              [](T* dst, const std::uint32_t* words, std::size_t blocks, const Philox&) {
                narrowed(dst, blocks, [&](auto* wide) { normal_row(wide, words, blocks); });
              });
}

// Keeps the values of one group that are near enough to 0, and draws on from its stream, whose
// first block gave them, until the group is full.
template <class W>
void complete_group(W* group, Philox stream) {
  constexpr std::size_t kValues = kValuesPerBlock<W>;
  W drawn[kValues];
  std::copy_n(group, kValues, drawn);
  for (std::size_t kept = 0;;) {
    for (std::size_t i = 0; i < kValues && kept < kValues; ++i)
      if (std::abs(drawn[i]) < W{2}) group[kept++] = drawn[i];
    if (kept == kValues) return;
    stream.skip(1);
    normal_row(drawn, stream.block().data(), 1);
  }
}

template <class T>
void fill_truncated(const KernelCall& call, const Philox& stream, std::span<T> out) {
  constexpr std::size_t kValues = kValuesPerBlock<T>;
  constexpr std::uint64_t kStride = kBlocksPerValue * kValues / 4;
  fill_blocks(call, stream, out, kStride, 40,
              [](T* dst, const std::uint32_t* words, std::size_t blocks, const Philox& at) {
                narrowed(dst, blocks, [&]<class W>(W* wide) {
                  normal_row(wide, words, blocks);
                  Philox group = at;
                  for (std::size_t i = 0; i < blocks; ++i, group.skip(kStride))
                    complete_group(wide + i * kValues, group);
                });
              });
}

template <class T>
void fill_floats(const KernelCall& call, Draw draw, const Philox& stream, std::span<T> out) {
  if (draw == Draw::kUniform) return fill_uniform(call, stream, out);
  if (draw == Draw::kNormal) return fill_normal(call, stream, out);
  fill_truncated(call, stream, out);
}

// Integer number i of a row; of two words the first is the lower one.
template <class U>
U bits_at(const std::uint32_t* words, std::size_t i) {
  if constexpr (sizeof(U) == 4)
    return words[i];
  else
    return words[2 * i] | static_cast<U>(words[2 * i + 1]) << 32;
}

template <class T>
void fill_bits(const KernelCall& call, const Philox& stream, std::span<T> out) {
  using U = std::make_unsigned_t<T>;
  fill_blocks(call, stream, out, 1, 3,
              [](T* dst, const std::uint32_t* words, std::size_t blocks, const Philox&) {
                for (std::size_t i = 0; i < blocks * kValuesPerBlock<T>; ++i)
                  dst[i] = static_cast<T>(bits_at<U>(words, i));
              });
}

template <class T>
void fill_range(const KernelCall& call, const Philox& stream, const Tensor& low, const Tensor& high,
                const Tensor& out) {
  using U = std::make_unsigned_t<T>;
  if (out.element_count() == 0) return;
  const T from = low.scalar_value<T>(), to = high.scalar_value<T>();
  require(from < to, "Need minval < maxval, got ", from, " >= ", to);
  const U base = static_cast<U>(from), size = static_cast<U>(static_cast<U>(to) - base);
  fill_blocks(call, stream, out.flat<T>(), 1, 8,
              [=](T* dst, const std::uint32_t* words, std::size_t blocks, const Philox&) {
                for (std::size_t i = 0; i < blocks * kValuesPerBlock<T>; ++i)
                  dst[i] = static_cast<T>(base + bits_at<U>(words, i) % size);
              });
}

}  // namespace

void fill_random(const KernelCall& call, Draw draw, const Philox& stream, const Tensor& out) {
  const bool floats = kFloatTypes.contains(out.dtype());
  if (floats != (draw == Draw::kBits)) switch (out.dtype()) {
      case DType::f32:
        return fill_floats(call, draw, stream, out.flat<float>());
      case DType::f64:
        return fill_floats(call, draw, stream, out.flat<double>());
      case DType::f16:
        return fill_floats(call, draw, stream, out.flat<half>());
      case DType::bf16:
        return fill_floats(call, draw, stream, out.flat<bfloat16>());
      case DType::i32:
        return fill_bits(call, stream, out.flat<std::int32_t>());
      case DType::i64:
        return fill_bits(call, stream, out.flat<std::int64_t>());
      case DType::u32:
        return fill_bits(call, stream, out.flat<std::uint32_t>());
      case DType::u64:
        return fill_bits(call, stream, out.flat<std::uint64_t>());
      default:
        break;
    }
  raise(Code::kUnimplemented, call.node().op->name, " has no values of type ", out.dtype());
}

void fill_random_range(const KernelCall& call, const Philox& stream, const Tensor& low,
                       const Tensor& high, const Tensor& out) {
  if (out.dtype() == DType::i32) return fill_range<std::int32_t>(call, stream, low, high, out);
  if (out.dtype() == DType::i64) return fill_range<std::int64_t>(call, stream, low, high, out);
  raise(Code::kUnimplemented, call.node().op->name, " has no values of type ", out.dtype());
}

}  // namespace rill
