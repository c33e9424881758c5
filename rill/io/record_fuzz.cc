// Reads any bytes as a TFRecord file, plain and compressed; the first byte chooses.
#include <cstdint>

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/io/record_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string path = "ram://fuzz_record";
  rill::write_file(path, {reinterpret_cast<const char*>(data) + 1, size - 1});
  const auto compression = static_cast<rill::Compression>(data[0] % 3);
  try {
    rill::RecordReader reader(path, {.compression = compression, .buffer_size = 64});
    std::string record;
    // A small file may unpack to very many records.
    for (int i = 0; i < 1000 && reader.read(&record); ++i) {
    }
    reader.seek(reader.offset() / 2);
    reader.skip();
  } catch (const rill::Error&) {
  }
  return 0;
}
