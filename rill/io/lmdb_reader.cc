#include "rill/io/lmdb_reader.h"

#include <algorithm>
#include <iterator>

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/io/coding.h"

namespace rill {
namespace {

// A page begins with its number (8 bytes), 2 unused bytes, flags, the end of the entries' offsets
// and the begin of the entries (2 bytes each); a long value has the count of its pages there.
constexpr std::size_t kPageHeader = 16, kFlags = 10, kLower = 12;
constexpr std::uint16_t kBranchPage = 0x01, kLeafPage = 0x02, kOverflowPage = 0x04,
                        kMetaPage = 0x08;

// Pages 0 and 1 say in turn where the newest tree begins.
constexpr std::size_t kMagicOffset = 16, kVersionOffset = 20, kPageSizeOffset = 40,
                      kRootOffset = 128, kTransactionOffset = 144, kMetaSize = 152;
constexpr std::uint32_t kMagicNumber = 0xBEEFC0DE, kDataVersion = 1;
constexpr std::uint64_t kNoPage = ~std::uint64_t{0};
constexpr std::uint64_t kMinPage = 256, kMaxPage = std::uint64_t{1} << 16;

// An entry: 4 bytes of size (in branches: of page number), flags, the size of the key, the key.
constexpr std::size_t kEntryHeader = 8;
constexpr std::uint16_t kLongValue = 0x01;
constexpr std::size_t kMaxTreeDepth = 32;  // LMDB's own limit

std::uint16_t u16(std::string_view bytes, std::size_t at) {
  return load_fixed<std::uint16_t>(bytes.data() + at);
}
std::uint32_t u32(std::string_view bytes, std::size_t at) {
  return load_fixed<std::uint32_t>(bytes.data() + at);
}
std::uint64_t u64(std::string_view bytes, std::size_t at) {
  return load_fixed<std::uint64_t>(bytes.data() + at);
}

std::size_t entry_count(std::string_view page) { return (u16(page, kLower) - kPageHeader) / 2; }

std::unique_ptr<ReadableFile> open_data_file(const std::string& path) {
  const std::string file = is_directory(path) ? join_path(path, "data.mdb") : path;
  return file_system_of(file).open(file);
}

}  // namespace

struct LmdbReader::Entry {
  std::string_view key, data;
  std::uint64_t size = 0;   // of the value
  std::uint64_t child = 0;  // in branches
  bool is_long = false;     // data is the number of the page where the value begins
};

LmdbReader::LmdbReader(const std::string& path)
    : file_(open_data_file(path)), size_(file_->size()) {
  std::uint64_t newest = 0;
  const std::string first = read_bytes(0, kMetaSize, 0);
  page_size_ = u32(first, kPageSizeOffset);
  if (page_size_ < kMinPage || page_size_ > kMaxPage) broken(0, "is no LMDB database");
  const bool one = read_meta(0, &newest), two = read_meta(1, &newest);
  if (!one && !two) broken(0, "is no LMDB database");
}

void LmdbReader::broken(std::uint64_t page, const char* why) const {
  raise(Code::kDataLoss, file_->path(), " ", why, " (page ", page, ")");
}

// Takes the root from a meta page that is newer than what was found; false when it is none.
bool LmdbReader::read_meta(std::uint64_t number, std::uint64_t* newest) {
  const std::string meta = read_bytes(number * page_size_, kMetaSize, number);
  if ((u16(meta, kFlags) & kMetaPage) == 0 || u32(meta, kMagicOffset) != kMagicNumber) return false;
  if (u32(meta, kVersionOffset) != kDataVersion)
    raise(Code::kUnimplemented, file_->path(), " is an LMDB database of version ",
          u32(meta, kVersionOffset), ", expected ", kDataVersion);
  const std::uint64_t transaction = u64(meta, kTransactionOffset);
  if (number > 0 && transaction < *newest) return true;
  *newest = transaction;
  root_ = u64(meta, kRootOffset);
  return true;
}

std::string LmdbReader::read_bytes(std::uint64_t offset, std::uint64_t size,
                                   std::uint64_t page) const {
  if (offset > size_ || size > size_ - offset) broken(page, "ends too early");
  std::string bytes(static_cast<std::size_t>(size), '\0');
  if (file_->read(offset, bytes) < bytes.size()) broken(page, "ends too early");
  return bytes;
}

// Goes down the left side of a tree, to a leaf; not at all when something is wrong.
void LmdbReader::descend(std::uint64_t number) {
  std::vector<Level> way;
  for (;;) {
    if (levels_.size() + way.size() == kMaxTreeDepth) broken(number, "has a tree that is too deep");
    if (number >= size_ / page_size_) broken(number, "refers to a page behind its end");
    Level& level = way.emplace_back(
        Level{.page = read_bytes(number * page_size_, page_size_, number), .number = number});
    const std::uint16_t flags = u16(level.page, kFlags), lower = u16(level.page, kLower);
    // Pages are never empty: that could keep a search for entries busy without end.
    if (u64(level.page, 0) != number || lower < kPageHeader + 2 || lower > page_size_ ||
        (flags & (kLeafPage | kBranchPage)) == 0)
      broken(number, "has a damaged page");
    if ((flags & kLeafPage) != 0) break;
    number = entry(level).child;
    level.next = 1;
  }
  std::ranges::move(way, std::back_inserter(levels_));
}

LmdbReader::Entry LmdbReader::entry(const Level& level) const {
  const std::string_view page = level.page;
  const std::size_t at = u16(page, kPageHeader + 2 * level.next);
  if (at > page.size() || page.size() - at < kEntryHeader)
    broken(level.number, "has a damaged entry");
  const std::uint16_t flags = u16(page, at + 4), key_size = u16(page, at + 6);
  std::string_view rest = page.substr(at + kEntryHeader);
  if (rest.size() < key_size) broken(level.number, "has a damaged entry");
  Entry found{.key = rest.substr(0, key_size), .data = rest.substr(key_size)};
  if ((u16(page, kFlags) & kBranchPage) != 0) {
    found.child = u32(page, at) | std::uint64_t{flags} << 32;
    return found;
  }
  if ((flags & ~kLongValue) != 0)
    raise(Code::kUnimplemented, file_->path(), " holds several databases or duplicate keys");
  found.size = u32(page, at);
  found.is_long = flags == kLongValue;
  const std::uint64_t held = found.is_long ? sizeof(std::uint64_t) : found.size;
  if (found.data.size() < held) broken(level.number, "has a damaged entry");
  found.data = found.data.substr(0, static_cast<std::size_t>(held));
  return found;
}

std::string LmdbReader::overflow(std::uint64_t number, std::uint64_t size) const {
  if (number >= size_ / page_size_) broken(number, "refers to a page behind its end");
  const std::string header = read_bytes(number * page_size_, kPageHeader, number);
  if (u64(header, 0) != number || (u16(header, kFlags) & kOverflowPage) == 0)
    broken(number, "has a damaged page");
  return read_bytes(number * page_size_ + kPageHeader, size, number);
}

bool LmdbReader::read(std::string* key, std::string* value) {
  if (!begun_ && root_ != kNoPage) descend(root_);
  begun_ = true;
  while (!levels_.empty()) {
    const std::size_t depth = levels_.size();
    const Level& level = levels_.back();
    if (level.next >= entry_count(level.page)) {
      levels_.pop_back();
      continue;
    }
    const Entry found = entry(level);
    const bool is_leaf = (u16(level.page, kFlags) & kLeafPage) != 0;
    if (is_leaf) {
      *value = found.is_long ? overflow(u64(found.data, 0), found.size) : std::string(found.data);
      key->assign(found.key);
    } else {
      descend(found.child);
    }
    ++levels_[depth - 1].next;
    if (is_leaf) return true;
  }
  return false;
}

}  // namespace rill
