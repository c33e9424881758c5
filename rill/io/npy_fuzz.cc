// Any bytes as a .npy file: what is read can be written, and is then read as the same.
#include <cstdint>
#include <cstdlib>

#include "rill/base/error.h"
#include "rill/io/npy.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const rill::Tensor tensor = rill::parse_npy({reinterpret_cast<const char*>(data), size});
    if (!rill::identical(rill::parse_npy(rill::npy_bytes(tensor)), tensor)) std::abort();
  } catch (const rill::Error&) {
  }
  return 0;
}
