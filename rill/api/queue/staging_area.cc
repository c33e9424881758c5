#include "rill/api/queue/staging_area.h"

#include <algorithm>

#include "rill/api/core/made_here.h"
#include "rill/api/core/op_call.h"
#include "rill/api/core/texts.h"
#include "rill/base/error.h"

namespace rill {

StagingArea::StagingArea(const std::vector<DType>& dtypes, const StagingAreaOptions& options,
                         std::source_location at)
    : dtypes_(dtypes), options_(options) {
  require(options.shapes.empty() || options.shapes.size() == dtypes.size(),
          "StagingArea shapes must be the same length as dtypes");
  require(options.names.empty() || options.names.size() == dtypes.size(),
          "StagingArea names must be the same length as dtypes");
  if (options_.shapes.empty()) options_.shapes.resize(dtypes.size());
  const MadeHere made(at);
  name_ = options.shared_name.empty() ? current_scope().unique_name("StagingArea")
                                      : options.shared_name;
  Scope root = current_scope().named(name_ + "_root");
  place_ = &root.add("NoOp", {});
}

AttrMap StagingArea::attrs(bool with_dtypes) const {
  AttrMap attrs{{"shared_name", name_},
                {"capacity", options_.capacity},
                {"memory_limit", options_.memory_limit}};
  if (with_dtypes) attrs["dtypes"] = dtypes_;
  return attrs;
}

std::string StagingArea::name_or(const std::string& name, const char* suffix) const {
  return name.empty() ? name_ + suffix : name;
}

Node& StagingArea::put(const Inputs& values, const queue::QueueOpOptions& options,
                       std::source_location at) const {
  require(options_.names.empty(), "You must enqueue a dictionary in a staging area with names");
  return put_in_order(values, options, at);
}

Node& StagingArea::put(const queue::NamedComponents& values, const queue::QueueOpOptions& options,
                       std::source_location at) const {
  require(!options_.names.empty(), "Staging areas must have names to enqueue a dictionary");
  std::vector<Input> in_order;
  for (const std::string& name : options_.names) {
    const auto found = std::ranges::find(values, name, &std::pair<std::string, Input>::first);
    require(found != values.end(), "Keys in dictionary to put do not match names of staging area. ",
            "'", name, "' is missing.");
    in_order.push_back(found->second);
  }
  require(values.size() == in_order.size(),
          "Keys in dictionary to put do not match names of staging area.");
  return put_in_order(in_order, options, at);
}

Node& StagingArea::put_in_order(const Inputs& values, const queue::QueueOpOptions& options,
                                std::source_location at) const {
  require(values.size() == dtypes_.size(), "Unexpected number of inputs '", values.size(), "' vs '",
          dtypes_.size(), "'");
  const Block in(options.name, name_ + "_put", at);
  std::vector<Input> components;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Output value = as_tensor(values[i], str_cat("component_", i), dtypes_[i]);
    require(value.shape().is_compatible(options_.shapes[i]), "Shapes ", shape_text(value.shape()),
            " and ", shape_text(options_.shapes[i]), " are incompatible");
    components.emplace_back(value);
  }
  Scope beside = current_scope().colocated_with(*place_);
  return beside.add("Stage", {components}, attrs(false), in.own_name());
}

// TensorFlow looks where it stands by making a node.
std::vector<Output> StagingArea::taken(Node& node) const {
  std::vector<Output> results;
  for (int i = 0; i < node.output_count(); ++i) {
    node.graph().refine_shape(node.output(i), options_.shapes[static_cast<std::size_t>(i)]);
    results.push_back(node.output(i));
  }
  const std::string& here_device = current_scope().add("NoOp", {}).device();
  if (here_device == place_->device()) return results;
  for (Output& result : results) result = current_scope().add("Identity", {result}).output();
  return results;
}

std::vector<Output> StagingArea::get(const queue::QueueOpOptions& options,
                                     std::source_location at) const {
  const MadeHere made(at);
  Scope beside = current_scope().colocated_with(*place_);
  return taken(beside.add("Unstage", {}, attrs(true), name_or(options.name, "_get")));
}

std::vector<Output> StagingArea::peek(const Input& index, const queue::QueueOpOptions& options,
                                      std::source_location at) const {
  const MadeHere made(at);
  Scope beside = current_scope().colocated_with(*place_);
  return taken(beside.add("StagePeek", {index}, attrs(true), name_or(options.name, "_peek")));
}

Output StagingArea::size(const queue::QueueOpOptions& options, std::source_location at) const {
  Scope scope = here(at);
  return scope.add("StageSize", {}, attrs(true), name_or(options.name, "_size")).output();
}

Node& StagingArea::clear(const queue::QueueOpOptions& options, std::source_location at) const {
  Scope scope = here(at);
  return scope.add("StageClear", {}, attrs(true), name_or(options.name, "_clear"));
}

}  // namespace rill
