#include "rill/ops/data/files/file_sharding.h"

#include <algorithm>
#include <map>
#include <set>

#include "rill/ops/data/core/dataset_making.h"
#include "rill/ops/register.h"
#include "tensorflow/core/framework/function.pb.h"

namespace rill {
namespace {

bool op_has(const std::string& name, std::uint64_t trait) {
  const Op* op = standard_ops().find(name);
  return op != nullptr && op->has(trait);
}

// Which functions call readers of files.
class Functions {
 public:
  explicit Functions(const std::string& library) {
    if (!library_.ParseFromString(library))
      raise(Code::kInternal, "the function library cannot be read");
    for (const tensorflow::FunctionDef& function : library_.function())
      by_name_[function.signature().name()] = &function;
  }
  bool reads_files(const std::string& name) {
    const auto found = by_name_.find(name);
    if (found == by_name_.end() || !seen_.insert(name).second) return false;
    return std::ranges::any_of(found->second->node_def(), [this](const auto& node) {
      return op_has(node.op(), kReadsFileList) ||
             std::ranges::any_of(node.attr(), [this](const auto& attr) {
               return attr.second.has_func() && reads_files(attr.second.func().name());
             });
    });
  }

 private:
  tensorflow::FunctionDefLibrary library_;
  std::map<std::string, const tensorflow::FunctionDef*> by_name_;
  std::set<std::string> seen_;
};

class FileSharding {
 public:
  FileSharding(std::int64_t shards, std::int64_t index, const KernelCall& call,
               const std::string& library)
      : shards_(shards), index_(index), making_(call), library_(library) {}

  DatasetRef sharded(const DatasetRef& dataset) const {
    const DatasetOrigin& origin = dataset->origin();
    std::vector<Tensor> inputs = origin.inputs;
    if (op_has(origin.op, kReadsFileList)) {
      if (inputs[0].rank() != 1) return nullptr;
      inputs[0] = own_names(inputs[0]);
    } else if (opens_files(origin)) {
      inputs[0] = dataset_tensor(own_part(dataset_in(inputs[0])));
    } else {
      const std::vector<std::size_t> sources = datasets_among(inputs);
      if (sources.empty() || (sources.size() > 1 && !op_has(origin.op, kJoinsDatasets)))
        return nullptr;
      for (const std::size_t i : sources) {
        const DatasetRef source = sharded(dataset_in(inputs[i]));
        if (source == nullptr) return nullptr;
        inputs[i] = dataset_tensor(source);
      }
    }
    return making_.remade(*dataset, inputs);
  }

 private:
  static std::vector<std::size_t> datasets_among(const std::vector<Tensor>& inputs) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (holds_dataset(inputs[i])) found.push_back(i);
    return found;
  }

  bool opens_files(const DatasetOrigin& origin) const {
    return op_has(origin.op, kFlatMaps) && !origin.inputs.empty() &&
           holds_dataset(origin.inputs[0]) &&
           Functions(library_).reads_files(attr<FuncName>(origin.attrs, "f").name);
  }

  Tensor own_names(const Tensor& names) const {
    require(names.dim(0) >= shards_,
            "There aren't enough files in this dataset for each shard to have at least one (# "
            "files = ",
            names.dim(0), ", # shards = ", shards_,
            "). If you are using datasets with distribution strategy, considering turning off "
            "dataset autosharding with `experimental_distribute.auto_shard`.");
    std::vector<std::string> own;
    for (std::int64_t i = index_; i < names.dim(0); i += shards_)
      own.push_back(names.flat<std::string>()[static_cast<std::size_t>(i)]);
    return Tensor::of<std::string>({static_cast<std::int64_t>(own.size())}, own);
  }

  DatasetRef own_part(const DatasetRef& names) const {
    DatasetRef shuffle;
    const DatasetRef in_order = without_shuffle(names, shuffle);
    const DatasetRef own =
        making_.made("ShardDataset",
                     {{"require_non_empty", true},
                      {"output_types", in_order->spec().types},
                      {"output_shapes", in_order->spec().shapes}},
                     {dataset_tensor(in_order), Tensor::scalar(shards_), Tensor::scalar(index_)});
    return shuffle == nullptr ? own : with_input(*shuffle, own);
  }

  // Sets `shuffle` to the one that is left out, if there is one.
  DatasetRef without_shuffle(const DatasetRef& dataset, DatasetRef& shuffle) const {
    const DatasetOrigin& origin = dataset->origin();
    if (datasets_among(origin.inputs) != std::vector<std::size_t>{0}) return dataset;
    const DatasetRef input = dataset_in(origin.inputs[0]);
    if (op_has(origin.op, kShuffles)) {
      shuffle = dataset;
      return input;
    }
    const DatasetRef in_order = without_shuffle(input, shuffle);
    return shuffle == nullptr ? dataset : with_input(*dataset, in_order);
  }

  DatasetRef with_input(const Dataset& dataset, const DatasetRef& input) const {
    std::vector<Tensor> inputs = dataset.origin().inputs;
    inputs[0] = dataset_tensor(input);
    return making_.remade(dataset, inputs);
  }

  const std::int64_t shards_, index_;
  const DatasetMaking making_;
  const std::string& library_;
};

}  // namespace

DatasetRef sharded_by_file(const DatasetRef& dataset, std::int64_t shards, std::int64_t index,
                           const KernelCall& call, const std::string& library) {
  return FileSharding(shards, index, call, library).sharded(dataset);
}

}  // namespace rill
