#include <limits>

#include "tests/optest/op_case.h"

namespace rill {
namespace {

using I = std::int64_t;

OpCase mfcc(Tensor spectrogram, std::int32_t rate, AttrMap attrs = {}, const char* error = "") {
  return {.op = "Mfcc",
          .in = {std::move(spectrogram), scalar<std::int32_t>(rate)},
          .attrs = std::move(attrs),
          .atol = 1e-5,  // sums of logarithms cancel
          .error = error};
}

}  // namespace

extern const OpCases kMfccCases{
    "mfcc", [] {
      const Tensor power = random<float>({2, 3, 65}, 5, 0, 9);
      const auto with = [](const char* name, AttrValue value) {
        return AttrMap{{name, std::move(value)}};
      };
      const char* kFailed = "Mfcc initialization failed for channel count";
      std::vector<OpCase> cases{
          mfcc(power, 16000),
          mfcc(power, 8000),
          mfcc(power, 44100),
          mfcc(random<float>({1, 2, 257}, 6, 0, 100), 16000),
          mfcc(random<float>({1, 9, 1025}, 6, 0, 1e-20), 16000),
          mfcc(power, 100),  // the filters lie beyond the frequencies
          mfcc(power, 16000, with("upper_frequency_limit", 20000.0F)),
          mfcc(power, 16000, with("lower_frequency_limit", 3900.0F)),
          mfcc(power, 16000, with("dct_coefficient_count", I{40})),
          mfcc(power, 16000, {{"filterbank_channel_count", I{1}}, {"dct_coefficient_count", I{1}}}),
          mfcc(power, 16000,
               {{"filterbank_channel_count", I{200}}, {"dct_coefficient_count", I{20}}}),
          mfcc(filled<float>({1, 2, 2}, 3), 16000),
          mfcc(filled<float>({1, 1, 65}, std::numeric_limits<double>::quiet_NaN()), 16000),
          mfcc(filled<float>({1, 1, 65}, -1), 16000),
          mfcc(Tensor(DType::f32, {2, 0, 65}), 16000),
          mfcc(Tensor(DType::f32, {0, 2, 65}), 16000),
          mfcc(power, 0, {}, kFailed),
          mfcc(power, -5, {}, kFailed),
          mfcc(power, 16000, with("dct_coefficient_count", I{41}), kFailed),
          mfcc(power, 16000, with("dct_coefficient_count", I{0}), kFailed),
          mfcc(power, 16000, with("filterbank_channel_count", I{0}), kFailed),
          mfcc(power, 16000, with("upper_frequency_limit", 10.0F), kFailed),
          mfcc(power, 16000, with("lower_frequency_limit", -1.0F), kFailed),
          mfcc(filled<float>({1, 2, 1}, 3), 16000, {}, kFailed),
          mfcc(filled<float>({2, 65}, 3), 16000, {}, "rank 3|must be 3-dimensional"),
      };
      cases.back().error = "rank 3|spectrogram must be 3-dimensional";
      return cases;
    }};

}  // namespace rill
