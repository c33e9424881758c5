// AddN and ZerosLike of variants, which are lists.
#include <algorithm>

#include "rill/ops/data_flow/add_to.h"
#include "rill/ops/list/list_kernel.h"

namespace rill {

extern const OpDecl kAddN, kZerosLike;

namespace {

const ListValue& list_of(const Variant& variant, const char* what) {
  const auto* list = variant.get<ListValue>();
  if (list == nullptr)
    raise(Code::kInternal, "No unary variant ", what, " Variant type_name: '", variant.type_name(),
          "' for device type: CPU");
  return *list;
}

Variant zeros_like(const Variant& variant);
Variant add(const Variant& a, const Variant& b);

// One of the two for variants, element by element.
Tensor mapped(const Tensor& x, Variant (*map)(const Variant&)) {
  Tensor result(DType::variant, x.shape());
  std::ranges::transform(x.flat<Variant>(), result.data<Variant>(), map);
  return result;
}
Tensor added(const Tensor& a, const Tensor& b) {
  Tensor result(DType::variant, a.shape());
  std::ranges::transform(a.flat<Variant>(), b.flat<Variant>(), result.data<Variant>(), add);
  return result;
}

// An element whose shape the list tells need not be kept: without a value it reads as zeros.
Tensor zero_element(const ListValue& list, const Tensor& element) {
  if (element.dtype() == DType::variant) return mapped(element, zeros_like);
  if (!element.has_value() || list.element_shape.is_full()) return {};
  return Tensor::zeros(element.dtype(), element.shape());
}

Variant zeros_like(const Variant& variant) {
  const ListValue& list = list_of(variant, "unary_op function found for op ZEROS_LIKE");
  auto zeros = std::make_shared<ListValue>(list.dtype, list.element_shape, list.most);
  zeros->nesting = list.nesting;
  zeros->elements.resize(list.elements.size());
  for (std::size_t i = 0; i < list.elements.size(); ++i)
    if (Tensor zero = zero_element(list, list.elements[i]); zero.has_value())
      zeros->elements.set(i, std::move(zero));
  return to_variant(std::move(zeros));
}

Tensor sum_of(const Tensor& a, const Tensor& b) {
  require(a.shape() == b.shape(),
          "Trying to add two tensors with incompatible element shapes. One is ", a.shape(),
          " and the other is ", b.shape());
  if (a.dtype() == DType::variant) return added(a, b);
  Tensor sum = a;
  add_to(sum, b);
  return sum;
}

Variant add(const Variant& first, const Variant& second) {
  const char* const what = "binary_op function found for op ADD";
  auto sum = std::make_shared<ListValue>(list_of(first, what));
  const ListValue& more = list_of(second, what);
  require(sum->dtype == more.dtype,
          "Trying to add two lists of tensors of different dtypes. One is ", sum->dtype,
          " and the other is ", more.dtype);
  require(sum->elements.size() == more.elements.size(),
          "Trying to add two lists of tensors with different lengths. One is ",
          sum->elements.size(), " and the other is ", more.elements.size());
  require(sum->element_shape.is_compatible(more.element_shape),
          "Trying to add two lists of tensors with incompatible element shapes. One is ",
          sum->element_shape, " and the other is ", more.element_shape);
  sum->element_shape = sum->element_shape.merged(more.element_shape);
  for (std::size_t i = 0; i < more.elements.size(); ++i) {
    const Tensor &own = sum->elements[i], &other = more.elements[i];
    if (!other.has_value()) continue;
    sum->set(i, own.has_value() ? sum_of(own, other) : other);
  }
  return to_variant(std::move(sum));
}

void run_zeros_like(KernelCall& call) {
  call.set_output(0, mapped(call.input_tensor(0), zeros_like));
}

void run_add_n(KernelCall& call) {
  Tensor sum = call.input_tensor(0);
  for (int i = 1; i < call.input_count(); ++i) {
    const Tensor& term = call.input_tensor(i);
    require(term.shape() == sum.shape(), "Inputs to operation ", call.node().name,
            " of type AddN must have the same size and shape.  Input 0: ", sum.shape(),
            " != input ", i, ": ", term.shape());
    sum = added(sum, term);
  }
  call.set_output(0, std::move(sum));
}

constexpr KernelEntry kEntries[] = {
    {.op = &kAddN, .types = DType::variant, .run = run_add_n, .allocates = true},
    {.op = &kZerosLike, .types = DType::variant, .run = run_zeros_like, .allocates = true},
};

}  // namespace

extern const KernelTable kListSumCpu{kEntries};

}  // namespace rill
