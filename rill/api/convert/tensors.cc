#include "rill/api/convert/convert.h"
#include "rill/api/describe/describe.h"
#include "rill/api/saver/checkpoint_utils.h"
#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/io/bundle_writer.h"
#include "rill/io/safetensors.h"
#include "rill/io/saved_model_parts.h"

namespace rill::convert {
namespace {

// Under this name tf.train.Checkpoint keeps which object has which variable.
constexpr const char* kObjectGraph = "_CHECKPOINTABLE_OBJECT_GRAPH";

class CheckpointSource final : public TensorSource {
 public:
  explicit CheckpointSource(std::unique_ptr<CheckpointReader> reader)
      : reader_(std::move(reader)) {}
  const std::map<std::string, StoredTensor>& tensors() const override { return reader_->tensors(); }
  Tensor read(const std::string& name) const override { return reader_->read(name); }

 private:
  std::unique_ptr<CheckpointReader> reader_;
};

class SafetensorsSource final : public TensorSource {
 public:
  explicit SafetensorsSource(const std::string& path) : reader_(path) {}
  const std::map<std::string, StoredTensor>& tensors() const override { return reader_.tensors(); }
  Tensor read(const std::string& name) const override { return reader_.read(name); }

 private:
  SafetensorsReader reader_;
};

}  // namespace

std::unique_ptr<TensorSource> open_tensors(const std::string& path) {
  switch (form_of(path)) {
    case Form::kSafetensors:
      return std::make_unique<SafetensorsSource>(path);
    case Form::kCheckpoint:
      return std::make_unique<CheckpointSource>(
          train::load_checkpoint(describe::checkpoint_prefix(path)));
    case Form::kSavedModel: {
      const std::string prefix = join_path(join_path(path, saved_model::kVariablesDirectory),
                                           saved_model::kVariablesFilename);
      require(CheckpointReader::exists(prefix), "The SavedModel ", path, " has no variables");
      return std::make_unique<CheckpointSource>(CheckpointReader::open(prefix));
    }
    case Form::kGraph:
      break;
  }
  raise(Code::kInvalidArgument, path, " is a graph: it has no variables, or not their values");
}

Names write_safetensors(const TensorSource& source, const std::string& path) {
  std::map<std::string, StoredTensor> tensors = source.tensors();
  Names left_out;
  if (tensors.erase(kObjectGraph) > 0) left_out.emplace_back(kObjectGraph);
  SafetensorsWriter writer(path, tensors);
  for (const std::string& name : writer.order()) writer.add(source.read(name));
  writer.finish();
  return left_out;
}

Names write_checkpoint(const TensorSource& source, const std::string& prefix) {
  BundleWriter writer(prefix);
  for (const auto& [name, stored] : source.tensors()) writer.add(name, source.read(name));
  writer.finish();
  return {};
}

}  // namespace rill::convert
