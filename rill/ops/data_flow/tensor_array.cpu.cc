#include "rill/ops/data_flow/tensor_array.h"

#include <atomic>

#include "rill/kernel/kernel_entries.h"
#include "rill/ops/data_flow/tensor_array_input.h"

namespace rill {

extern const OpDecl kTensorArrayV3, kTensorArrayGradV3, kTensorArrayGradWithShape,
    kTensorArrayWriteV3, kTensorArrayReadV3, kTensorArraySizeV3, kTensorArrayCloseV3;
extern const OpDecl kTensorArrayV2, kTensorArrayGradV2, kTensorArrayWriteV2, kTensorArrayReadV2,
    kTensorArraySizeV2, kTensorArrayCloseV2;
extern const OpDecl kTensorArray, kTensorArrayGrad, kTensorArrayWrite, kTensorArrayRead,
    kTensorArraySize, kTensorArrayClose;

namespace {

constexpr const char* kArrays = "_tensor_arrays";
constexpr const char* kGradients = "_tensor_array_grads";

void set_handle(const KernelCall& call, const char* group,
                std::shared_ptr<TensorArrayResource> array) {
  const std::string& name = array->name();
  set_step_handle(call, group, name, TensorArrayResource::kTypeName, std::move(array));
}

// Older forms of the op do not have every attribute.
bool flag(const KernelNode& node, const char* name) {
  return node.attrs.contains(name) && node.attr<bool>(name);
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
          .identical_element_shapes = flag(node, "identical_element_shapes"),
          .dynamic_size = node.attr<bool>("dynamic_size"),
          .clear_after_read = node.attr<bool>("clear_after_read")},
      size.scalar_value<std::int32_t>());
  set_handle(call, kArrays, std::move(array));
  if (call.output_count() > 1) call.set_output(1, Tensor::scalar(0.0f));
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
  const std::string group = step_handle_group(call);
  require(group.empty() || group == kArrays, "Input container should be '", kArrays,
          "',  but received '", group, "'");
  require(!array->holds_gradients(), "Wrong input container. ", kGradients, array->name());
  set_handle(call, kGradients,
             array->gradient(call.node().attr<std::string>("source"), prefix_of(call)));
  if (call.output_count() > 1) call.set_output(1, Tensor::scalar(0.0f));
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

void close_array(KernelCall& call) { tensor_array_input(call)->close(); }

constexpr KernelEntry kEntries[] = {
    quick_kernel(kTensorArrayV3, make_array),
    quick_kernel(kTensorArrayGradV3, make_gradient),
    quick_kernel(kTensorArrayGradWithShape, make_gradient),
    quick_kernel(kTensorArrayWriteV3, write),
    quick_kernel(kTensorArrayReadV3, read),
    quick_kernel(kTensorArraySizeV3, size),
    quick_kernel(kTensorArrayCloseV3, close_array),
    quick_kernel(kTensorArrayV2, make_array),
    quick_kernel(kTensorArrayGradV2, make_gradient),
    quick_kernel(kTensorArrayWriteV2, write),
    quick_kernel(kTensorArrayReadV2, read),
    quick_kernel(kTensorArraySizeV2, size),
    quick_kernel(kTensorArrayCloseV2, close_array),
    quick_kernel(kTensorArray, make_array),
    quick_kernel(kTensorArrayGrad, make_gradient),
    quick_kernel(kTensorArrayWrite, write),
    quick_kernel(kTensorArrayRead, read),
    quick_kernel(kTensorArraySize, size),
    quick_kernel(kTensorArrayClose, close_array),
};

}  // namespace

extern const KernelTable kTensorArrayCpu{kEntries};

}  // namespace rill
