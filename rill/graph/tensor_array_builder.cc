#include "rill/graph/tensor_array_builder.h"

#include "rill/base/error.h"
#include "rill/graph/builders.h"
#include "rill/graph/eager_array.h"
#include "rill/graph/list_array.h"
#include "rill/graph/traced_functions.h"

namespace rill {
namespace {

PartialShape behind(std::int64_t rows, const PartialShape& element) {
  if (!element.has_rank()) return {};
  PartialShape shape{rows};
  for (const std::int64_t dim : element.dims()) shape.add_dim(dim);
  return shape;
}

PartialShape without_first(const PartialShape& shape) {
  if (!shape.has_rank() || shape.rank() == 0) return {};
  return PartialShape(shape.dims().subspan(1));
}

Scope named_or(const Scope& scope, std::string_view name, std::string_view otherwise) {
  return scope.named(name.empty() ? otherwise : name);
}

}  // namespace

struct TensorArrayBuilder::Shared {
  PartialShape element_shape;
  Node* first_written = nullptr;
  std::optional<EagerArray> eager = {};
  std::optional<ListArray> list = {};  // the flow is the list
};

const PartialShape& TensorArrayBuilder::element_shape() const { return shared_->element_shape; }

TensorArrayBuilder::TensorArrayBuilder(Scope& scope, DType dtype, const Input& size,
                                       const TensorArrayOptions& options)
    : dtype_(base_type(dtype)),
      infer_shape_(options.infer_shape),
      dynamic_size_(options.dynamic_size),
      colocate_(options.colocate_with_first_write_call),
      size_(size),
      shared_(std::make_shared<Shared>(Shared{options.element_shape})) {
  if (scope.graph().is_eager()) {
    const auto given = eager_integers(scope, size);
    require(given.size() == 1, "the size of a TensorArray must be a scalar");
    shared_->eager.emplace(dtype_, given[0], dynamic_size_, options.clear_after_read.value_or(true),
                           options.element_shape);
    flow_ = scope.constant(Tensor::scalar(0.0f));
    return;
  }
  if (has_functional_flow(scope.graph())) {
    shared_->list.emplace(dtype_, dynamic_size_);
    flow_ = shared_->list->make(scope, size, options.element_shape);
    return;
  }
  // The device is that of the first value written.
  Scope where = colocate_ ? scope.without_device() : scope;
  Node& node = where.add("TensorArrayV3", {size},
                         {{"dtype", dtype_},
                          {"element_shape", options.element_shape},
                          {"dynamic_size", options.dynamic_size},
                          {"clear_after_read", options.clear_after_read.value_or(true)},
                          {"identical_element_shapes", options.infer_shape},
                          {"tensor_array_name", options.tensor_array_name}},
                         options.name.empty() ? "TensorArray" : options.name);
  handle_ = node.output(0);
  flow_ = node.output(1);
}

TensorArrayBuilder::TensorArrayBuilder(Scope& scope, DType dtype, Output handle, Output flow,
                                       const TensorArrayOptions& options)
    : dtype_(base_type(dtype)),
      handle_(handle),
      flow_(flow),
      infer_shape_(options.infer_shape),
      dynamic_size_(options.dynamic_size),
      colocate_(options.colocate_with_first_write_call),
      shared_(std::make_shared<Shared>(Shared{options.element_shape})) {
  named_or(scope, options.name, "TensorArray");
}

TensorArrayBuilder TensorArrayBuilder::with_flow(Scope& scope, Output flow) const {
  scope.named("TensorArray");
  TensorArrayBuilder result = *this;
  result.flow_ = flow;
  return result;
}

TensorArrayBuilder TensorArrayBuilder::identity(Scope& scope) const {
  const Output flow = rill::identity(scope, flow_);
  return with_flow(scope, flow);
}

TensorArrayBuilder TensorArrayBuilder::grad(Scope& scope, std::string_view source, Output flow,
                                            std::string_view name) const {
  require(!shared_->eager && !shared_->list,
          "TensorArray.grad is not supported when executing eagerly; eager's "
          "gradient implementation does not use/need this function to compute gradients of "
          "operations that use TensorArrays.");
  Scope inner = named_or(scope, name, "TensorArrayGrad").colocated_with(*handle_.node);
  Node* const node =
      &inner.add("TensorArrayGradV3", {handle_, flow}, {{"source", std::string(source)}}, name);
  Scope after = inner.with_control({&node, 1});
  const Output ordered = rill::identity(after, flow, "gradient_flow");
  TensorArrayOptions options{.infer_shape = infer_shape_, .colocate_with_first_write_call = false};
  return TensorArrayBuilder(inner, dtype_, node->output(0), ordered, options);
}

void TensorArrayBuilder::refine(Output value, std::int64_t rows) const {
  value.node->graph().refine_shape(value, behind(rows, element_shape()));
}

Output TensorArrayBuilder::read(Scope& scope, const Input& index, std::string_view name) const {
  if (shared_->eager) return shared_->eager->read(scope, eager_integers(scope, index).at(0));
  if (shared_->list) return shared_->list->read(scope, flow_, index, element_shape());
  const Output value =
      scope.add("TensorArrayReadV3", {handle_, index, flow_}, {{"dtype", dtype_}}, name).output();
  scope.graph().refine_shape(value, element_shape());
  return value;
}

Output TensorArrayBuilder::gather(Scope& scope, const Input& indices, std::string_view name) const {
  if (shared_->eager) return shared_->eager->gather(scope, eager_integers(scope, indices));
  if (shared_->list) return shared_->list->gather(scope, flow_, indices, element_shape());
  const Output value = scope
                           .add("TensorArrayGatherV3", {handle_, indices, flow_},
                                {{"dtype", dtype_}, {"element_shape", element_shape()}}, name)
                           .output();
  refine(value, kUnknownDim);
  return value;
}

Output TensorArrayBuilder::stack(Scope& scope, std::string_view name) const {
  if (shared_->eager) return shared_->eager->stack(scope);
  if (shared_->list) {
    const Output rows = shared_->list->stack(scope, flow_, element_shape());
    const Tensor* count = dynamic_size_ || !size_ ? nullptr : constant_value(size(scope));
    if (!scope.graph().is_eager())
      refine(rows, count != nullptr && count->element_count() == 1 ? *count->data<std::int32_t>()
                                                                   : kUnknownDim);
    return rows;
  }
  Scope beside = scope.colocated_with(*handle_.node);
  Scope inner = named_or(beside, name, "TensorArrayStack");
  const Output count = size(inner);
  const Output indices = inner.add("Range", {0, count, 1}, {}, "range").output();
  const Output value = gather(inner, indices, name);
  const Tensor* known = dynamic_size_ || !size_ ? nullptr : constant_value(count);
  if (known != nullptr && known->element_count() == 1) refine(value, *known->data<std::int32_t>());
  return value;
}

Output TensorArrayBuilder::concat(Scope& scope, std::string_view name) const {
  if (shared_->eager) return shared_->eager->concat(scope);
  if (shared_->list) return shared_->list->concat(scope, flow_, element_shape());
  Node& node = scope.add(
      "TensorArrayConcatV3", {handle_, flow_},
      {{"dtype", dtype_}, {"element_shape_except0", without_first(element_shape())}}, name);
  if (!element_shape().has_rank() || element_shape().rank() == 0) return node.output(0);
  std::int64_t rows = kUnknownDim;
  if (infer_shape_) {
    const Tensor* known = constant_value(size(scope));
    if (known != nullptr && known->element_count() == 1 && element_shape()[0] != kUnknownDim &&
        !dynamic_size_)
      rows = *known->data<std::int32_t>() * element_shape()[0];
  }
  scope.graph().refine_shape(node.output(0), behind(rows, without_first(element_shape())));
  return node.output(0);
}

Output TensorArrayBuilder::size(Scope& scope, std::string_view name) const {
  if (shared_->eager)
    return scope.constant(Tensor::scalar(static_cast<std::int32_t>(shared_->eager->size())));
  if (shared_->list && (dynamic_size_ || !size_ || size_->is_output()))
    return shared_->list->size(scope, flow_);
  if (!dynamic_size_ && size_) return size_->as_output(scope, "Const", DType::i32);
  return scope.add("TensorArraySizeV3", {handle_, flow_}, {}, name).output();
}

Node& TensorArrayBuilder::close(Scope& scope, std::string_view name) const {
  if (shared_->eager || shared_->list) return scope.add("NoOp", {});
  return scope.add("TensorArrayCloseV3", {handle_}, {}, name);
}

void TensorArrayBuilder::check_element(const PartialShape& shape) const {
  require(shape.is_compatible(element_shape()), "Inconsistent shapes: saw ", shape,
          " but expected ", element_shape(), infer_shape_ ? " (and infer_shape=True)" : "");
  if (infer_shape_) shared_->element_shape = element_shape().merged(shape);
}

Output TensorArrayBuilder::value_of(Scope& inner, const Input& value) const {
  const Output output = value.as_output(inner, "value", dtype_);
  require(base_type(output.dtype()) == dtype_, "Invalid data types; op elements ",
          base_type(output.dtype()), " but list elements ", dtype_);
  return output;
}

Scope TensorArrayBuilder::beside_first_write(const Scope& scope, Output value) const {
  if (!colocate_) return scope;
  if (shared_->first_written == nullptr) shared_->first_written = value.node;
  return scope.colocated_with(*shared_->first_written);
}

TensorArrayBuilder TensorArrayBuilder::write(Scope& scope, const Input& index, const Input& value,
                                             std::string_view name) const {
  Scope inner = named_or(scope, name, "TensorArrayWrite");
  const Output element = value_of(inner, value);
  check_element(element.shape());
  if (shared_->eager) {
    shared_->eager->write(eager_integers(scope, index).at(0), element);
    return *this;
  }
  if (shared_->list) return with_flow(inner, shared_->list->write(inner, flow_, index, element));
  Scope beside = beside_first_write(inner, element);
  Node& node = beside.add("TensorArrayWriteV3", {handle_, index, element, flow_}, {}, name);
  return with_flow(inner, node.output(0));
}

TensorArrayBuilder TensorArrayBuilder::scatter(Scope& scope, const Input& indices,
                                               const Input& value, std::string_view name) const {
  Scope inner = named_or(scope, name, "TensorArrayScatter");
  const Output rows = value_of(inner, value);
  if (rows.shape().has_rank()) check_element(without_first(rows.shape()));
  if (shared_->eager) {
    shared_->eager->scatter(inner, eager_integers(scope, indices), rows);
    return *this;
  }
  if (shared_->list) return with_flow(inner, shared_->list->scatter(inner, flow_, indices, rows));
  Scope beside = beside_first_write(inner, rows);
  Node& node = beside.add("TensorArrayScatterV3", {handle_, indices, rows, flow_}, {}, name);
  return with_flow(inner, node.output(0));
}

TensorArrayBuilder TensorArrayBuilder::unstack(Scope& scope, const Input& value,
                                               std::string_view name) const {
  Scope inner = named_or(scope, name, "TensorArrayUnstack");
  const Output rows = value.as_output(inner, "Const", dtype_);
  const Output shape = shape_of(inner, rows);
  const Output count = strided_slice(inner, shape, 0, 1, /*drop=*/true);
  const Output indices = inner.add("Range", {0, count, 1}, {}, "range").output();
  return scatter(inner, indices, rows, name);
}

TensorArrayBuilder TensorArrayBuilder::split(Scope& scope, const Input& value, const Input& lengths,
                                             std::string_view name) const {
  Scope inner = named_or(scope, name, "TensorArraySplit");
  const Output rows = value_of(inner, value);
  Scope beside = beside_first_write(inner, rows);
  Output sizes;
  if (lengths.is_output()) {
    sizes = cast(beside, lengths.output(), DType::i64);
  } else {
    Scope cast_scope = beside.named("Cast");
    const Output given = lengths.as_output(cast_scope, "x", DType::invalid);
    sizes = cast(beside, given, DType::i64, cast_scope.name() + "/");
  }
  if (shared_->eager) {
    shared_->eager->split(inner, rows, sizes);
    return *this;
  }
  if (shared_->list) return with_flow(inner, shared_->list->split(inner, rows, sizes));
  if (const Tensor* known = constant_value(sizes); known != nullptr && rows.shape().has_rank()) {
    const auto all = known->flat<std::int64_t>();
    bool equal = !all.empty() && known->shape().rank() == 1 && rows.shape().rank() > 0;
    for (const std::int64_t size : all) equal = equal && size == all[0];
    if (equal) check_element(behind(all[0], without_first(rows.shape())));
  }
  Node& node = beside.add("TensorArraySplitV3", {handle_, rows, sizes, flow_}, {}, name);
  return with_flow(inner, node.output(0));
}

}  // namespace rill
