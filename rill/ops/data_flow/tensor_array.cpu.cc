#include "rill/ops/data_flow/tensor_array.h"

#include <atomic>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/data_flow/tensor_array_input.h"

namespace rill {

extern const OpDecl kTensorArrayV3, kTensorArrayGradV3, kTensorArrayGradWithShape,
    kTensorArrayWriteV3, kTensorArrayReadV3, kTensorArraySizeV3, kTensorArrayCloseV3;

namespace {

Tensor make_handle(const KernelCall& call, std::string name,
                   std::shared_ptr<TensorArrayResource> array) {
  return Tensor::scalar(ResourceHandle{.device = call.device().name(),
                                       .container = str_cat("__per_step_", call.step().step_id),
                                       .name = std::move(name),
                                       .type_name = TensorArrayResource::kTypeName,
                                       .resource = std::move(array)});
}

void make_array(KernelCall& call) {
  static std::atomic<std::int64_t> count = 0;
  const Tensor& size = call.input_tensor(0);
  require(size.rank() == 0, "TensorArray size must be scalar, but had shape: ", size.shape());
  require(size.scalar_value<std::int32_t>() >= 0, "Size should be >= 0.");
  const KernelNode& node = call.node();
  const auto& given = node.attr<std::string>("tensor_array_name");
  const std::string name = str_cat(given.empty() ? node.name : given, "_", count++);
  auto array = std::make_shared<TensorArrayResource>(
      TensorArrayResource::Options{
          .name = name,
          .dtype = node.attr<DType>("dtype"),
          .element_shape = node.attr<PartialShape>("element_shape"),
          .identical_element_shapes = node.attr<bool>("identical_element_shapes"),
          .dynamic_size = node.attr<bool>("dynamic_size"),
          .clear_after_read = node.attr<bool>("clear_after_read")},
      size.scalar_value<std::int32_t>());
  call.set_output(0, make_handle(call, "_tensor_arrays" + name, std::move(array)));
  call.set_output(1, Tensor::scalar(0.0f));
}

Shape prefix_of(const KernelCall& call) {
  if (call.input_count() < 3) return {};
  const Tensor& front = call.input_tensor(2);
  require(front.rank() == 1, "shape_to_prepend must be a vector, but had shape: ", front.shape());
  const auto dims = front.flat<std::int32_t>();
  return Shape(std::vector<std::int64_t>(dims.begin(), dims.end()));
}

void make_gradient(KernelCall& call) {
  const auto array = tensor_array_input(call);
  const auto& name = call.input_tensor(0).scalar_value<ResourceHandle>().name;
  require(!array->holds_gradients(), "Wrong input container. ", name);
  const auto& source = call.node().attr<std::string>("source");
  auto gradient = array->gradient(source, prefix_of(call));
  const std::string own = name.substr(std::min(name.size(), std::string("_tensor_arrays").size()));
  call.set_output(
      0, make_handle(call, str_cat("_tensor_array_grads", own, "@", source), std::move(gradient)));
  call.set_output(1, call.input_tensor(1));
}

std::int32_t index_input(const KernelCall& call) {
  const Tensor& index = call.input_tensor(1);
  require(index.rank() == 0, "TensorArray index must be scalar, but had shape: ", index.shape());
  return index.scalar_value<std::int32_t>();
}

void write(KernelCall& call) {
  const auto array = tensor_array_input(call);
  const std::int32_t index = index_input(call);
  check_written_type(*array, call.input_tensor(2));
  array->write({&index, 1}, {&call.input_tensor(2), 1});
  call.set_output(0, call.input_tensor(3));
}

void read(KernelCall& call) {
  const auto array = tensor_array_input(call);
  const std::int32_t index = index_input(call);
  check_read_type(*array, call);
  call.set_output(0, array->read(index));
}

void size(KernelCall& call) {
  call.set_output(0, Tensor::scalar(static_cast<std::int32_t>(tensor_array_input(call)->size())));
}

void close(KernelCall& call) { tensor_array_input(call)->close(); }

constexpr KernelEntry entry(const OpDecl& op, KernelFn run) {
  return {.op = &op, .run = run, .allocates = true, .expensive = false};
}

constexpr KernelEntry kEntries[] = {
    entry(kTensorArrayV3, make_array),
    entry(kTensorArrayGradV3, make_gradient),
    entry(kTensorArrayGradWithShape, make_gradient),
    entry(kTensorArrayWriteV3, write),
    entry(kTensorArrayReadV3, read),
    entry(kTensorArraySizeV3, size),
    entry(kTensorArrayCloseV3, close),
};

}  // namespace

extern const KernelTable kTensorArrayCpu{kEntries};

}  // namespace rill
