// Takes any bytes as the entries of a bundle: two bytes give the length of a key, two that of its
// value, and so on; what remains is the data file. Every tensor is read, whole and in part.
#include <google/protobuf/stubs/logging.h>

#include <cstdint>

#include "rill/base/file_system.h"
#include "rill/base/files.h"
#include "rill/io/bundle_format.h"
#include "rill/io/bundle_reader.h"
#include "rill/io/table_writer.h"
#include "rill/tensor/allocator.h"

namespace {

constexpr std::int64_t kMemoryLimit = std::int64_t{64} << 20;
constexpr const char* kPrefix = "ram://fuzz_bundle/model";

std::string_view take(std::string_view* rest) {
  if (rest->size() < 2) return {};
  const auto length = static_cast<std::size_t>(static_cast<unsigned char>((*rest)[0])) |
                      static_cast<std::size_t>(static_cast<unsigned char>((*rest)[1])) << 8;
  rest->remove_prefix(2);
  const std::string_view taken = rest->substr(0, length);
  rest->remove_prefix(taken.size());
  return taken;
}

void write_bundle(std::string_view input) {
  std::map<std::string, std::string> entries;
  const std::size_t count = input.empty() ? 0 : static_cast<unsigned char>(input[0]) % 8;
  if (!input.empty()) input.remove_prefix(1);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string key(take(&input));
    entries[key] = take(&input);
  }
  const auto file =
      rill::ram_files().create(rill::bundle_index_path(kPrefix), rill::WriteMode::truncate);
  rill::TableWriter table(*file);
  for (const auto& [key, value] : entries) table.add(key, value);
  table.finish();
  rill::write_file(rill::bundle_data_path(kPrefix, 0, 1), input);
}

void read_everything() {
  const auto reader = rill::CheckpointReader::open(kPrefix);
  reader->describe();
  for (const auto& [name, stored] : reader->tensors()) {
    try {
      reader->read(name);
    } catch (const rill::Error&) {
    }
    try {
      std::vector<rill::TensorSlice::Range> ranges;
      for (const auto dim : stored.shape.dims()) ranges.push_back({dim / 2, dim - dim / 2});
      reader->read_slice(name, rill::TensorSlice(ranges));
    } catch (const rill::Error&) {
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const google::protobuf::LogSilencer no_words_about_bad_utf8;
  static const bool limited = [] {
    rill::cpu_allocator().set_limit(kMemoryLimit);
    return setenv("TF_CPP_MIN_LOG_LEVEL", "3", 1) == 0;
  }();
  (void)limited;
  write_bundle({reinterpret_cast<const char*>(data), size});
  try {
    read_everything();
  } catch (const rill::Error&) {
  }
  return 0;
}
