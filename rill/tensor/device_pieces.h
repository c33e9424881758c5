#pragma once

#include <array>
#include <future>
#include <span>

#include "rill/base/function_ref.h"
#include "rill/tensor/tensor.h"

namespace rill {

// The bytes of a tensor in device memory in pieces of at most kStagingBytes, through page-locked
// memory where the device has such: the host never holds all of them. Both ways throw what a copy
// throws.

// `take` gets one piece after the other, while the next one is under way.
void take_pieces(const Tensor& from, FunctionRef<void(std::span<const char>)> take);

// Fills a tensor from its beginning.
class PieceWriter {
 public:
  explicit PieceWriter(const Tensor& to) : to_(to) {}
  void put(std::span<const char> bytes);
  void finish();  // waits for what is under way

 private:
  struct Piece {
    Tensor staging;
    std::future<void> ended;
  };
  void put_piece(std::span<const char> bytes);

  const Tensor to_;
  std::size_t done_ = 0;
  std::array<Piece, 2> pieces_;  // of which one is filled while the other is copied
  std::size_t next_ = 0;
};

}  // namespace rill
