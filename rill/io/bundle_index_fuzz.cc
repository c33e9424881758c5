// Takes any bytes as the entries of a checkpoint: two bytes give the length of a key, two that of
// its value, and so on; what remains is the data file. The first byte says how many there are, and
// whether the checkpoint is of version 1. Every tensor is read, whole and in part.
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
constexpr const char* kOldFile = "ram://fuzz_bundle/old";

std::string_view take(std::string_view* rest) {
  if (rest->size() < 2) return {};
  const auto length = static_cast<std::size_t>(static_cast<unsigned char>((*rest)[0])) |
                      static_cast<std::size_t>(static_cast<unsigned char>((*rest)[1])) << 8;
  rest->remove_prefix(2);
  const std::string_view taken = rest->substr(0, length);
  rest->remove_prefix(taken.size());
  return taken;
}

// Returns what the checkpoint is called.
const char* write_checkpoint(std::string_view input) {
  std::map<std::string, std::string> entries;
  const auto first = static_cast<unsigned char>(input[0]);
  const std::size_t count = first % 8;
  const bool is_old = first >= 0x80;
  input.remove_prefix(1);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string key(take(&input));
    entries[key] = take(&input);
  }
  const std::string path = is_old ? kOldFile : rill::bundle_index_path(kPrefix);
  const auto file = rill::ram_files().create(path, rill::WriteMode::truncate);
  rill::TableWriter table(*file);
  for (const auto& [key, value] : entries) table.add(key, value);
  table.finish();
  if (is_old) return kOldFile;
  rill::write_file(rill::bundle_data_path(kPrefix, 0, 1), input);
  return kPrefix;
}

void read_everything(const char* prefix) {
  const auto reader = rill::CheckpointReader::open(prefix);
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
  if (size == 0) return 0;
  const char* prefix = write_checkpoint({reinterpret_cast<const char*>(data), size});
  try {
    read_everything(prefix);
  } catch (const rill::Error&) {
  }
  return 0;
}
