#include "rill/api/queue/map_staging_area.h"

#include <algorithm>
#include <numeric>

#include "rill/api/core/made_here.h"
#include "rill/api/core/op_call.h"
#include "rill/api/core/texts.h"
#include "rill/base/error.h"

namespace rill {
namespace {

std::size_t at_index(std::int64_t i) { return static_cast<std::size_t>(i); }

Tensor index_tensor(const std::vector<std::int64_t>& indices) {
  Tensor tensor(DType::i32, {static_cast<std::int64_t>(indices.size())});
  std::ranges::transform(indices, tensor.data<std::int32_t>(),
                         [](std::int64_t i) { return static_cast<std::int32_t>(i); });
  return tensor;
}

}  // namespace

MapStagingArea::MapStagingArea(const std::vector<DType>& dtypes,
                               const MapStagingAreaOptions& options, std::source_location at)
    : dtypes_(dtypes), options_(options) {
  require(options.shapes.empty() || options.shapes.size() == dtypes.size(),
          "StagingArea shapes must be the same length as dtypes");
  require(options.names.empty() || options.names.size() == dtypes.size(),
          "StagingArea names must be the same length as dtypes");
  if (options_.shapes.empty()) options_.shapes.resize(dtypes.size());
  const MadeHere made(at);
  name_ = options.shared_name.empty() ? current_scope().unique_name("MapStagingArea")
                                      : options.shared_name;
  Scope root = current_scope().named(name_ + "_root");
  place_ = &root.add("NoOp", {});
}

std::string MapStagingArea::op(const char* what) const {
  return str_cat(options_.ordered ? "OrderedMap" : "Map", what);
}

AttrMap MapStagingArea::attrs(const std::vector<DType>& dtypes) const {
  return {{"shared_name", name_},
          {"capacity", options_.capacity},
          {"memory_limit", options_.memory_limit},
          {"dtypes", dtypes}};
}

std::string MapStagingArea::name_or(const std::string& name, const char* suffix) const {
  return name.empty() ? name_ + suffix : name;
}

std::vector<std::int64_t> MapStagingArea::indices_of(const std::vector<std::string>& names) const {
  require(!options_.names.empty(),
          "String indices provided, but this Staging Area was not created with names.");
  std::vector<std::int64_t> indices;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(options_.names, name);
    require(found != options_.names.end(), "Named index '", name, "' not in Staging Area names ['",
            join(options_.names, "', '"), "']");
    indices.push_back(found - options_.names.begin());
  }
  return indices;
}

std::vector<std::int64_t> MapStagingArea::checked(
    const std::optional<std::vector<std::int64_t>>& indices) const {
  if (!indices) {
    std::vector<std::int64_t> all(dtypes_.size());
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  require(!indices->empty(), "Empty indices");
  for (const std::int64_t i : *indices)
    require(i >= 0 && i < static_cast<std::int64_t>(dtypes_.size()), "there is no component ", i,
            " among ", dtypes_.size());
  return *indices;
}

Node& MapStagingArea::put(const Input& key, const Inputs& values,
                          const std::vector<std::int64_t>& indices,
                          const queue::QueueOpOptions& options, std::source_location at) const {
  const Block in(options.name, name_ + "_put", at);
  require(indices.size() == values.size(), "Number of indices ", indices.size(),
          " doesn't match number of values ", values.size());
  require(values.size() <= dtypes_.size(), "Unexpected number of inputs ", values.size(), " vs ",
          dtypes_.size());
  std::vector<Input> components;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::size_t i = at_index(checked({{indices[k]}})[0]);
    const Output value = as_tensor(values[k], str_cat("component_", i), dtypes_[i]);
    require(value.shape().is_compatible(options_.shapes[i]), "Shapes ", shape_text(value.shape()),
            " and ", shape_text(options_.shapes[i]), " are incompatible");
    components.emplace_back(value);
  }
  Scope beside = current_scope().colocated_with(*place_);
  return beside.add(op("Stage"), {key, index_tensor(indices), components}, attrs(dtypes_),
                    in.own_name());
}

std::vector<Output> MapStagingArea::shaped(std::vector<Output> tensors,
                                           const std::vector<std::int64_t>& indices) const {
  tensors = here_from_there(std::move(tensors));
  for (std::size_t k = 0; k < tensors.size(); ++k)
    tensors[k].node->graph().refine_shape(tensors[k], options_.shapes[at_index(indices[k])]);
  return tensors;
}

// TensorFlow looks where it stands by making a node.
std::vector<Output> MapStagingArea::here_from_there(std::vector<Output> tensors) const {
  if (current_scope().add("NoOp", {}).device() == place_->device()) return tensors;
  for (Output& tensor : tensors) tensor = current_scope().add("Identity", {tensor}).output();
  return tensors;
}

Node& MapStagingArea::take(const char* what, const char* suffix, const Input* key,
                           const std::vector<std::int64_t>& indices,
                           const queue::QueueOpOptions& options) const {
  std::vector<DType> types;
  for (const std::int64_t i : indices) types.push_back(dtypes_[at_index(i)]);
  Scope beside = current_scope().colocated_with(*place_);
  std::vector<InputArg> inputs;
  if (key != nullptr) inputs.emplace_back(*key);
  inputs.emplace_back(index_tensor(indices));
  return beside.add(op(what), std::move(inputs), attrs(types), name_or(options.name, suffix));
}

std::vector<Output> MapStagingArea::get(const Input& key,
                                        const std::optional<std::vector<std::int64_t>>& indices,
                                        const queue::QueueOpOptions& options,
                                        std::source_location at) const {
  const MadeHere made(at);
  const auto which = checked(indices);
  return shaped(all_outputs(take("Unstage", "_get", &key, which, options)), which);
}

std::vector<Output> MapStagingArea::peek(const Input& key,
                                         const std::optional<std::vector<std::int64_t>>& indices,
                                         const queue::QueueOpOptions& options,
                                         std::source_location at) const {
  const MadeHere made(at);
  const auto which = checked(indices);
  return shaped(all_outputs(take("Peek", "_pop", &key, which, options)), which);
}

std::pair<Output, std::vector<Output>> MapStagingArea::get_any(
    const std::optional<std::vector<std::int64_t>>& indices, const queue::QueueOpOptions& options,
    std::source_location at) const {
  const MadeHere made(at);
  const auto which = checked(indices);
  std::vector<Output> outputs =
      all_outputs(take("UnstageNoKey", "_get_nokey", nullptr, which, options));
  const Output key = here_from_there({outputs[0]})[0];
  outputs.erase(outputs.begin());
  return {key, shaped(std::move(outputs), which)};
}

Output MapStagingArea::size(const queue::QueueOpOptions& options, std::source_location at) const {
  Scope scope = here(at);
  return scope.add(op("Size"), {}, attrs(dtypes_), name_or(options.name, "_size")).output();
}

Output MapStagingArea::incomplete_size(const queue::QueueOpOptions& options,
                                       std::source_location at) const {
  Scope scope = here(at);
  return scope
      .add(op("IncompleteSize"), {}, attrs(dtypes_), name_or(options.name, "_incomplete_size"))
      .output();
}

Node& MapStagingArea::clear(const queue::QueueOpOptions& options, std::source_location at) const {
  Scope scope = here(at);
  return scope.add(op("Clear"), {}, attrs(dtypes_), name_or(options.name, "_clear"));
}

}  // namespace rill
