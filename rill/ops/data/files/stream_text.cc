#include "rill/ops/data/files/stream_text.h"

namespace rill {
namespace {

constexpr std::size_t kPiece = std::size_t{256} << 10;

}  // namespace

bool StreamText::more() {
  bytes_.erase(0, begin_);
  begin_ = 0;
  const std::size_t kept = bytes_.size();
  bytes_.resize(kept + kPiece);
  std::size_t got = 0;
  try {
    got = stream_->read({bytes_.data() + kept, kPiece});
  } catch (...) {
    bytes_.resize(kept);
    throw;
  }
  bytes_.resize(kept + got);
  return got > 0;
}

void StreamText::seek(std::uint64_t position) {
  bytes_.clear();
  begin_ = 0;
  stream_->seek(position);
}

}  // namespace rill
