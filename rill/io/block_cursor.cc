#include <limits>

#include "rill/base/error.h"
#include "rill/io/coding.h"
#include "rill/io/table_reader.h"

namespace rill {

BlockCursor::BlockCursor(std::string contents, std::string where)
    : contents_(std::move(contents)), where_(std::move(where)) {
  if (contents_.size() < 4) raise(Code::kDataLoss, "bad block contents in ", where_);
  restart_count_ = load_fixed<std::uint32_t>(contents_.data() + contents_.size() - 4);
  if (restart_count_ == 0 || restart_count_ > (contents_.size() - 4) / 4)
    raise(Code::kDataLoss, "bad block contents in ", where_, ": ", restart_count_,
          " restart points in ", contents_.size(), " bytes");
  entries_size_ = contents_.size() - 4 - 4 * restart_count_;
}

std::uint32_t BlockCursor::restart(std::size_t number) const {
  const auto offset = load_fixed<std::uint32_t>(contents_.data() + entries_size_ + 4 * number);
  if (offset > entries_size_)
    raise(Code::kDataLoss, "bad entry in block: restart point ", number, " of ", where_);
  return offset;
}

void BlockCursor::go_to_restart(std::size_t number) {
  key_.clear();
  at_ = restart(number);
  next();
}

void BlockCursor::first() {
  if (restart_count_ > 0) go_to_restart(0);
}

void BlockCursor::next() {
  valid_ = at_ < entries_size_;
  if (!valid_) return;
  std::string_view rest(contents_.data() + at_, entries_size_ - at_);
  std::uint64_t shared = 0, added = 0, value_size = 0;
  constexpr std::uint64_t kLimit = std::numeric_limits<std::uint32_t>::max();
  const bool fits = take_varint(&rest, &shared, kLimit) && take_varint(&rest, &added, kLimit) &&
                    take_varint(&rest, &value_size, kLimit) && shared <= key_.size() &&
                    added + value_size <= rest.size();
  if (!fits) {
    valid_ = false;
    raise(Code::kDataLoss, "bad entry in block: at ", at_, " of ", where_);
  }
  key_.resize(shared);
  key_.append(rest.substr(0, added));
  value_ = rest.substr(added, value_size);
  at_ = static_cast<std::size_t>(value_.data() + value_.size() - contents_.data());
}

void BlockCursor::seek(std::string_view key) {
  if (restart_count_ == 0) return;
  // The last restart point whose key is less; from there on entries are looked at one by one.
  std::size_t low = 0, high = restart_count_ - 1;
  while (low < high) {
    const std::size_t middle = low + (high - low + 1) / 2;
    go_to_restart(middle);
    if (valid_ && key_ < key) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  for (go_to_restart(low); valid_ && key_ < key;) next();
}

}  // namespace rill
