#include "rill/net/socket/out_queue.h"

#include <algorithm>
#include <array>
#include <utility>

namespace rill::net {
namespace {

constexpr std::size_t kCopied = 4 << 10;     // what is smaller is gathered
constexpr std::size_t kGathered = 64 << 10;  // in one piece
constexpr std::size_t kAtOnce = 16;          // pieces

}  // namespace

void OutQueue::add(std::string_view bytes) {
  if (bytes.empty()) return;
  size_ += bytes.size();
  const bool joins = !pieces_.empty() && pieces_.back().owner == nullptr &&
                     pieces_.back().own.size() + bytes.size() <= kGathered;
  if (joins)
    pieces_.back().own.append(bytes);
  else
    pieces_.push_back({.own = std::string(bytes)});
}

void OutQueue::add(std::string_view bytes, std::shared_ptr<const void> owner) {
  if (bytes.size() < kCopied || owner == nullptr) return add(bytes);
  size_ += bytes.size();
  pieces_.push_back({.own = {}, .others = bytes, .owner = std::move(owner)});
}

Channel::Moved OutQueue::write_to(Channel& channel) {
  std::array<std::string_view, kAtOnce> views;
  std::size_t count = 0;
  for (const Piece& piece : pieces_) {
    if (count == views.size()) break;
    views[count++] = piece.bytes();
  }
  if (count == 0) return {};
  views[0].remove_prefix(at_);
  const Channel::Moved moved = channel.write({views.data(), count});
  drop(moved.bytes);
  return moved;
}

void OutQueue::drop(std::size_t count) {
  size_ -= count;
  at_ += count;
  while (!pieces_.empty() && at_ >= pieces_.front().bytes().size()) {
    at_ -= pieces_.front().bytes().size();
    pieces_.pop_front();
  }
}

void OutQueue::clear() { *this = {}; }

}  // namespace rill::net
