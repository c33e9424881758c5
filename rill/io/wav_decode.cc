#include "rill/io/wav.h"

#include <limits>

#include "rill/base/error.h"

namespace rill {
namespace {

constexpr std::int64_t kMaxChunk = std::numeric_limits<std::int32_t>::max();

class WavCursor {
 public:
  explicit WavCursor(std::string_view bytes) : rest_(bytes) {}

  bool at_end() const { return rest_.empty(); }
  std::string_view take(std::size_t count) {
    require(count <= rest_.size(), "Data too short when trying to read string: ", count,
            " bytes are wanted, ", rest_.size(), " are left");
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  void expect(std::string_view text) {
    const std::string_view found = take(text.size());
    require(found == text, "Header mismatch: Expected ", text, " but found ", quoted(found));
  }
  // An unsigned number of that many bytes, the lowest first.
  std::int64_t number(std::size_t bytes) {
    std::int64_t value = 0, shift = 0;
    for (const char byte : take(bytes)) {
      value |= std::int64_t{static_cast<std::uint8_t>(byte)} << shift;
      shift += 8;
    }
    return value;
  }
  // Chunks of odd size are followed by a zero, in files that keep to the format.
  void skip_padding(std::int64_t size) {
    if (size % 2 == 1 && !rest_.empty() && rest_[0] == '\0') rest_.remove_prefix(1);
  }

 private:
  std::string_view rest_;
};

// What the format says, up to and with the "fmt " chunk.
WavSamples read_format(WavCursor& cursor) {
  cursor.expect("RIFF");
  cursor.number(4);  // the size of the file, which writers of streams do not know
  cursor.expect("WAVE");
  const std::string_view field = cursor.take(4);
  require(field == "fmt ", "Unexpected field ", quoted(field));
  const std::int64_t size = cursor.number(4);
  require(size == 16 || size == 18, "Bad format chunk size for WAV: Expected 16 or 18, but got",
          size);
  const std::int64_t format = cursor.number(2);
  require(format == 1, "Bad audio format for WAV: Expected 1 (PCM), but got", format);
  WavSamples wav;
  wav.channels = cursor.number(2);
  require(wav.channels > 0, "Bad number of channels for WAV: Expected at least 1, but got ",
          wav.channels);
  wav.sample_rate = cursor.number(4);
  const std::int64_t rate = cursor.number(4), frame_bytes = cursor.number(2);
  const std::int64_t bits = cursor.number(2);
  require(bits == 8 * kWavBytesPerSample, "Can only read 16-bit WAV files, but received ", bits);
  require(frame_bytes == wav.channels * kWavBytesPerSample,
          "Bad bytes per sample in WAV header: Expected ", wav.channels * kWavBytesPerSample,
          " but got ", frame_bytes);
  require(rate == wav.sample_rate * frame_bytes, "Bad bytes per second in WAV header: Expected ",
          wav.sample_rate * frame_bytes, " but got ", rate, " (sample_rate=", wav.sample_rate,
          ", bytes_per_sample=", frame_bytes, ")");
  cursor.take(static_cast<std::size_t>(size - 16));
  return wav;
}

}  // namespace

float WavSamples::sample(std::int64_t frame, std::int64_t channel) const {
  const auto at = static_cast<std::size_t>((frame * channels + channel) * kWavBytesPerSample);
  const auto bits = static_cast<std::uint16_t>(static_cast<std::uint8_t>(bytes[at]) |
                                               static_cast<std::uint8_t>(bytes[at + 1]) << 8);
  return static_cast<float>(static_cast<std::int16_t>(bits)) / 32768.0F;
}

WavSamples decode_wav(std::string_view bytes) {
  WavCursor cursor(bytes);
  WavSamples wav = read_format(cursor);
  bool found = false;
  while (!cursor.at_end()) {
    const std::string_view name = cursor.take(4);
    const std::int64_t size = cursor.number(4);
    require(size <= kMaxChunk, "WAV data chunk '", quoted(name), "' is too large: ", size,
            " bytes, but the limit is ", kMaxChunk);
    const std::string_view data = cursor.take(static_cast<std::size_t>(size));
    cursor.skip_padding(size);
    if (name != "data") continue;
    require(!found, "More than one data chunk found in WAV");
    found = true;
    wav.bytes = data;
    wav.frames = size / (wav.channels * kWavBytesPerSample);
  }
  require(found, "No data chunk found in WAV");
  return wav;
}

}  // namespace rill
