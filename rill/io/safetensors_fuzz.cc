// Reads any bytes as a safetensors file, with the length of its header made right first.
#include <cstdint>

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/io/coding.h"
#include "rill/io/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string path = "ram://fuzz_safetensors";
  std::string bytes(8, '\0');
  bytes.append(reinterpret_cast<const char*>(data), size);
  const std::size_t end = bytes.rfind('}');
  rill::store_fixed<std::uint64_t>(end == std::string::npos || end < 8 ? size : end - 7,
                                   bytes.data());
  rill::write_file(path, bytes);
  try {
    const rill::SafetensorsReader reader(path);
    for (const auto& [name, stored] : reader.tensors()) (void)reader.read(name);
  } catch (const rill::Error&) {
  }
  return 0;
}
