#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/spectral/fft_axis.h"

namespace rill {

extern const OpDecl kAudioSpectrogram;

namespace {

// Hann's window, which would end where it repeats.
std::vector<double> hann_window(std::int64_t size) {
  std::vector<double> window;
  for (std::int64_t i = 0; i < size; ++i)
    window.push_back(0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(i) /
                                          static_cast<double>(size)));
  return window;
}

// How the rows of a spectrogram, [channel][stretch], follow from sound, [frame][channel].
struct Stretches {
  const float* sound;
  std::int64_t channels, per_channel, stride, padded;
  std::vector<double> window;

  void fill(double* rows, std::int64_t first, std::int64_t count) const {
    for (std::int64_t row = first; row < first + count; ++row) {
      const float* from = sound + row % per_channel * stride * channels + row / per_channel;
      for (const double weight : window) {
        *rows++ = weight * static_cast<double>(*from);
        from += channels;
      }
      for (auto i = static_cast<std::int64_t>(window.size()); i < padded; ++i) *rows++ = 0;
    }
  }
};

// Rows are transformed in pieces that the caches hold.
constexpr std::int64_t kPieceElements = 1 << 17;

void spectrogram(KernelCall& call) {
  const Tensor& out = call.output_tensor(0);
  if (out.element_count() == 0) return;
  const auto window = call.node().attr<std::int64_t>("window_size");
  const bool is_squared = call.node().attr<bool>("magnitude_squared");
  const std::int64_t bins = out.dim(2), rows = out.dim(0) * out.dim(1);
  const Stretches stretches{call.input<float>(0).data(),
                            out.dim(0),
                            out.dim(1),
                            call.node().attr<std::int64_t>("stride"),
                            2 * (bins - 1),
                            hann_window(window)};
  const std::int64_t piece =
      std::min(rows, std::max<std::int64_t>(2, kPieceElements / stretches.padded));
  Tensor faded(DType::f64, {piece, stretches.padded}), spectra(DType::c128, {piece, bins});
  auto* to = out.data<float>();
  for (std::int64_t first = 0; first < rows; first += piece) {
    const std::int64_t count = std::min(piece, rows - first);
    stretches.fill(faded.data<double>(), first, count);
    real_fft_rows(call, spectra.data<std::complex<double>>(), faded.data<double>(), count,
                  stretches.padded);
    for (std::int64_t i = 0; i < count * bins; ++i) {
      const double power = std::norm(spectra.data<std::complex<double>>()[i]);
      *to++ = static_cast<float>(is_squared ? power : std::sqrt(power));
    }
  }
}

constexpr KernelEntry kEntries[] = {
    {.op = &kAudioSpectrogram, .run = spectrogram},
};

}  // namespace

extern const KernelTable kSpectrogramCpu{kEntries};

}  // namespace rill
