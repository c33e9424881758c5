#include <algorithm>

#include "rill/api/core/op_call.h"
#include "rill/api/core/row_shapes.h"
#include "rill/api/core/texts.h"
#include "rill/api/queue/queues.h"
#include "rill/base/error.h"
#include "rill/graph/graph.h"

namespace rill::queue {
namespace {

// What is true of both shapes.
PartialShape in_common(const PartialShape& a, const PartialShape& b) {
  if (!a.has_rank() || a.rank() != b.rank()) return {};
  PartialShape result = a;
  for (int d = 0; d < a.rank(); ++d)
    if (a[d] != b[d]) result = result.with_dim(d, kUnknownDim);
  return result;
}

void require_compatible(const PartialShape& own, const PartialShape& wanted) {
  require(own.is_compatible(wanted), "Shapes ", shape_text(own), " and ", shape_text(wanted),
          " are incompatible");
}

std::string last_part(const std::string& name) { return name.substr(name.rfind('/') + 1); }

// What was executed has no name; functions that use it want one.
std::string own_name(const Node& node) {
  return node.name().empty() ? "queue" : std::string(last_part(node.name()));
}

}  // namespace

QueueBase::QueueBase(std::vector<DType> dtypes, std::vector<PartialShape> shapes,
                     std::vector<std::string> names, Output queue_ref)
    : dtypes_(std::move(dtypes)),
      shapes_(std::move(shapes)),
      names_(std::move(names)),
      queue_ref_(queue_ref),
      name_(own_name(*queue_ref.node)) {
  if (shapes_.empty()) shapes_.resize(dtypes_.size());
  require(shapes_.size() == dtypes_.size(),
          "Queue shapes must have the same length as dtypes, received len(shapes)=", shapes_.size(),
          ", len(dtypes)=", dtypes_.size());
  require(names_.empty() || names_.size() == dtypes_.size(),
          "Queue names must have the same length as dtypes,received len(names)=", names_.size(),
          ",len (dtypes)=", dtypes_.size());
}

QueueBase QueueBase::from_list(const Input& index, const std::vector<QueueBase>& queues,
                               std::source_location at) {
  require_type(!queues.empty(), "A list of queues expected");
  std::vector<PartialShape> shapes = queues[0].shapes_;
  std::vector<Input> refs;
  for (const QueueBase& queue : queues) {
    require_type(queue.dtypes_ == queues[0].dtypes_,
                 "Queues do not have matching component dtypes.");
    require_type(queue.names_ == queues[0].names_, "Queues do not have matching component names.");
    for (std::size_t i = 0; i < shapes.size(); ++i)
      shapes[i] = in_common(shapes[i], queue.shapes_[i]);
    refs.emplace_back(queue.queue_ref_);
  }
  Scope scope = here(at);
  const Output stacked = scope.add("Pack", {refs}, {}, "stack").output();
  const Output chosen = scope.add("GatherV2", {stacked, index, 0}).output();
  return QueueBase(queues[0].dtypes_, shapes, queues[0].names_, chosen);
}

std::string QueueBase::op_name(const char* op) const {
  return base_type(queue_ref_.dtype()) == DType::resource ? str_cat(op, "V2") : op;
}

std::string QueueBase::name_or(const std::string& name, const char* suffix) const {
  return name.empty() ? name_ + suffix : name;
}

std::vector<Input> QueueBase::in_order(const NamedComponents& vals) const {
  require(!names_.empty(), "Queue must have names to enqueue a dictionary");
  std::vector<std::string> given;
  for (const auto& [name, value] : vals) given.push_back(name);
  std::vector<std::string> sorted = given, wanted = names_;
  std::ranges::sort(sorted);
  std::ranges::sort(wanted);
  require(sorted == wanted, "Keys in dictionary to enqueue do not match names of Queue.  ",
          "Dictionary: ['", join(sorted, "', '"), "'],Queue: ['", join(wanted, "', '"), "']");
  std::vector<Input> values;
  for (const std::string& name : names_)
    values.push_back(
        vals[static_cast<std::size_t>(std::ranges::find(given, name) - given.begin())].second);
  return values;
}

std::vector<Output> QueueBase::components(const Inputs& vals) const {
  std::vector<Output> tensors;
  for (std::size_t i = 0; i < std::min(vals.size(), dtypes_.size()); ++i)
    tensors.push_back(as_tensor(vals[i], str_cat("component_", i), dtypes_[i]));
  return tensors;
}

Node& QueueBase::enqueue(const Inputs& vals, const QueueOpOptions& options,
                         std::source_location at) {
  require(names_.empty(), "You must enqueue a dictionary in a Queue with names");
  const Block in(options.name, name_ + "_enqueue", at);
  const std::vector<Output> tensors = components(vals);
  for (std::size_t i = 0; i < tensors.size(); ++i)
    require_compatible(tensors[i].shape(), shapes_[i]);
  return OpCall(op_name("QueueEnqueue"))
      .in(queue_ref_)
      .in(std::vector<Input>(tensors.begin(), tensors.end()))
      .add(in.own_name(), at);
}

Node& QueueBase::enqueue_many(const Inputs& vals, const QueueOpOptions& options,
                              std::source_location at) {
  require(names_.empty(), "You must enqueue a dictionary in a Queue with names");
  const Block in(options.name, name_ + "_EnqueueMany", at);
  const std::vector<Output> tensors = components(vals);
  std::int64_t rows = kUnknownDim;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const PartialShape& shape = tensors[i].shape();
    if (!shape.has_rank()) continue;
    require(shape.rank() >= 1, "Shape ", shape_text(shape), " must have rank at least 1");
    require(rows < 0 || shape[0] < 0 || rows == shape[0], "Dimensions ", rows, " and ", shape[0],
            " are not compatible");
    if (shape[0] >= 0) rows = shape[0];
    require_compatible(shape_of_row(shape), shapes_[i]);
  }
  return OpCall(op_name("QueueEnqueueMany"))
      .in(queue_ref_)
      .in(std::vector<Input>(tensors.begin(), tensors.end()))
      .add(in.own_name(), at);
}

