#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "rill/base/file_system.h"
#include "rill/io/table_format.h"

namespace rill {

// The entries of one block that is in memory.
class BlockCursor {
 public:
  BlockCursor() = default;
  // `where` names the block in messages. Throws DataLoss when the contents are no block.
  BlockCursor(std::string contents, std::string where);

  bool valid() const { return valid_; }
  const std::string& key() const { return key_; }
  std::string_view value() const { return value_; }
  // These throw DataLoss ("bad entry in block") for entries that are none.
  void first();
  void next();
  void seek(std::string_view key);  // the first entry that is not less

 private:
  void go_to_restart(std::size_t number);
  std::uint32_t restart(std::size_t number) const;

  std::string contents_, where_, key_;
  std::size_t entries_size_ = 0, restart_count_ = 0, at_ = 0;  // at_: the entry after this one
  std::string_view value_;
  bool valid_ = false;
};

// A table: sorted keys with their values. Throws DataLoss with file and offset for what is broken.
// Holds the list of blocks and one block.
class TableReader {
 public:
  explicit TableReader(std::unique_ptr<ReadableFile> file);

  // A walk over the entries in the order of their keys.
  bool valid() const { return data_.valid(); }
  const std::string& key() const { return data_.key(); }
  std::string_view value() const { return data_.value(); }  // until the walk goes on
  void first();
  void next();
  void seek(std::string_view key);  // the first entry that is not less

  // True, standing there, if the key is in the table.
  bool find(std::string_view key);
  const std::string& path() const { return file_->path(); }

 private:
  std::string read_block(const BlockHandle& handle) const;
  BlockCursor open_block(const BlockHandle& handle) const;
  void open_data_block();  // the one that index_ stands at
  void skip_empty_blocks();
  [[noreturn]] void data_loss(std::string_view what, std::uint64_t offset) const;

  std::unique_ptr<ReadableFile> file_;
  std::uint64_t file_size_;
  BlockCursor index_, data_;
};

}  // namespace rill
