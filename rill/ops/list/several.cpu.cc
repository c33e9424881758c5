#include "rill/ops/list/list_kernel.h"

namespace rill {

extern const OpDecl kTensorListPushBackBatch, kTensorListConcatLists;

namespace {

void push_back_batch(KernelCall& call) {
  const Tensor lists = call.input_tensor(0);
  const Tensor& tensor = call.input_tensor(1);
  require(lists.rank() == 1,
          "Expected input_handles to be a vector, but saw shape: ", lists.shape());
  const std::vector<Tensor> rows = rows_of(tensor);
  require(tensor.dim(0) == lists.dim(0), "Expected tensor.shape[0] == input_handles.size, but saw ",
          tensor.dim(0), " vs. ", lists.dim(0));
  const auto from = lists.flat<Variant>();
  const auto to = call.allocate_output(0, lists.shape()).flat<Variant>();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto list = std::make_shared<ListValue>(list_in(from[i]));
    append_checked(*list, rows[i]);
    to[i] = to_variant(std::move(list));
  }
}

Variant joined(const KernelCall& call, const Variant& a, const Variant& b, std::size_t at) {
  auto list = std::make_shared<ListValue>(list_in(a));
  const ListValue& more = list_in(b);
  check_element_type(call, *list);
  check_element_type(call, more);
  require(list->element_shape == more.element_shape,
          "input_a and input_b TensorList element shapes are not identical at index ", at,
          ".  Saw ", list->element_shape, " vs. ", more.element_shape);
  for (std::size_t i = 0; i < more.elements.size(); ++i) list->push_back(more.elements[i]);
  return to_variant(std::move(list));
}

void concat_lists(KernelCall& call) {
  const Tensor &a = call.input_tensor(0), &b = call.input_tensor(1);
  require(a.shape() == b.shape(), "Shapes of input_a and input_b must be equal, but are ",
          a.shape(), " and ", b.shape());
  const auto to = call.allocate_output(0, a.shape()).flat<Variant>();
  for (std::size_t i = 0; i < to.size(); ++i)
    to[i] = joined(call, a.flat<Variant>()[i], b.flat<Variant>()[i], i);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kTensorListPushBackBatch,
     .run = push_back_batch,
     .allocates = true,
     .expensive = false},
    {.op = &kTensorListConcatLists, .run = concat_lists, .allocates = true, .expensive = false},
};

}  // namespace

extern const KernelTable kListSeveralCpu{kEntries};

}  // namespace rill
