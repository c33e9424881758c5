#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/values/index_values.h"
#include "rill/ops/math/reduce/arg_rows.h"
#include "rill/ops/math/reduce/axis_extent.h"

namespace rill {

extern const OpDecl kArgMax, kArgMin;

namespace {

constexpr std::int64_t kArgColumns = 256;  // searched together where the dimension is not the last

AxisExtent reduced_extent(const KernelCall& call) {
  const Tensor& input = call.input_tensor(0);
  const std::int64_t given = given_axis(call.input_tensor(1));
  const int axis = canonical_axis(given, input.rank(), "dimension");
  const AxisExtent e(input.shape(), axis);
  require(e.length > 0, "Reduction axis ", axis, " is empty in shape ", input.shape());
  require(e.length <= INT32_MAX || call.output_tensor(0).dtype() == DType::i64, "Reduction axis ",
          axis, " of ", e.length, " elements needs output_type int64");
  return e;
}

struct ArgState : KernelState {
  ArgRows rows;
};

template <ArgRows (*find)(DType)>
std::unique_ptr<KernelState> make_arg_state(const KernelNode& node) {
  auto state = std::make_unique<ArgState>();
  state->rows = find(base_type(node.input_type(0)));
  return state;
}

void search_rows(const KernelCall& call, const ArgRows& rows, const AxisExtent& e) {
  const Tensor &x = call.input_tensor(0), &out = call.output_tensor(0);
  const auto* data = static_cast<const std::byte*>(x.raw_data());
  const auto bytes = e.length * static_cast<std::int64_t>(element_size(x.dtype()));
  call.parallel_for(static_cast<std::size_t>(e.outer), 10 + 0.2 * static_cast<double>(e.length),
                    [&](std::size_t begin, std::size_t end) {
                      for (auto i = static_cast<std::int64_t>(begin);
                           i < static_cast<std::int64_t>(end); ++i)
                        set_int_at(out, i, rows.row(data + i * bytes, e.length));
                    });
}

void search_columns(const KernelCall& call, const ArgRows& rows, const AxisExtent& e) {
  const Tensor &x = call.input_tensor(0), &out = call.output_tensor(0);
  const auto* data = static_cast<const std::byte*>(x.raw_data());
  const auto size = static_cast<std::int64_t>(element_size(x.dtype()));
  const std::int64_t blocks = (e.inner + kArgColumns - 1) / kArgColumns;
  const double cost = 0.5 * static_cast<double>(e.length * std::min(kArgColumns, e.inner));
  call.parallel_for(static_cast<std::size_t>(e.outer * blocks), 10 + cost,
                    [&](std::size_t begin, std::size_t end) {
                      std::int64_t places[kArgColumns];
                      for (auto i = static_cast<std::int64_t>(begin);
                           i < static_cast<std::int64_t>(end); ++i) {
                        const std::int64_t column = i % blocks * kArgColumns, item = i / blocks;
                        const std::int64_t n = std::min(kArgColumns, e.inner - column);
                        rows.columns(data + (item * e.length * e.inner + column) * size, e.length,
                                     e.inner, n, places);
                        for (std::int64_t j = 0; j < n; ++j)
                          set_int_at(out, item * e.inner + column + j, places[j]);
                      }
                    });
}

void run_arg(KernelCall& call) {
  if (call.output_tensor(0).element_count() == 0) return;
  const AxisExtent e = reduced_extent(call);
  const ArgRows& rows = call.state<ArgState>().rows;
  e.inner == 1 ? search_rows(call, rows, e) : search_columns(call, rows, e);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kArgMax,
     .types = kRealTypes,
     .run = run_arg,
     .make_state = make_arg_state<find_arg_max_rows>},
    {.op = &kArgMin,
     .types = kRealTypes,
     .run = run_arg,
     .make_state = make_arg_state<find_arg_min_rows>},
};

}  // namespace

extern const KernelTable kArgMaxCpu{kEntries};

}  // namespace rill
