#include <algorithm>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/values/index_values.h"

namespace rill {

extern const OpDecl kDataFormatDimMap, kDataFormatVecPermute;

namespace {

struct Formats : KernelState {
  explicit Formats(const KernelNode& node)
      : from(node.attr<std::string>("src_format")), to(node.attr<std::string>("dst_format")) {
    require(from.size() == 4 || from.size() == 5,
            "Source format must be of length 4 or 5, received src_format = ", from);
    require(to.size() == 4 || to.size() == 5,
            "Destination format must be of length 4 or 5, received dst_format = ", to);
    std::string sorted_from = from, sorted_to = to;
    std::ranges::sort(sorted_from);
    std::ranges::sort(sorted_to);
    require(sorted_from == sorted_to && std::ranges::adjacent_find(sorted_to) == sorted_to.end(),
            "Destination and source format must determine a permutation, got ", from, " and ", to);
  }
  std::string from, to;
};

std::unique_ptr<KernelState> make_formats(const KernelNode& node) {
  return std::make_unique<Formats>(node);
}

void dim_map(KernelCall& call) {
  const auto& formats = call.state<Formats>();
  const Tensor &x = call.input_tensor(0), &y = call.output_tensor(0);
  const auto rank = static_cast<std::int64_t>(formats.from.size());
  for (std::int64_t i = 0; i < x.element_count(); ++i) {
    const std::int64_t dim = int_at(x, i);
    require(dim >= -rank && dim < rank, "dimension ", dim, " of ", formats.from, " is not in [",
            -rank, ", ", rank, ")");
    const char name = formats.from[static_cast<std::size_t>(dim < 0 ? dim + rank : dim)];
    set_int_at(y, i, static_cast<std::int64_t>(formats.to.find(name)));
  }
}

std::string space_of(const std::string& format) {
  std::string space;
  std::ranges::copy_if(format, std::back_inserter(space),
                       [](char c) { return c == 'D' || c == 'H' || c == 'W'; });
  return space;
}

void vec_permute(KernelCall& call) {
  const auto& formats = call.state<Formats>();
  const Tensor &x = call.input_tensor(0), &y = call.output_tensor(0);
  std::string from = formats.from, to = formats.to;
  if (x.dim(0) != static_cast<std::int64_t>(from.size())) {
    from = space_of(from);
    to = space_of(to);
  }
  require(x.dim(0) == static_cast<std::int64_t>(from.size()), "there are ", x.dim(0),
          " numbers for the dimensions ", from, " of ", formats.from);
  const std::int64_t each = x.rank() == 2 ? x.dim(1) : 1;
  for (std::size_t i = 0; i < to.size(); ++i)
    for (std::int64_t k = 0; k < each; ++k)
      set_int_at(y, static_cast<std::int64_t>(i) * each + k,
                 int_at(x, static_cast<std::int64_t>(from.find(to[i])) * each + k));
}

constexpr TypeSet kIndices = DType::i32 | DType::i64;
constexpr KernelEntry kEntries[] = {
    {.op = &kDataFormatDimMap,
     .types = kIndices,
     .run = dim_map,
     .make_state = make_formats,
     .expensive = false},
    {.op = &kDataFormatVecPermute,
     .types = kIndices,
     .run = vec_permute,
     .make_state = make_formats,
     .expensive = false},
};

}  // namespace

extern const KernelTable kDataFormatCpu{kEntries};

}  // namespace rill
