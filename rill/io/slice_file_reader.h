#pragma once

#include <memory>
#include <string>

#include "rill/io/checkpoint_reader.h"

namespace rill {

// A V1 checkpoint: tables of SavedTensorSlices messages, one for each shard.
class SliceFileReader final : public CheckpointReader {
 public:
  // Opens every file that fits the pattern. Throws NotFound when there is none, DataLoss when one
  // of them is no such table.
  explicit SliceFileReader(const std::string& pattern);
  ~SliceFileReader() override;
  Tensor read_slice(const std::string& name, const TensorSlice& slice) const override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace rill
