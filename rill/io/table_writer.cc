#include "rill/io/table_writer.h"

#include <snappy.h>

#include <algorithm>

#include "rill/base/crc32c.h"
#include "rill/base/error.h"
#include "rill/io/coding.h"
#include "rill/tensor/base128.h"

namespace rill {
namespace {

std::size_t shared_prefix(std::string_view a, std::string_view b) {
  const auto size = std::min(a.size(), b.size());
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.begin() + size, b.begin()).first -
                                  a.begin());
}

// The shortest key that is not less than `low` and less than `high`.
std::string separator(const std::string& low, std::string_view high) {
  const std::size_t at = shared_prefix(low, high);
  if (at >= low.size() || at >= high.size()) return low;
  const auto byte = static_cast<unsigned char>(low[at]);
  if (byte == 0xff || byte + 1 >= static_cast<unsigned char>(high[at])) return low;
  return low.substr(0, at) + static_cast<char>(byte + 1);
}

// A short key that is not less than `key`.
std::string successor(const std::string& key) {
  const auto at = key.find_first_not_of('\xff');
  if (at == std::string::npos) return key;
  return key.substr(0, at) + static_cast<char>(static_cast<unsigned char>(key[at]) + 1);
}

}  // namespace

void BlockWriter::add(std::string_view key, std::string_view value) {
  std::size_t shared = 0;
  if (since_restart_ < restart_interval_) {
    shared = shared_prefix(last_key_, key);
  } else {
    restarts_.push_back(static_cast<std::uint32_t>(bytes_.size()));
    since_restart_ = 0;
  }
  append_base128(shared, &bytes_);
  append_base128(key.size() - shared, &bytes_);
  append_base128(value.size(), &bytes_);
  bytes_.append(key.substr(shared));
  bytes_.append(value);
  last_key_ = key;
  ++since_restart_;
}

std::size_t BlockWriter::size() const { return bytes_.size() + 4 * restarts_.size() + 4; }

std::string BlockWriter::finish() {
  for (const std::uint32_t restart : restarts_) append_fixed32(restart, &bytes_);
  append_fixed32(static_cast<std::uint32_t>(restarts_.size()), &bytes_);
  restarts_ = {0};
  since_restart_ = 0;
  last_key_.clear();
  return std::exchange(bytes_, {});
}

TableWriter::TableWriter(WritableFile& file, const TableWriterOptions& options)
    : file_(file), options_(options) {}

void TableWriter::add(std::string_view key, std::string_view value) {
  require(!has_keys_ || key > last_key_, "keys of a table must ascend: ", quoted(key), " follows ",
          quoted(last_key_));
  require(value.size() < (std::size_t{1} << 32) && key.size() < (std::size_t{1} << 32),
          "an entry of a table holds less than 4 GiB; ", quoted(key), " has ", value.size(),
          " bytes");
  // A large entry gets a block of its own, so that its neighbours can be read without it.
  if (has_keys_ && !data_.empty() && key.size() + value.size() >= 2 * options_.block_size)
    write_data_block();
  if (has_pending_) write_pending_index(separator(last_key_, key));
  data_.add(key, value);
  last_key_ = key;
  has_keys_ = true;
  if (data_.size() >= options_.block_size) write_data_block();
}

void TableWriter::finish() {
  if (!data_.empty()) write_data_block();
  const BlockHandle metaindex = write_block(BlockWriter(kRestartInterval).finish());
  if (has_pending_) write_pending_index(successor(last_key_));
  const BlockHandle index = write_block(index_.finish());
  std::string footer;
  append_handle(metaindex, &footer);
  append_handle(index, &footer);
  footer.resize(kTableFooter);
  store_fixed(kTableMagic, footer.data() + kTableFooter - 8);
  file_.append(footer);
}

void TableWriter::write_data_block() {
  pending_ = write_block(data_.finish());
  has_pending_ = true;
}

void TableWriter::write_pending_index(std::string_view separator) {
  std::string handle;
  append_handle(pending_, &handle);
  index_.add(separator, handle);
  has_pending_ = false;
}

BlockHandle TableWriter::write_block(const std::string& contents) {
  auto kind = BlockCompression::none;
  std::string packed;
  if (options_.compression == BlockCompression::snappy) {
    snappy::Compress(contents.data(), contents.size(), &packed);
    const bool worth_it = packed.size() < contents.size() - contents.size() / 8;
    if (worth_it) kind = BlockCompression::snappy;
  }
  const std::string& stored = kind == BlockCompression::snappy ? packed : contents;
  char trailer[kBlockTrailer] = {static_cast<char>(kind)};
  store_fixed(mask_crc(extend_crc32c(crc32c(stored), {trailer, 1})), trailer + 1);
  file_.append(stored);
  file_.append({trailer, sizeof trailer});
  const BlockHandle handle{offset_, stored.size()};
  offset_ += stored.size() + kBlockTrailer;
  return handle;
}

}  // namespace rill
