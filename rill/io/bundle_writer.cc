#include "rill/io/bundle_writer.h"

#include "rill/base/durable_files.h"
#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/io/bundle_blob.h"
#include "rill/io/bundle_format.h"
#include "rill/io/bundle_publish.h"
#include "rill/tensor/tensor_proto.h"

namespace rill {

BundleWriter::BundleWriter(const std::string& prefix, const BundleWriterOptions& options)
    : prefix_(prefix),
      options_(options),
      temporary_data_(temporary_path(bundle_data_path(prefix, 0, 1))),
      entries_(std::make_unique<Entries>()) {
  require(options.alignment > 0, "tensors cannot be aligned to 0 bytes");
  make_durable_directories(parent_path(prefix));
  lock_ = lock_checkpoint(prefix);
  data_ = file_system_of(prefix).create(temporary_data_, WriteMode::truncate);
}

BundleWriter::~BundleWriter() {
  if (data_ == nullptr) return;  // finished
  try {
    data_.reset();
    file_system_of(prefix_).remove_file(temporary_data_);
  } catch (const Error&) {  // a temporary file more
  }
}

void BundleWriter::add(const std::string& name, const Tensor& tensor) {
  require(!name.empty(), "a tensor of a checkpoint needs a name");
  require(!entries_->contains(name), "Adding duplicate key: ", name);
  write_tensor(name, tensor);
}

void BundleWriter::add_slice(const std::string& name, const Shape& full, const TensorSlice& slice,
                             const Tensor& part) {
  const Shape expected = slice.shape_in(full);
  require(part.shape() == expected, "Slice ", slice, " of tensor ", name, " with shape ", full,
          " has shape ", expected, ", not ", part.shape());
  if (part.shape() == full) return add(name, part);
  require(!name.empty(), "a tensor of a checkpoint needs a name");

  const std::string key = slice_key(name, slice);
  require(!entries_->contains(key), "Adding duplicate key: ", name, " slice ", slice);
  tensorflow::BundleEntryProto whole;
  whole.set_dtype(static_cast<tensorflow::DataType>(part.dtype()));
  to_proto(PartialShape(full), whole.mutable_shape());
  if (const auto found = entries_->find(name); found != entries_->end()) {
    require(found->second.slices_size() > 0, "Adding duplicate key: ", name);
    require(found->second.dtype() == whole.dtype() &&
                shape_from_proto(found->second.shape()) == PartialShape(full),
            "Slice ", slice, " of tensor ", name, " is of another type or shape than those before");
  }
  write_tensor(key, part);
  auto& entry = entries_->try_emplace(name, std::move(whole)).first->second;
  slice.to_proto(entry.add_slices());
}

void BundleWriter::write_tensor(const std::string& key, const Tensor& tensor) {
  if (data_ == nullptr)
    raise(Code::kFailedPrecondition, "the checkpoint ", prefix_, " is finished");
  const BlobFacts blob = write_blob(tensor, *data_);
  tensorflow::BundleEntryProto& entry = (*entries_)[key];
  entry.set_dtype(static_cast<tensorflow::DataType>(tensor.dtype()));
  to_proto(PartialShape(tensor.shape()), entry.mutable_shape());
  entry.set_offset(static_cast<std::int64_t>(offset_));
  entry.set_size(static_cast<std::int64_t>(blob.size));
  entry.set_crc32c(blob.masked_crc);
  offset_ += blob.size;
  const std::size_t padding =
      (options_.alignment - offset_ % options_.alignment) % options_.alignment;
  data_->append(std::string(padding, '\0'));
  offset_ += padding;
}

void BundleWriter::finish() {
  if (data_ == nullptr)
    raise(Code::kFailedPrecondition, "the checkpoint ", prefix_, " is finished");
  sync_written(*data_);
  data_->close();
  BundleIndex index;
  index.header.mutable_version()->set_producer(kBundleVersion);
  index.entries = std::move(*entries_);
  publish_bundle(prefix_, std::move(index), {&temporary_data_, 1});
  data_.reset();
  lock_.reset();
}

}  // namespace rill
