#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/slice/changed_input.h"
#include "rill/ops/array/slice/strided_copy.h"
#include "rill/ops/update/element_update.h"

namespace rill {

extern const OpDecl kInplaceUpdate, kInplaceAdd, kInplaceSub, kEmpty, kDeepCopy;

namespace {

void check_rows(const Tensor& x, const Tensor& i, const Tensor& v) {
  require(i.rank() == 1, "i must be a vector. ", i.shape());
  require(x.rank() == v.rank(), "x and v shape doesn't match (ranks differ): ", x.shape(), " vs. ",
          v.shape());
  require(x.rank() > 0, "x must have rows, but its shape is ", x.shape());
  for (int d = 1; d < x.rank(); ++d)
    require(x.dim(d) == v.dim(d), "x and v shape doesn't match at index ", d, " : ", x.shape(),
            " vs. ", v.shape());
  require(i.dim(0) == v.dim(0), "i and x shape doesn't match at index 0: ", i.shape(), " vs. ",
          v.shape());
}

template <UpdateKind kind>
void change_rows(KernelCall& call) {
  const Tensor &x = call.input_tensor(0), &i = call.input_tensor(1), &v = call.input_tensor(2);
  check_rows(x, i, v);
  const ElementUpdate update = element_update(kind, x.dtype());
  const bool computes = kind != UpdateKind::kAssign;  // strings that are added are for scatter_nd
  require(update.with_row != nullptr && !(computes && x.dtype() == DType::string),
          "Unsupported data type: ", x.dtype());
  const Tensor& y = changed_input(call);
  if (y.element_count() == 0) return;
  const std::int64_t rows = y.dim(0), row = y.element_count() / rows;
  const auto numbers = call.input<std::int32_t>(1);
  for (std::int64_t j = 0; j < i.dim(0); ++j) {
    const std::int64_t number = numbers[static_cast<std::size_t>(j)];
    const std::int64_t at = (number % rows + rows) % rows;
    update.with_row(y.dtype(), element_at(y, at * row), element_at(v, j * row),
                    static_cast<std::size_t>(row));
  }
}

void empty(KernelCall& call) {  // fresh strings are empty already
  const Tensor& output = call.output_tensor(0);
  const std::uint64_t zero[2] = {0, 0};
  if (call.node().attr<bool>("init") && is_trivial(output.dtype()))
    fill_elements(call, output.dtype(), output.raw_data(), zero, output.element_count());
}

void deep_copy(KernelCall& call) {
  const Tensor &x = call.input_tensor(0), &y = call.output_tensor(0);
  copy_elements(x.dtype(), y.raw_data(), x.raw_data(), static_cast<std::size_t>(x.element_count()));
}

constexpr TypeSet kEmptyTypes = DType::f16 | DType::f32 | DType::f64 | DType::i32 | DType::i64 |
                                DType::u8 | DType::boolean | DType::string;

constexpr KernelEntry kEntries[] = {
    {.op = &kInplaceUpdate, .run = change_rows<UpdateKind::kAssign>, .allocates = true},
    {.op = &kInplaceAdd, .run = change_rows<UpdateKind::kAdd>, .allocates = true},
    {.op = &kInplaceSub, .run = change_rows<UpdateKind::kSub>, .allocates = true},
    {.op = &kEmpty, .types = kEmptyTypes, .run = empty},
    {.op = &kDeepCopy, .run = deep_copy},
};

}  // namespace

extern const KernelTable kInplaceCpu{kEntries};

}  // namespace rill
