#include "rill/io/lines.h"

#include <cstring>

namespace rill {
namespace {

constexpr std::size_t kReadSize = std::size_t{256} << 10;

}  // namespace

Lines::Lines(const std::string& path) : file_(file_system_of(path).open(path)) {}

bool Lines::read(std::string* line) {
  std::size_t searched = begin_;
  for (;;) {
    const void* const end = std::memchr(bytes_.data() + searched, '\n', bytes_.size() - searched);
    if (end != nullptr) {
      const auto at = static_cast<std::size_t>(static_cast<const char*>(end) - bytes_.data());
      take(at, line);
      begin_ = at + 1;
      return true;
    }
    searched = bytes_.size() - begin_;
    if (!fill()) break;
  }
  if (begin_ == bytes_.size()) return false;
  take(bytes_.size(), line);
  begin_ = bytes_.size();
  return true;
}

// Brings what is left to the front and another piece behind it; false at the end of the file.
bool Lines::fill() {
  bytes_.erase(0, begin_);
  begin_ = 0;
  const std::size_t kept = bytes_.size();
  bytes_.resize(kept + kReadSize);
  std::size_t got = 0;
  try {
    got = file_->read(offset_, {bytes_.data() + kept, kReadSize});
  } catch (...) {
    bytes_.resize(kept);
    throw;
  }
  bytes_.resize(kept + got);
  offset_ += got;
  return got > 0;
}

void Lines::take(std::size_t end, std::string* line) const {
  const bool returns = end > begin_ && bytes_[end - 1] == '\r';
  line->assign(bytes_, begin_, end - begin_ - (returns ? 1 : 0));
}

}  // namespace rill
