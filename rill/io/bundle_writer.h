#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>

#include "rill/base/file_system.h"
#include "rill/io/tensor_slice.h"
#include "rill/tensor/tensor.h"

namespace tensorflow {
class BundleEntryProto;
}  // namespace tensorflow

namespace rill {

class LockFile;

struct BundleWriterOptions {
  std::size_t alignment = 1;  // tensors begin at multiples of this many bytes
};

// Writes a V2 checkpoint of one shard. Nothing has its proper name before finish(): a checkpoint is
// there as a whole or not at all, and an earlier one of that name stays until then. Without
// finish() nothing is left behind. While one is written nobody else can write it.
class BundleWriter {
 public:
  // Makes the directory if need be. Throws FailedPrecondition while another writer is at it.
  explicit BundleWriter(const std::string& prefix, const BundleWriterOptions& options = {});
  ~BundleWriter();
  BundleWriter(const BundleWriter&) = delete;
  BundleWriter& operator=(const BundleWriter&) = delete;

  // These throw InvalidArgument for a name that is empty or was added before ("Adding duplicate
  // key: ..."), and Unimplemented for values that have no written form.
  void add(const std::string& name, const Tensor& tensor);
  // One part of a tensor of shape `full`. A part that is everything is stored as a plain tensor.
  void add_slice(const std::string& name, const Shape& full, const TensorSlice& slice,
                 const Tensor& part);
  void finish();  // once

 private:
  using Entries = std::map<std::string, tensorflow::BundleEntryProto>;
  void write_tensor(const std::string& key, const Tensor& tensor);

  const std::string prefix_;
  const BundleWriterOptions options_;
  const std::string temporary_data_;
  std::shared_ptr<LockFile> lock_;
  std::unique_ptr<WritableFile> data_;
  std::uint64_t offset_ = 0;
  std::unique_ptr<Entries> entries_;
};

struct MergeOptions {
  bool delete_old_directories = true;  // those that are empty afterwards
};

// Makes one checkpoint of several by renaming their shards; the old ones are gone afterwards.
// A checkpoint that has the name already can be read until the new one can. Throws InvalidArgument
// when a tensor is in two of them, FailedPrecondition while another writer is at it.
void merge_bundles(std::span<const std::string> prefixes, const std::string& merged_prefix,
                   const MergeOptions& options = {});

}  // namespace rill