Node& QueueBase::enqueue(const NamedComponents& vals, const QueueOpOptions& options,
                         std::source_location at) {
  QueueBase unnamed(dtypes_, shapes_, {}, queue_ref_);
  return unnamed.enqueue(in_order(vals), options, at);
}

Node& QueueBase::enqueue_many(const NamedComponents& vals, const QueueOpOptions& options,
                              std::source_location at) {
  QueueBase unnamed(dtypes_, shapes_, {}, queue_ref_);
  return unnamed.enqueue_many(in_order(vals), options, at);
}

std::vector<Output> QueueBase::dequeue(const QueueOpOptions& options, std::source_location at) {
  Node& node = OpCall(op_name("QueueDequeue"))
                   .in(queue_ref_)
                   .attr("component_types", dtypes_)
                   .add(name_or(options.name, "_Dequeue"), at);
  const std::vector<Output> results = all_outputs(node);
  for (std::size_t i = 0; i < results.size(); ++i)
    node.graph().refine_shape(results[i], shapes_[i]);
  return results;
}

std::vector<Output> QueueBase::take_many(const char* op, const char* suffix, bool exactly,
                                         const Input& n, const QueueOpOptions& options,
                                         std::source_location at) {
  Node& node = OpCall(op_name(op))
                   .in(queue_ref_)
                   .in(n)
                   .attr("component_types", dtypes_)
                   .add(name_or(options.name, suffix), at);
  const Tensor* count = exactly ? constant_value(node.input(1)) : nullptr;
  const std::int64_t rows = count == nullptr ? kUnknownDim : *count->data<std::int32_t>();
  const std::vector<Output> results = all_outputs(node);
  for (std::size_t i = 0; i < results.size(); ++i)
    node.graph().refine_shape(results[i], shape_of_rows(rows, shapes_[i]));
  return results;
}

std::vector<Output> QueueBase::dequeue_many(const Input& n, const QueueOpOptions& options,
                                            std::source_location at) {
  return take_many("QueueDequeueMany", "_DequeueMany", true, n, options, at);
}

std::vector<Output> QueueBase::dequeue_up_to(const Input& n, const QueueOpOptions& options,
                                             std::source_location at) {
  return take_many("QueueDequeueUpTo", "_DequeueUpTo", false, n, options, at);
}

Node& QueueBase::close(const CloseOptions& options, std::source_location at) {
  return OpCall(op_name("QueueClose"))
      .in(queue_ref_)
      .attr("cancel_pending_enqueues", options.cancel_pending_enqueues)
      .add(name_or(options.name, "_Close"), at);
}

Output QueueBase::is_closed(const QueueOpOptions& options, std::source_location at) {
  return OpCall(op_name("QueueIsClosed"))
      .in(queue_ref_)
      .add(name_or(options.name, "_Is_Closed"), at)
      .output();
}

Output QueueBase::size(const QueueOpOptions& options, std::source_location at) {
  return OpCall(op_name("QueueSize"))
      .in(queue_ref_)
      .add(name_or(options.name, "_Size"), at)
      .output();
}

}  // namespace rill::queue
