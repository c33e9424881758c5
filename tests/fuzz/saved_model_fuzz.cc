// Any bytes as the saved_model.pb of a model whose variables are fine: load it, which runs what it
// says is to be run. Errors are fine; crashes, hangs, and files that appear are not.
#include <google/protobuf/stubs/logging.h>

#include <cstdint>
#include <cstdlib>

#include "rill/api/saver/saved_model_loader.h"
#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/io/bundle_writer.h"
#include "rill/tensor/allocator.h"
#include "tensorflow/core/protobuf/saved_model.pb.h"

namespace {

constexpr int kMaxNodes = 64;
constexpr std::int64_t kMemoryLimit = 256 << 20;
constexpr const char* kModel = "ram://fuzz_saved_model/model";

template <class Nodes>
bool may_run(const Nodes& nodes, int* count) {
  *count += nodes.size();
  for (const auto& node : nodes)
    for (const char* kind : {"Print", "Write", "Save", "MergeV2Checkpoints"})  // noise, or files
      if (node.op().starts_with(kind)) return false;
  return *count <= kMaxNodes;
}

bool may_run(const tensorflow::GraphDef& graph) {
  int count = 0;
  if (!may_run(graph.node(), &count)) return false;
  for (const auto& function : graph.library().function())
    if (!may_run(function.node_def(), &count)) return false;
  return true;
}

void write_variables() {
  rill::BundleWriter writer(std::string(kModel) + "/variables/variables");
  writer.add("v", rill::Tensor::vector<float>({1, 2}));
  writer.finish();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const google::protobuf::LogSilencer no_words_about_bad_utf8;
  static const bool prepared = [] {
    rill::cpu_allocator().set_limit(kMemoryLimit);
    write_variables();
    return setenv("TF_CPP_MIN_LOG_LEVEL", "3", 1) == 0;
  }();
  (void)prepared;
  rill::write_file(std::string(kModel) + "/saved_model.pb",
                   {reinterpret_cast<const char*>(data), size});
  tensorflow::SavedModel model;
  if (!model.ParseFromArray(data, static_cast<int>(size))) {
    try {
      rill::saved_model::load(kModel, {});
    } catch (const rill::Error&) {
    }
    return 0;
  }
  for (const auto& graph : model.meta_graphs()) {
    if (!may_run(graph.graph_def())) continue;
    const auto& tags = graph.meta_info_def().tags();
    try {
      rill::SessionOptions options;
      options.intra_op_threads = 1;
      options.allow_soft_placement = true;
      options.timeout_ms = 1000;
      rill::saved_model::load(kModel, {tags.begin(), tags.end()}, options);
    } catch (const rill::Error&) {
    }
  }
  return 0;
}
