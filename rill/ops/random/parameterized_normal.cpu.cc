#include <algorithm>
#include <cmath>
#include <span>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/random/half_arithmetic.h"
#include "rill/ops/random/normal.h"
#include "rill/ops/random/philox_rows.h"
#include "rill/ops/random/stream.h"

namespace rill {

extern const OpDecl kParameterizedTruncatedNormal;

namespace {

constexpr int kMaxTries = 1000;  // then a sampler takes what it has
// Bounds on both sides of the mean, one at least this far, make plain normal values likely to fit.
constexpr double kWideBound = 1.3;
constexpr std::int64_t kPieceSize = 100;  // rows of equal parameters are cut into pieces

// Groups drawn ahead, as many as are certain to be needed.
template <class T>
class Draws {
 public:
  static constexpr std::size_t kGroup = kValuesPerBlock<T> == 2 ? 2 : 4;

  std::span<const T> uniform(Philox& stream, std::size_t groups) {
    const std::uint32_t* words = next_words(stream, groups);
    if constexpr (std::is_same_v<T, RoundedHalf>) {
      for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = T((words[i] & 0x3ff) * 0x1p-10);
    } else {
      uniform_row(values_.data(), words, values_.size());
    }
    return values_;
  }
  std::span<const T> normal(Philox& stream, std::size_t groups) {
    const std::uint32_t* words = next_words(stream, groups);
    if constexpr (std::is_same_v<T, RoundedHalf>) {
      std::vector<float> wide(values_.size());
      normal_row(wide.data(), words, groups);
      std::ranges::transform(wide, values_.begin(), [](float x) { return T(x); });
    } else {
      normal_row(values_.data(), words, groups);
    }
    return values_;
  }

 private:
  const std::uint32_t* next_words(Philox& stream, std::size_t groups) {
    words_.resize(4 * groups);
    values_.resize(kGroup * groups);
    philox_words(stream, 1, words_.data(), groups);
    stream.skip(groups);
    return words_.data();
  }
  std::vector<std::uint32_t> words_;
  std::vector<T> values_;
};

// One of three samplers, by where the bounds lie (Robert, "Simulation of truncated normal
// variables", 1995). Each draws whole groups and drops what is left at the end.
template <class T>
class TruncatedSampler {
 public:
  // The mean is moved to 0 and, where that helps, the axis turned round, so that a single bound is
  // the lower one.
  TruncatedSampler(T mean, T deviation, T minimum, T maximum) : mean_(mean), scale_(deviation) {
    using std::isfinite, std::exp, std::sqrt;
    require(deviation > T(0) && minimum < maximum && (isfinite(minimum) || isfinite(maximum)),
            "Invalid parameters");
    if ((!isfinite(minimum) && minimum < T(0)) || maximum < mean) {
      std::swap(minimum, maximum);
      scale_ = -scale_;
    }
    low_ = (minimum - mean) / scale_;
    high_ = (maximum - mean) / scale_;
    root_ = sqrt(low_ * low_ + T(4));
    uniform_limit_ = T(2) * exp(T(0.5) + (low_ * (low_ - root_)) / T(4)) / (low_ + root_);
  }

  void fill(Philox& stream, std::span<T> out) const {
    const bool wide =
        (low_ < T(-kWideBound) && high_ >= T(0)) || (high_ > T(kWideBound) && low_ <= T(0));
    if (wide) return fill_from_normal(stream, out);
    if (high_ - low_ < uniform_limit_) return fill_from_uniform(stream, out);
    fill_from_exponential(stream, out);
  }

 private:
  // Writes z and counts it only if it is taken: no branch could foretell that.
  void keep(std::span<T> out, std::size_t& done, T z, bool taken) const {
    out[done] = z * scale_ + mean_;
    done += taken;
  }

  // As many groups as `left` values need if all of them are taken.
  static std::size_t groups_for(std::size_t left, std::size_t per_group) {
    return (left + per_group - 1) / per_group;
  }

  void fill_from_normal(Philox& stream, std::span<T> out) const {
    Draws<T> draws;
    for (std::size_t done = 0; done < out.size();)
      for (const T z : draws.normal(stream, groups_for(out.size() - done, kGroup)))
        if (done < out.size()) keep(out, done, z, (z >= low_) & (z <= high_));
  }

