// Any bytes as a BMP.
#include <cstdint>
#include <vector>

#include "rill/base/error.h"
#include "rill/io/bmp.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  std::vector<std::uint8_t> samples;
  const auto place = [&](const rill::PictureSize& s) -> void* {
    samples.resize(static_cast<std::size_t>(s.height * s.width * s.channels));
    return samples.data();
  };
  for (const int channels : {0, 3, 4}) {
    try {
      rill::decode_bmp(bytes, channels, place);
    } catch (const rill::Error&) {
    }
  }
  return 0;
}
