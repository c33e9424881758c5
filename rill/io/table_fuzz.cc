// Reads any bytes as a table, with every checksum made right first: what is behind them counts.
#include <cstdint>

#include "rill/base/crc32c.h"
#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/io/coding.h"
#include "rill/io/table_reader.h"

namespace {

void repair_checksum(std::string* bytes, const rill::BlockHandle& handle) {
  if (handle.offset > bytes->size() || handle.size + rill::kBlockTrailer < handle.size ||
      handle.size + rill::kBlockTrailer > bytes->size() - handle.offset)
    return;
  const std::string_view checked(bytes->data() + handle.offset, handle.size + 1);
  rill::store_fixed(rill::mask_crc(rill::crc32c(checked)),
                    bytes->data() + handle.offset + handle.size + 1);
}

void repair(std::string* bytes) {
  if (bytes->size() < rill::kTableFooter) return;
  rill::store_fixed(rill::kTableMagic, bytes->data() + bytes->size() - 8);
  const std::string footer = bytes->substr(bytes->size() - rill::kTableFooter);
  std::string_view rest = footer;
  rill::BlockHandle unused, index;
  if (!rill::take_handle(&rest, &unused) || !rill::take_handle(&rest, &index)) return;
  if (index.offset > bytes->size() || index.size > bytes->size() - index.offset) return;
  try {  // the blocks that an uncompressed index names
    rill::BlockCursor cursor(bytes->substr(index.offset, index.size), "");
    for (cursor.first(); cursor.valid(); cursor.next()) {
      std::string_view value = cursor.value();
      rill::BlockHandle handle;
      if (rill::take_handle(&value, &handle)) repair_checksum(bytes, handle);
    }
  } catch (const rill::Error&) {
  }
  repair_checksum(bytes, index);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  repair(&bytes);
  rill::write_file("ram://fuzz_table", bytes);
  try {
    rill::TableReader reader(rill::ram_files().open("ram://fuzz_table"));
    int count = 0;
    for (reader.first(); reader.valid() && count < 10'000; reader.next()) ++count;
    reader.find("layer");
    reader.seek(std::string_view("\0emb", 4));
  } catch (const rill::Error&) {
  }
  return 0;
}
