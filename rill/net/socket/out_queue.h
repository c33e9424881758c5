#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include "rill/net/socket/channel.h"

namespace rill::net {

// Bytes that are to be sent, in order: small ones gathered, large ones where they are.
class OutQueue {
 public:
  void add(std::string_view bytes);
  // `owner` keeps the bytes where they are until they were sent.
  void add(std::string_view bytes, std::shared_ptr<const void> owner);

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  // Sends as much as the channel takes at once. `bytes` of what is returned were sent.
  Channel::Moved write_to(Channel& channel);
  void clear();

 private:
  struct Piece {
    std::string own;
    std::string_view others = {};
    std::shared_ptr<const void> owner = {};
    std::string_view bytes() const { return owner != nullptr ? others : std::string_view(own); }
  };
  void drop(std::size_t count);

  std::deque<Piece> pieces_;
  std::size_t at_ = 0;  // in the first of them
  std::size_t size_ = 0;
};

}  // namespace rill::net
