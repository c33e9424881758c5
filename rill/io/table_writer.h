#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rill/base/file_system.h"
#include "rill/io/table_format.h"

namespace rill {

// One block in the making: keys share their beginnings with the keys before them.
class BlockWriter {
 public:
  explicit BlockWriter(std::size_t restart_interval) : restart_interval_(restart_interval) {}
  void add(std::string_view key, std::string_view value);  // keys must ascend
  bool empty() const { return bytes_.empty(); }
  std::size_t size() const;  // of what finish() would return
  std::string finish();      // the block's contents; the next block begins

 private:
  const std::size_t restart_interval_;
  std::size_t since_restart_ = 0;
  std::string bytes_, last_key_;
  std::vector<std::uint32_t> restarts_{0};
};

struct TableWriterOptions {
  BlockCompression compression = BlockCompression::none;
  std::size_t block_size = kBlockSize;
};

// Writes a table to the end of `file`, which it neither flushes nor closes.
class TableWriter {
 public:
  explicit TableWriter(WritableFile& file, const TableWriterOptions& options = {});
  // Throws InvalidArgument unless keys ascend.
  void add(std::string_view key, std::string_view value);
  void finish();

 private:
  void write_data_block();
  BlockHandle write_block(const std::string& contents);
  void write_pending_index(std::string_view separator);

  WritableFile& file_;
  const TableWriterOptions options_;
  std::uint64_t offset_ = 0;
  bool has_keys_ = false;
  std::string last_key_;
  BlockWriter data_{kRestartInterval}, index_{1};
  // The entry of a block that is written waits for the next key: a short one between both will do.
  bool has_pending_ = false;
  BlockHandle pending_;
};

}  // namespace rill
