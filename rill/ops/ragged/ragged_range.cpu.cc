#include <cmath>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/math/rows/numeric.h"
#include "rill/ops/ragged/row_splits.h"

namespace rill {

extern const OpDecl kRaggedRange;

namespace {

// How many numbers there are from start to before limit.
template <class T>
std::int64_t range_size(T start, T limit, T delta) {
  require(delta != T(0), "Requires delta != 0");
  if ((delta > 0 && limit < start) || (delta < 0 && limit > start)) return 0;
  if constexpr (std::is_integral_v<T>) {
    // Distances as unsigned numbers, where they cannot overflow.
    const auto wide = [](T x) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(x)); };
    const std::uint64_t distance =
        limit < start ? wide(start) - wide(limit) : wide(limit) - wide(start);
    const std::uint64_t step = delta < 0 ? 0 - wide(delta) : wide(delta);
    const std::uint64_t size = distance / step + (distance % step != 0 ? 1 : 0);
    require(size <= std::uint64_t{INT64_MAX}, "Requires ((limit - start) / delta) <= ", INT64_MAX);
    return static_cast<std::int64_t>(size);
  } else {
    const T size = std::ceil(std::abs((limit - start) / delta));
    require(size < static_cast<T>(INT64_MAX), "Requires ((limit - start) / delta) <= ", INT64_MAX);
    return static_cast<std::int64_t>(size);
  }
}

template <class T>
void ragged_range(KernelCall& call) {
  const char* names[] = {"starts", "limits", "deltas"};
  std::int64_t rows = -1;
  for (int i = 0; i < 3; ++i) {
    const Tensor& in = call.input_tensor(i);
    require(in.rank() <= 1, names[i], " must be a scalar or vector, but has shape ", in.shape());
    if (in.rank() == 0) continue;
    require(rows < 0 || rows == in.dim(0), "starts, limits, and deltas must have the same shape");
    rows = in.dim(0);
  }
  if (rows < 0) rows = 1;
  const auto at = [&](int i, std::int64_t row) {
    return call.input_tensor(i).data<T>()[call.input_tensor(i).rank() == 0 ? 0 : row];
  };
  const Tensor& splits = call.allocate_output(0, {rows + 1});
  std::int64_t total = 0;
  set_int_at(splits, 0, 0);
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int64_t size = range_size(at(0, row), at(1, row), at(2, row));
    require(!__builtin_add_overflow(total, size, &total), "the ranges have more than ", INT64_MAX,
            " numbers");
    check_split_fits(total, splits.dtype());
    set_int_at(splits, row + 1, total);
  }
  T* out = call.allocate_output(1, {total}).template data<T>();
  for (std::int64_t row = 0; row < rows; ++row) {
    T number = at(0, row);
    for (std::int64_t i = int_at(splits, row); i < int_at(splits, row + 1); ++i) {
      *out++ = number;
      number = wrapping_add(number, at(2, row));
    }
  }
}

template <class T>
constexpr KernelEntry kEntry{
    .op = &kRaggedRange, .types = dtype_of<T>, .run = ragged_range<T>, .allocates = true};

constexpr KernelEntry kEntries[] = {kEntry<float>, kEntry<double>, kEntry<std::int32_t>,
                                    kEntry<std::int64_t>};

}  // namespace

extern const KernelTable kRaggedRangeCpu{kEntries};

}  // namespace rill
