#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace rill {

// Sound in [-1, 1], frame by frame, with the channels of a frame side by side.
struct Sound {
  std::int64_t frames = 0;
  std::int64_t channels = 1;
  std::int64_t sample_rate = 0;  // frames a second
  std::span<const float> samples;
};

// The sound as a WAV of 16-bit samples; what is louder than 1 is cut, what is no number is silent.
// Throws InvalidArgument when a number does not fit the format or the samples do not fill the
// frames.
std::string encode_wav(const Sound& sound);

}  // namespace rill
