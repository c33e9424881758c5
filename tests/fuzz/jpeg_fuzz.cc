// Any bytes as a JPEG, whole and in part.
#include <cstdint>
#include <vector>

#include "rill/base/error.h"
#include "rill/io/jpeg.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  std::vector<std::uint8_t> samples;
  const auto place = [&](const rill::PictureSize& s) -> void* {
    constexpr std::int64_t kMax = 1 << 22;  // so that inputs stay quick
    rill::require(s.height * s.width <= kMax, "too large for this test");
    samples.resize(static_cast<std::size_t>(s.height * s.width * s.channels));
    return samples.data();
  };
  const int choice = size > 0 ? data[size - 1] : 0;
  rill::JpegReading how;
  how.channels = choice & 1 ? 1 : 0;
  how.ratio = 1 << (choice >> 1 & 3);
  how.try_recover_truncated = (choice & 8) != 0;
  how.acceptable_fraction = choice & 16 ? 0.5F : 1;
  if (choice & 32) how.crop = {choice >> 6, choice >> 6, 2, 3};
  try {
    (void)rill::jpeg_size(bytes);
  } catch (const rill::Error&) {
  }
  try {
    rill::decode_jpeg(bytes, how, place);
  } catch (const rill::Error&) {
  }
  return 0;
}
