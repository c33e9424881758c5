// Any bytes as a WAV: every sample that it says it has can be read.
#include <cstdint>
#include <cstdlib>

#include "rill/base/error.h"
#include "rill/io/wav.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const rill::WavSamples wav = rill::decode_wav({reinterpret_cast<const char*>(data), size});
    for (std::int64_t frame = 0; frame < wav.frames; ++frame)
      for (std::int64_t channel = 0; channel < wav.channels; ++channel) {
        const float sample = wav.sample(frame, channel);
        if (!(sample >= -1 && sample < 1)) std::abort();
      }
  } catch (const rill::Error&) {
  }
  return 0;
}
