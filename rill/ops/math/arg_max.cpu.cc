#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/index_values.h"
#include "rill/ops/math/arg_rows.h"

namespace rill {

extern const OpDecl kArgMax, kArgMin;

namespace {

constexpr std::int64_t kColumns = 256;  // searched together where the dimension is not the last

// The input as [outer][length][inner].
struct Extent {
  std::int64_t outer = 1, length = 1, inner = 1;
};

Extent extent_of(const KernelCall& call) {
  const Tensor& input = call.input_tensor(0);
  const Tensor& dimension = call.input_tensor(1);
  const std::int64_t given = dimension.dtype() == DType::i64
                                 ? dimension.scalar_value<std::int64_t>()
                                 : dimension.scalar_value<std::int32_t>();
  const int axis = canonical_axis(given, input.rank(), "dimension");
  Extent e;
  for (int i = 0; i < input.rank(); ++i)
    (i < axis ? e.outer : i == axis ? e.length : e.inner) *= input.dim(i);
  require(e.length > 0, "Reduction axis ", axis, " is empty in shape ", input.shape());
  require(e.length <= INT32_MAX || call.output_tensor(0).dtype() == DType::i64, "Reduction axis ",
          axis, " of ", e.length, " elements needs output_type int64");
  return e;
}

struct ArgState : KernelState {
  ArgRows rows;
};

template <ArgRows (*find)(DType)>
std::unique_ptr<KernelState> make_state(const KernelNode& node) {
  auto state = std::make_unique<ArgState>();
  state->rows = find(base_type(node.input_type(0)));
  return state;
}

void search_rows(const KernelCall& call, const ArgRows& rows, const Extent& e) {
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

void search_columns(const KernelCall& call, const ArgRows& rows, const Extent& e) {
  const Tensor &x = call.input_tensor(0), &out = call.output_tensor(0);
  const auto* data = static_cast<const std::byte*>(x.raw_data());
  const auto size = static_cast<std::int64_t>(element_size(x.dtype()));
  const std::int64_t blocks = (e.inner + kColumns - 1) / kColumns;
  const double cost = 0.5 * static_cast<double>(e.length * std::min(kColumns, e.inner));
  call.parallel_for(static_cast<std::size_t>(e.outer * blocks), 10 + cost,
                    [&](std::size_t begin, std::size_t end) {
                      std::int64_t places[kColumns];
                      for (auto i = static_cast<std::int64_t>(begin);
                           i < static_cast<std::int64_t>(end); ++i) {
                        const std::int64_t column = i % blocks * kColumns, item = i / blocks;
                        const std::int64_t n = std::min(kColumns, e.inner - column);
                        rows.columns(data + (item * e.length * e.inner + column) * size, e.length,
                                     e.inner, n, places);
                        for (std::int64_t j = 0; j < n; ++j)
                          set_int_at(out, item * e.inner + column + j, places[j]);
                      }
                    });
}

void run_arg(KernelCall& call) {
  if (call.output_tensor(0).element_count() == 0) return;
  const Extent e = extent_of(call);
  const ArgRows& rows = call.state<ArgState>().rows;
  e.inner == 1 ? search_rows(call, rows, e) : search_columns(call, rows, e);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kArgMax,
     .types = kRealTypes,
     .run = run_arg,
     .make_state = make_state<find_arg_max_rows>},
    {.op = &kArgMin,
     .types = kRealTypes,
     .run = run_arg,
     .make_state = make_state<find_arg_min_rows>},
};

}  // namespace

extern const KernelTable kArgMaxCpu{kEntries};

}  // namespace rill
