#include "rill/io/wav.h"

#include <cmath>
#include <limits>

#include "rill/base/error.h"

namespace rill {
namespace {

constexpr std::int64_t kHeaderBytes = 36;  // what the size of the file counts besides the samples

template <class T>
void append_little_endian(std::string& bytes, std::int64_t value) {
  for (std::size_t i = 0; i < sizeof(T); ++i) bytes.push_back(static_cast<char>(value >> (8 * i)));
}

std::int16_t as_int16(float sample) {
  if (std::isnan(sample)) return 0;
  const float scaled = std::round(sample * 32768.0F);
  return static_cast<std::int16_t>(std::fmin(std::fmax(scaled, -32768.0F), 32767.0F));
}

}  // namespace

std::string encode_wav(const Sound& sound) {
  constexpr std::int64_t kMax32 = std::numeric_limits<std::uint32_t>::max();
  constexpr std::int64_t kMax16 = std::numeric_limits<std::uint16_t>::max();
  require(sound.channels > 0 && sound.channels * kWavBytesPerSample <= kMax16,
          "num_channels must be positive and fit the format, is ", sound.channels);
  const std::int64_t frame_bytes = sound.channels * kWavBytesPerSample;
  require(sound.sample_rate > 0 && sound.sample_rate <= kMax32 / frame_bytes,
          "sample_rate must be positive and fit the format, is ", sound.sample_rate);
  require(sound.frames >= 0 && sound.frames <= (kMax32 - kHeaderBytes) / frame_bytes, "a sound of ",
          sound.frames, " frames does not fit into a WAV");
  require(static_cast<std::int64_t>(sound.samples.size()) == sound.frames * sound.channels,
          sound.samples.size(), " samples given for ", sound.frames, " frames of ", sound.channels);
  const std::int64_t data_bytes = sound.frames * frame_bytes;
  std::string wav;
  wav.reserve(static_cast<std::size_t>(data_bytes + kHeaderBytes + 8));
  wav += "RIFF";
  append_little_endian<std::uint32_t>(wav, kHeaderBytes + data_bytes);
  wav += "WAVEfmt ";
  append_little_endian<std::uint32_t>(wav, 16);  // bytes of the format
  append_little_endian<std::uint16_t>(wav, 1);   // plain samples
  append_little_endian<std::uint16_t>(wav, sound.channels);
  append_little_endian<std::uint32_t>(wav, sound.sample_rate);
  append_little_endian<std::uint32_t>(wav, sound.sample_rate * frame_bytes);
  append_little_endian<std::uint16_t>(wav, frame_bytes);
  append_little_endian<std::uint16_t>(wav, 8 * kWavBytesPerSample);
  wav += "data";
  append_little_endian<std::uint32_t>(wav, data_bytes);
  for (const float sample : sound.samples)
    append_little_endian<std::int16_t>(wav, as_int16(sample));
  return wav;
}

}  // namespace rill
