#pragma once

#include <map>
#include <memory>
#include <string>

#include "rill/base/function_ref.h"
#include "rill/io/tensor_slice.h"
#include "rill/tensor/tensor.h"

namespace rill {

struct StoredTensor {
  DType dtype = DType::invalid;
  Shape shape;
};

// The tensors of a checkpoint, of either format. Safe from several threads at once. What is broken
// is DataLoss with file, tensor and offset; every tensor's checksum is verified when it is read.
class CheckpointReader {
 public:
  // V2 if `prefix`.index is there; otherwise `prefix` is a pattern of V1 files. Throws NotFound if
  // there are none of those either ("... Failed to find any matching files for ...").
  static std::unique_ptr<CheckpointReader> open(const std::string& prefix);
  static bool exists(const std::string& prefix);
  virtual ~CheckpointReader() = default;

  // Whole tensors by name: the parts of a partitioned one are not listed.
  const std::map<std::string, StoredTensor>& tensors() const { return tensors_; }
  // Throws NotFound ("Key ... not found in checkpoint").
  const StoredTensor& tensor(const std::string& name) const;

  // Takes no memory to speak of but the tensor's own, except for V1 files and their parts.
  Tensor read(const std::string& name) const;
  // Part of a tensor, stored as a whole or in whatever parts. Throws InvalidArgument when the slice
  // does not fit or parts of it are not there, Unimplemented for parts of strings stored otherwise.
  virtual Tensor read_slice(const std::string& name, const TensorSlice& slice) const = 0;

  // Calls what it is given with 0, 1, ... below `count`, at the same time where it can.
  using EachPiece = FunctionRef<void(std::size_t count, FunctionRef<void(std::size_t)> piece)>;
  // As read(), a large tensor in pieces.
  virtual Tensor read_in_pieces(const std::string& name, EachPiece each) const;

  // "name (DT_FLOAT) [2,3]", a line for each tensor.
  std::string describe() const;

 protected:
  std::map<std::string, StoredTensor> tensors_;
};

}  // namespace rill