  void fill_from_uniform(Philox& stream, std::span<T> out) const {
    using std::exp;
    const T size = high_ - low_;
    const T peak = low_ < T(0) ? T(0) : low_ * low_;
    int tries = 0;
    Draws<T> draws;
    for (std::size_t done = 0; done < out.size();) {
      // A group of places, then one of chances.
      const auto drawn = draws.uniform(stream, 2 * groups_for(out.size() - done, kGroup));
      for (std::size_t at = 0; at < drawn.size(); at += 2 * kGroup)
        for (std::size_t i = at; i < at + kGroup && done < out.size(); ++i) {
          const T z = drawn[i] * size + low_;
          const bool taken =
              (drawn[i + kGroup] <= exp((peak - z * z) / T(2))) | (tries + 1 >= kMaxTries);
          tries = taken ? 0 : tries + 1;
          keep(out, done, z, taken);
        }
    }
  }

  void fill_from_exponential(Philox& stream, std::span<T> out) const {
    using std::exp, std::log;
    const T alpha = (low_ + root_) / T(2);
    int tries = 0;
    Draws<T> draws;
    for (std::size_t done = 0; done < out.size();) {
      const auto drawn = draws.uniform(stream, groups_for(out.size() - done, kGroup / 2));
      for (std::size_t i = 0; i < drawn.size() && done < out.size(); i += 2) {
        const T z = -log(drawn[i]) / alpha + low_;
        const T x = low_ < alpha ? alpha - z : low_ - alpha;
        const bool taken =
            ((drawn[i + 1] <= exp(-x * x / T(2))) & (z < high_)) | (tries + 1 >= kMaxTries);
        tries = taken ? 0 : tries + 1;
        keep(out, done, z, taken);
      }
    }
  }

  static constexpr std::size_t kGroup = Draws<T>::kGroup;
  T mean_, scale_, low_, high_, root_, uniform_limit_;
};

constexpr const char* kParameters[] = {"", "means", "stdevs", "minvals", "maxvals"};

// The output as rows of equal parameters: [count, size], the last one perhaps shorter.
struct Rows {
  std::int64_t count, size;
};

Rows rows_of(const KernelCall& call) {
  const Tensor& out = call.output_tensor(0);
  require(out.rank() > 0, "Shape tensor must not be empty, got ", call.input_tensor(0).shape());
  const std::int64_t count = out.dim(0), total = out.element_count();
  bool all_equal = true;
  for (int i = 1; i < 5; ++i) all_equal &= call.input_tensor(i).element_count() == 1;
  if (all_equal) return {(total + kPieceSize - 1) / kPieceSize, kPieceSize};
  for (int i = 1; i < 5; ++i) {
    const std::int64_t given = call.input_tensor(i).element_count();
    require(given == 1 || given == count, "Input ", kParameters[i],
            " should have length 1 or shape[0], got shape: ", call.input_tensor(i).shape());
  }
  return {count, count == 0 ? 0 : total / count};
}

template <class T, class Element>
void parameterized(KernelCall& call) {
  const Rows rows = rows_of(call);
  const auto out = call.output<Element>(0);
  if (out.empty()) return;
  const auto parameter = [&](int i, std::int64_t row) {
    const auto values = call.input<Element>(i);
    return T(values.size() == 1 ? values[0] : values[static_cast<std::size_t>(row)]);
  };
  const auto blocks = static_cast<std::uint64_t>(rows.count * 2 * kMaxTries * (rows.size + 3) / 4);
  Philox stream = call.state<NodeStream>().reserve(blocks);
  std::vector<T> values(static_cast<std::size_t>(rows.size));
  for (std::int64_t row = 0; row < rows.count; ++row) {
    const TruncatedSampler<T> sampler(parameter(1, row), parameter(2, row), parameter(3, row),
                                      parameter(4, row));
    const auto first = static_cast<std::size_t>(row * rows.size);
    const std::span<T> piece(values.data(), std::min(values.size(), out.size() - first));
    sampler.fill(stream, piece);
    for (std::size_t i = 0; i < piece.size(); ++i) out[first + i] = static_cast<Element>(piece[i]);
  }
}

constexpr const OpDecl* kOp = &kParameterizedTruncatedNormal;
constexpr KernelEntry kEntries[] = {
    {.op = kOp,
     .types = DType::f16,
     .run = parameterized<RoundedHalf, half>,
     .make_state = NodeStream::make},
    {.op = kOp,
     .types = DType::f32,
     .run = parameterized<float, float>,
     .make_state = NodeStream::make},
    {.op = kOp,
     .types = DType::f64,
     .run = parameterized<double, double>,
     .make_state = NodeStream::make},
};

}  // namespace

extern const KernelTable kParameterizedNormalCpu{kEntries};

}  // namespace rill
