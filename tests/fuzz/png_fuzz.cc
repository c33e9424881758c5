// Any bytes as a PNG, with every number of channels.
#include <cstdint>
#include <vector>

#include "rill/base/error.h"
#include "rill/io/png.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const int bits : {8, 16})
    for (const int channels : {0, 1, 3, 4}) {
      std::vector<std::uint16_t> samples;
      const auto place = [&](const rill::PictureSize& s) -> void* {
        constexpr std::int64_t kMax = 1 << 22;  // so that inputs stay quick
        rill::require(s.height * s.width <= kMax, "too large for this test");
        samples.resize(static_cast<std::size_t>(s.height * s.width * s.channels));
        return samples.data();
      };
      try {
        rill::decode_png(bytes, channels, bits, place);
      } catch (const rill::Error&) {
      }
    }
  return 0;
}
