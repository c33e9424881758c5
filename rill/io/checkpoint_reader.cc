#include "rill/io/checkpoint_reader.h"

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/io/bundle_format.h"
#include "rill/io/bundle_reader.h"
#include "rill/io/slice_file_reader.h"
#include "tensorflow/core/framework/types.pb.h"

namespace rill {

std::unique_ptr<CheckpointReader> CheckpointReader::open(const std::string& prefix) {
  if (file_exists(bundle_index_path(prefix))) return std::make_unique<BundleReader>(prefix);
  if (is_directory(prefix))
    raise(Code::kDataLoss, "Unable to open table file ", prefix, ": ", prefix,
          "; Is a directory: perhaps your file is in a different file format and you need to use a "
          "different restore operator?");
  return std::make_unique<SliceFileReader>(prefix);
}

bool CheckpointReader::exists(const std::string& prefix) {
  return file_exists(bundle_index_path(prefix)) || !matching_paths(prefix).empty();
}

const StoredTensor& CheckpointReader::tensor(const std::string& name) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) raise(Code::kNotFound, "Key ", name, " not found in checkpoint");
  return found->second;
}

Tensor CheckpointReader::read(const std::string& name) const {
  return read_slice(name, TensorSlice::whole(tensor(name).shape.rank()));
}

Tensor CheckpointReader::read_in_pieces(const std::string& name, EachPiece) const {
  return read(name);
}

std::string CheckpointReader::describe() const {
  std::string text;
  for (const auto& [name, stored] : tensors_) {
    const auto number = static_cast<tensorflow::DataType>(stored.dtype);
    text += str_cat(name, " (", tensorflow::DataType_Name(number), ") ", stored.shape, "\n");
  }
  return text;
}

}  // namespace rill
