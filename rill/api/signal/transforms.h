#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "rill/api/core/default_graph.h"
#include "rill/api/signal/windows.h"

namespace rill::signal {

// Lengths of the last dimension: n real samples give n / 2 + 1 complex frequencies. The inverse
// takes 2 * (frequencies - 1) for n, so an odd n must be said by fft_length.
struct RealFftOptions {
  OptionalInput fft_length = {};  // the input is cropped or padded with zeros to it
  std::string name = {};
};
// Fourier transforms of real signals over the last one to three dimensions, of which the last one
// has only the first half; and their inverses. Throw InvalidArgument when there are fewer
// dimensions.
Output rfft(const Input& input_tensor, const RealFftOptions& options = {},
            std::source_location at = std::source_location::current());
Output rfft2d(const Input& input_tensor, const RealFftOptions& options = {},
              std::source_location at = std::source_location::current());
Output rfft3d(const Input& input_tensor, const RealFftOptions& options = {},
              std::source_location at = std::source_location::current());
Output irfft(const Input& input_tensor, const RealFftOptions& options = {},
             std::source_location at = std::source_location::current());
Output irfft2d(const Input& input_tensor, const RealFftOptions& options = {},
               std::source_location at = std::source_location::current());
Output irfft3d(const Input& input_tensor, const RealFftOptions& options = {},
               std::source_location at = std::source_location::current());

struct FftShiftOptions {
  std::vector<std::int64_t> axes = {};  // all when empty
  bool single = false;                  // one axis that stands for itself, not a list of one
  std::string name = {};
};
// The frequency zero moves to the middle, or back. For an odd length the two differ. Throws
// TypeError for all axes of a tensor of unknown rank.
Output fftshift(const Input& x, const FftShiftOptions& options = {},
                std::source_location at = std::source_location::current());
Output ifftshift(const Input& x, const FftShiftOptions& options = {},
                 std::source_location at = std::source_location::current());

struct DctOptions {
  int type = 2;                        // 1 to 4
  std::optional<std::int64_t> n = {};  // the length of the transform
  std::int64_t axis = -1;              // no other is there
  std::string norm = {};               // "" or "ortho"
  std::string name = {};
};
// Discrete cosine transforms of float32. idct undoes dct only with "ortho", or up to a factor of 2
// n. Throw InvalidArgument on a type or norm that is not there, on n below 1 and on a DCT-I that is
// normalized or of length 1; Unimplemented for another axis.
Output dct(const Input& input, const DctOptions& options = {},
           std::source_location at = std::source_location::current());
Output idct(const Input& input, const DctOptions& options = {},
            std::source_location at = std::source_location::current());

struct StftOptions {
  OptionalInput fft_length = {};        // the least power of two that holds a frame
  WindowFn window_fn = default_window;  // empty: none
  bool pad_end = false;
  std::string name = {};
};
// Spectra of the frames of signals: [..., samples] gives [..., frames, fft_length / 2 + 1]. Throws
// InvalidArgument where lengths and steps are no scalars.
//
//   signal::stft(audio, 512, 128);  // [..., frames, 257]
Output stft(const Input& signals, const Input& frame_length, const Input& frame_step,
            const StftOptions& options = {},
            std::source_location at = std::source_location::current());

struct InverseStftOptions {
  OptionalInput fft_length = {};
  WindowFn window_fn = default_window;
  std::string name = {};
};
// The signal of such spectra. It is the one that stft saw where the windows fit, as those of
// inverse_stft_window_fn do.
Output inverse_stft(const Input& stfts, const Input& frame_length, const Input& frame_step,
                    const InverseStftOptions& options = {},
                    std::source_location at = std::source_location::current());

// num_spectrogram_bins is fft_length / 2 + 1 of the spectra.
struct MelWeightMatrixOptions {
  std::int64_t num_mel_bins = 20;
  Input num_spectrogram_bins = 129;
  Input sample_rate = 8000;
  double lower_edge_hertz = 125, upper_edge_hertz = 3800;
  DType dtype = DType::f32;
  std::string name = {};
};
// The matrix that takes spectra [..., bins] to bands as wide as ears hear them: [bins, mel bins],
// triangles of height 1. Throws InvalidArgument when the bounds make no sense: unless 0 <= lower <
// upper <= sample_rate / 2.
Output linear_to_mel_weight_matrix(const MelWeightMatrixOptions& options = {},
                                   std::source_location at = std::source_location::current());

struct MfccOptions {
  std::string name = {};
};
// The cosine transforms of logarithms of such bands, scaled by 1 / sqrt(2 bins). Use the first 13
// or so.
Output mfccs_from_log_mel_spectrograms(const Input& log_mel_spectrograms,
                                       const MfccOptions& options = {},
                                       std::source_location at = std::source_location::current());

}  // namespace rill::signal

namespace rill {
namespace spectral {
using signal::dct;
using signal::idct;
using signal::irfft;
using signal::irfft2d;
using signal::irfft3d;
using signal::rfft;
using signal::rfft2d;
using signal::rfft3d;
}  // namespace spectral
}  // namespace rill
