#include "rill/ops/random/philox_rows.h"

#define HWY_TARGET_INCLUDE "rill/ops/random/philox_rows.cpu.cc"
#define RILL_WIDE_LOOPS
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {
namespace {

// As many blocks side by side as fill a few vectors of the widest kind.
constexpr std::size_t kLanes = 32;

struct Lanes {
  std::uint32_t word[4][kLanes];
};

inline void run_rounds(Lanes& c, Philox::Key key) {
  for (int round = 0; round < Philox::kRounds; ++round) {
    for (std::size_t i = 0; i < kLanes; ++i) {
      const std::uint64_t p0 = std::uint64_t{Philox::kMultipliers[0]} * c.word[0][i];
      const std::uint64_t p1 = std::uint64_t{Philox::kMultipliers[1]} * c.word[2][i];
      c.word[0][i] = static_cast<std::uint32_t>(p1 >> 32) ^ c.word[1][i] ^ key[0];
      c.word[1][i] = static_cast<std::uint32_t>(p1);
      c.word[2][i] = static_cast<std::uint32_t>(p0 >> 32) ^ c.word[3][i] ^ key[1];
      c.word[3][i] = static_cast<std::uint32_t>(p0);
    }
    key[0] += Philox::kKeySteps[0];
    key[1] += Philox::kKeySteps[1];
  }
}

// The counters of blocks `start`, `start` + stride, ...
inline void set_counters(Lanes& lanes, const Philox& start, std::uint64_t stride) {
  const Philox::Block& counter = start.counter();
  const std::uint64_t lower = Philox::join(counter[1], counter[0]);
  std::uint64_t span = 0, last = 0;
  if (!__builtin_mul_overflow(stride, kLanes, &span) &&
      !__builtin_add_overflow(lower, span, &last)) {
    for (std::size_t i = 0; i < kLanes; ++i) {
      const std::uint64_t at = lower + i * stride;
      lanes.word[0][i] = Philox::low(at);
      lanes.word[1][i] = Philox::high(at);
      lanes.word[2][i] = counter[2];
      lanes.word[3][i] = counter[3];
    }
    return;
  }
  Philox at = start;
  for (std::size_t i = 0; i < kLanes; ++i) {
    for (std::size_t w = 0; w < 4; ++w) lanes.word[w][i] = at.counter()[w];
    at.skip(stride);
  }
}

void many_blocks(const Philox& start, std::uint64_t stride, std::uint32_t* words) {
  Lanes lanes;
  set_counters(lanes, start, stride);
  run_rounds(lanes, start.key());
  for (std::size_t i = 0; i < kLanes; ++i)
    for (std::size_t w = 0; w < 4; ++w) words[4 * i + w] = lanes.word[w][i];
}

}  // namespace

void words_row(const Philox& start, std::uint64_t stride, std::uint32_t* words, std::size_t count) {
  Philox at = start;
  for (; count >= kLanes; count -= kLanes, words += 4 * kLanes) {
    many_blocks(at, stride, words);
    at.skip(kLanes * stride);
  }
  for (; count > 0; --count, words += 4) {
    const Philox::Block block = at.block();
    for (std::size_t w = 0; w < 4; ++w) words[w] = block[w];
    at.skip(stride);
  }
}

void uniform_floats(float* out, const std::uint32_t* words, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    out[i] = static_cast<float>(static_cast<std::int32_t>(words[i] & 0x7fffff)) * 0x1p-23f;
}

void uniform_doubles(double* out, const std::uint32_t* words, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) out[i] = uniform_double(words[2 * i], words[2 * i + 1]);
}

// The product is rounded once, from double.
void polar_floats(float* u, float* angle, const float* uniform, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    u[i] = uniform[2 * i] < 1e-7f ? 1e-7f : uniform[2 * i];
    angle[i] = static_cast<float>(angle_of(uniform[2 * i + 1]));
  }
}

void polar_doubles(double* u, double* angle, const double* uniform, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    u[i] = at_least_tiny(uniform[2 * i]);
    angle[i] = angle_of(uniform[2 * i + 1]);
  }
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

HWY_EXPORT(words_row);
HWY_EXPORT(uniform_floats);
HWY_EXPORT(uniform_doubles);
HWY_EXPORT(polar_floats);
HWY_EXPORT(polar_doubles);

void philox_words(const Philox& start, std::uint64_t stride, std::uint32_t* words,
                  std::size_t count) {
  HWY_DYNAMIC_DISPATCH(words_row)(start, stride, words, count);
}
void uniform_row(float* out, const std::uint32_t* words, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(uniform_floats)(out, words, count);
}
void uniform_row(double* out, const std::uint32_t* words, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(uniform_doubles)(out, words, count);
}
void polar_row(float* u, float* angle, const float* uniform, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(polar_floats)(u, angle, uniform, count);
}
void polar_row(double* u, double* angle, const double* uniform, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(polar_doubles)(u, angle, uniform, count);
}

}  // namespace rill
#endif
