#include "tests/optest/op_case.h"

namespace rill {
namespace {

using I = std::int64_t;

OpCase spectrogram(Tensor input, I window, I stride, bool squared = false, const char* error = "") {
  return {.op = "AudioSpectrogram",
          .in = {std::move(input)},
          .attrs = {{"window_size", window}, {"stride", stride}, {"magnitude_squared", squared}},
          .atol = 1e-6,  // where a spectrum has holes
          .error = error};
}

}  // namespace

extern const OpCases kSpectrogramCases{
    "spectrogram", [] {
      std::vector<OpCase> cases;
      const Tensor sound = random<float>({40, 2}, 5);
      for (const bool squared : {false, true}) {
        for (const I window : {2, 5, 8, 21, 40, 41})
          for (const I stride : {1, 7, 100})
            cases.push_back(spectrogram(sound, window, stride, squared));
        cases.push_back(spectrogram(random<float>({2000, 1}, 6), 400, 160, squared));
      }
      cases.push_back(spectrogram(Tensor(DType::f32, {0, 2}), 8, 4));
      cases.push_back(spectrogram(Tensor(DType::f32, {20, 0}), 8, 4));
      cases.push_back(spectrogram(sound, 1, 4, false, "window size must be > 1, got 1"));
      cases.push_back(spectrogram(sound, 8, 0, false, "stride must be strictly positive, got 0"));
      cases.push_back(
          spectrogram(random<float>({40}, 5), 8, 4, false, "rank 2|input must be 2-dimensional"));
      return cases;
    }};

}  // namespace rill
