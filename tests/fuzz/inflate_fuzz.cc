// Any bytes as a compressed string.
#include <cstdint>

#include "rill/base/error.h"
#include "rill/io/inflate.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view packed(reinterpret_cast<const char*>(data), size);
  for (const auto compression : {rill::Compression::zlib, rill::Compression::gzip}) {
    try {
      (void)rill::inflated(packed, compression);
    } catch (const rill::Error&) {
    }
  }
  return 0;
}
