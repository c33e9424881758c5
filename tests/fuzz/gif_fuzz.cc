// Any bytes as a GIF.
#include <cstdint>
#include <vector>

#include "rill/base/error.h"
#include "rill/io/gif.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  std::vector<std::uint8_t> samples;
  const auto place = [&](const rill::PictureSize& s) -> void* {
    constexpr std::int64_t kMax = 1 << 22;  // so that inputs stay quick
    rill::require(s.frames * s.height * s.width <= kMax, "too large for this test");
    samples.resize(static_cast<std::size_t>(s.frames * s.height * s.width * s.channels));
    return samples.data();
  };
  try {
    rill::decode_gif(bytes, place);
  } catch (const rill::Error&) {
  }
  return 0;
}
