#pragma once

#include <memory>
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
  Tensor read_slice(const std::string& name, const TensorSlice& slice) const override;
  Tensor read_in_pieces(const std::string& name, EachPiece each) const override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace rill
