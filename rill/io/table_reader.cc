#include "rill/io/table_reader.h"

#include <snappy.h>

#include "rill/base/crc32c.h"
#include "rill/base/error.h"
#include "rill/io/coding.h"

namespace rill {
namespace {

// Three bytes of snappy's stream stand for 64 at most, so who promises more is lying.
constexpr std::size_t kMaxSnappyRatio = 32;

bool unpack_snappy(const std::string& packed, std::string* contents) {
  std::size_t size = 0;
  return snappy::GetUncompressedLength(packed.data(), packed.size(), &size) &&
         size <= kMaxSnappyRatio * packed.size() &&
         snappy::Uncompress(packed.data(), packed.size(), contents);
}

}  // namespace

TableReader::TableReader(std::unique_ptr<ReadableFile> file)
    : file_(std::move(file)), file_size_(file_->size()) {
  if (file_size_ < kTableFooter) data_loss("file is too short to be an sstable", file_size_);
  char footer[kTableFooter];
  const std::uint64_t footer_at = file_size_ - kTableFooter;
  if (file_->read(footer_at, footer) < sizeof footer) data_loss("truncated block read", footer_at);
  if (load_fixed<std::uint64_t>(footer + kTableFooter - 8) != kTableMagic)
    data_loss("not an sstable (bad magic number)", file_size_ - 8);
  std::string_view handles(footer, kTableFooter - 8);
  BlockHandle metaindex, index;
  if (!take_handle(&handles, &metaindex) || !take_handle(&handles, &index))
    data_loss("bad block handle", footer_at);
  index_ = open_block(index);
}

void TableReader::data_loss(std::string_view what, std::uint64_t offset) const {
  raise(Code::kDataLoss, what, " at offset ", offset, " of ", path());
}

std::string TableReader::read_block(const BlockHandle& handle) const {
  const std::uint64_t limit = file_size_ - kTableFooter;
  if (handle.offset > limit || limit - handle.offset < kBlockTrailer ||
      handle.size > limit - handle.offset - kBlockTrailer)
    data_loss("truncated block read", handle.offset);
  std::string stored(static_cast<std::size_t>(handle.size) + kBlockTrailer, '\0');
  if (file_->read(handle.offset, stored) < stored.size())
    data_loss("truncated block read", handle.offset);
  const std::string_view checked(stored.data(), stored.size() - 4);
  if (load_fixed<std::uint32_t>(stored.data() + checked.size()) != mask_crc(crc32c(checked)))
    data_loss("block checksum mismatch", handle.offset);
  const auto kind = static_cast<BlockCompression>(checked.back());
  stored.resize(stored.size() - kBlockTrailer);
  if (kind == BlockCompression::none) return stored;
  if (kind != BlockCompression::snappy) data_loss("bad block type", handle.offset);
  std::string contents;
  if (!unpack_snappy(stored, &contents))
    data_loss("corrupted compressed block contents", handle.offset);
  return contents;
}

BlockCursor TableReader::open_block(const BlockHandle& handle) const {
  return BlockCursor(read_block(handle), str_cat("the block at ", handle.offset, " of ", path()));
}

void TableReader::open_data_block() {
  data_ = BlockCursor();
  if (!index_.valid()) return;
  std::string_view rest = index_.value();
  BlockHandle handle;
  if (!take_handle(&rest, &handle))
    raise(Code::kDataLoss, "bad block handle in the index of ", path());
  data_ = open_block(handle);
}

void TableReader::skip_empty_blocks() {
  while (!data_.valid() && index_.valid()) {
    index_.next();
    open_data_block();
    data_.first();
  }
}

void TableReader::first() {
  index_.first();
  open_data_block();
  data_.first();
  skip_empty_blocks();
}

void TableReader::next() {
  data_.next();
  skip_empty_blocks();
}

void TableReader::seek(std::string_view key) {
  index_.seek(key);
  open_data_block();
  data_.seek(key);
  skip_empty_blocks();
}

bool TableReader::find(std::string_view key) {
  seek(key);
  return valid() && this->key() == key;
}

}  // namespace rill
