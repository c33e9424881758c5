#pragma once

#include <map>
#include <memory>
#include <string>

#include "rill/io/tensor_slice.h"
#include "rill/tensor/tensor.h"

namespace tensorflow {
class SavedSliceMeta;
}  // namespace tensorflow

namespace rill {

// Writes a V1 checkpoint of one shard, a table of SavedTensorSlices. The file has its proper name
// only after finish(); without that nothing is left behind.
class SliceFileWriter {
 public:
  explicit SliceFileWriter(std::string path);
  ~SliceFileWriter();
  SliceFileWriter(const SliceFileWriter&) = delete;
  SliceFileWriter& operator=(const SliceFileWriter&) = delete;

  // Throws InvalidArgument for a slice that was added before, does not fit its tensor or is too
  // large for a message, and Unimplemented for types that this format does not hold.
  void add(const std::string& name, const Tensor& tensor);
  void add_slice(const std::string& name, const Shape& full, const TensorSlice& slice,
                 const Tensor& part);
  void finish();

 private:
  const std::string path_;
  std::map<std::string, std::unique_ptr<tensorflow::SavedSliceMeta>> tensors_;
  std::map<std::string, std::string> entries_;  // by key
};

}  // namespace rill
