#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace rill {

// Sound in [-1, 1], frame by frame, with the channels of a frame side by side.
struct Sound {
  std::int64_t frames = 0;
  std::int64_t channels = 1;
  std::int64_t sample_rate = 0;  // frames a second
  std::span<const float> samples;
};

inline constexpr std::int64_t kWavBytesPerSample = 2;

// The sound as a WAV of 16-bit samples; what is louder than 1 is cut, what is no number is silent.
// Throws InvalidArgument when a number does not fit the format or the samples do not fill the
// frames.
std::string encode_wav(const Sound& sound);

// A WAV of 16-bit samples, as it lies in the bytes it was read from.
struct WavSamples {
  std::int64_t frames = 0;
  std::int64_t channels = 0;
  std::int64_t sample_rate = 0;
  std::string_view bytes;

  // In [-1, 1). The frame and the channel must be there.
  float sample(std::int64_t frame, std::int64_t channel) const;
};

// Throws InvalidArgument where `wav` is something else, or ends too early.
WavSamples decode_wav(std::string_view wav);

}  // namespace rill
