#pragma once

#include <memory>
#include <span>
#include <string>

#include "rill/io/checkpoint_reader.h"

namespace rill {

// A V2 checkpoint: `prefix`.index and its data shards, which are opened when they are needed.
class BundleReader final : public CheckpointReader {
 public:
  // Throws NotFound when there is no index, DataLoss when it is broken, InvalidArgument when it is
  // of a version that cannot be read.
  explicit BundleReader(const std::string& prefix);
  ~BundleReader() override;
  // For tensors of numbers that were stored as a whole: whether the stored bytes are sound, which
  // throws as read() does, and then these bytes, into memory of the tensor's size.
  bool is_plain(const std::string& name) const;
  void verify(const std::string& name) const;
  void fill(const std::string& name, std::span<char> memory) const;
  // A new tensor in memory of a device, brought there piece by piece.
  Tensor read_into(const std::string& name, Allocator& memory) const;

  Tensor read_slice(const std::string& name, const TensorSlice& slice) const override;
  Tensor read_in_pieces(const std::string& name, EachPiece each) const override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace rill
