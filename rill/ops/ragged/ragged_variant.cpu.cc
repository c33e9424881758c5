#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/slice/strided_copy.h"
#include "rill/ops/ragged/row_splits.h"
#include "rill/ops/update/variable_input.h"
#include "rill/tensor/ragged_value.h"

namespace rill {

extern const OpDecl kRaggedTensorToVariant, kRaggedTensorFromVariant;

namespace {

std::int64_t rows_of(const RaggedValue& ragged) {
  return ragged.splits.empty() ? ragged.values.dim(0) : row_count(ragged.splits[0]);
}

RaggedValue ragged_input(const KernelCall& call) {
  const int levels = call.input_count() - 1;
  RaggedValue ragged;
  for (int i = 0; i < levels; ++i) ragged.splits.push_back(kept(call.input_tensor(i)));
  ragged.values = kept(call.input_tensor(levels));
  require(ragged.values.rank() >= 1, "ragged values must have a dimension at least");
  for (std::size_t i = 0; i < ragged.splits.size(); ++i) {
    const bool last = i + 1 == ragged.splits.size();
    require(last || (ragged.splits[i + 1].rank() == 1 && ragged.splits[i + 1].dim(0) >= 1),
            "ragged splits may not be empty.");
    check_row_splits(ragged.splits[i],
                     last ? ragged.values.dim(0) : row_count(ragged.splits[i + 1]));
  }
  return ragged;
}

// Row `row` of a ragged tensor, with splits that begin at zero.
RaggedValue row_of(const RaggedValue& ragged, std::int64_t row) {
  RaggedValue out;
  std::int64_t begin = int_at(ragged.splits[0], row), end = int_at(ragged.splits[0], row + 1);
  for (std::size_t level = 1; level < ragged.splits.size(); ++level) {
    const Tensor& from = ragged.splits[level];
    Tensor splits(from.dtype(), {end - begin + 1});
    for (std::int64_t i = begin; i <= end; ++i)
      set_int_at(splits, i - begin, int_at(from, i) - int_at(from, begin));
    out.splits.push_back(std::move(splits));
    begin = int_at(from, begin);
    end = int_at(from, end);
  }
  out.values = ragged.values.slice(begin, end);
  return out;
}

void ragged_to_variant(KernelCall& call) {
  const RaggedValue ragged = ragged_input(call);
  if (!call.node().attr<bool>("batched_input"))
    return call.set_output(0, Tensor::scalar(to_variant(ragged)));
  const Tensor& out = call.allocate_output(0, {rows_of(ragged)});
  for (std::int64_t row = 0; row < rows_of(ragged); ++row)
    out.data<Variant>()[row] = to_variant(row_of(ragged, row));
}

std::vector<const RaggedValue*> components(const KernelCall& call, std::size_t levels) {
  const DType values = call.node().attr<DType>("Tvalues"),
              splits = call.node().attr<DType>("Tsplits");
  std::vector<const RaggedValue*> found;
  for (const Variant& element : call.input<Variant>(0)) {
    const auto* ragged = element.get<RaggedValue>();
    require(ragged != nullptr, "Input Variant element at index ", found.size(),
            " doesn't hold a RaggedTensorVariant");
    require(ragged->splits.size() == levels,
            "Encoded input RaggedTensorVariant has ragged_rank=", ragged->splits.size(),
            ". Expected ragged_rank=", levels, ".");
    require(ragged->values.dtype() == values, "Expected values Tensor dtype: ", values,
            ", found: ", ragged->values.dtype());
    for (const Tensor& split : ragged->splits)
      require(split.dtype() == splits, "Expected row_splits Tensor dtype: ", splits,
              ", found: ", split.dtype());
    require(found.empty() ||
                ragged->values.shape().with_dim(0, 0) == found[0]->values.shape().with_dim(0, 0),
            "All flat_values must have compatible shapes. Shape at index 0: ",
            found.empty() ? Shape() : found[0]->values.shape(), ". Shape at index ", found.size(),
            ": ", ragged->values.shape(), ".");
    found.push_back(ragged);
  }
  return found;
}

// Splits of rows whose sizes are given one after the other.
class SplitWriter {
 public:
  SplitWriter(const Tensor& splits) : splits_(splits) { set_int_at(splits_, 0, 0); }
  void add(std::int64_t size) {
    end_ += size;
    check_split_fits(end_, splits_.dtype());
    set_int_at(splits_, ++rows_, end_);
  }

 private:
  Tensor splits_;
  std::int64_t rows_ = 0, end_ = 0;
};

// Joins the splits at `level` of all components.
void join_splits(const std::vector<const RaggedValue*>& parts, std::size_t level,
                 const KernelCall& call, int output) {
  std::int64_t rows = 0;
  for (const RaggedValue* part : parts) rows += row_count(part->splits[level]);
  SplitWriter writer(call.allocate_output(output, {rows + 1}));
  for (const RaggedValue* part : parts)
    for (std::int64_t i = 0; i < row_count(part->splits[level]); ++i)
      writer.add(int_at(part->splits[level], i + 1) - int_at(part->splits[level], i));
}

void join_values(const std::vector<const RaggedValue*>& parts, const KernelCall& call, int output) {
  std::int64_t rows = 0, at = 0;
  for (const RaggedValue* part : parts) rows += part->values.dim(0);
  const Shape inner = parts.empty() ? Shape{0} : parts[0]->values.shape();
  const Tensor& out = call.allocate_output(output, inner.with_dim(0, rows));
  for (const RaggedValue* part : parts) {
    const std::int64_t count = part->values.element_count();
    if (count > 0)
      copy_elements(out.dtype(), element_at(out, at), part->values.raw_data(),
                    static_cast<std::size_t>(count));
    at += count;
  }
}

void ragged_from_variant(KernelCall& call) {
  const Tensor& in = call.input_tensor(0);
  const std::int64_t levels = call.node().attr<std::int64_t>("output_ragged_rank");
  std::int64_t inner = call.node().attr<std::int64_t>("input_ragged_rank");
  if (inner < 0) inner = levels - in.rank();
  require(inner >= 0 && levels - in.rank() == inner,
          "output_ragged_rank must be equal to input_ragged_rank + encoded_ragged.rank; "
          "output_ragged_rank: ",
          levels, ", input_ragged_rank: ", inner, ", encoded_ragged.rank: ", in.rank());
  const auto parts = components(call, static_cast<std::size_t>(inner));
  std::int64_t rows = 1;
  for (int d = 0; d < in.rank(); ++d) {
    const bool last = d + 1 == in.rank();
    require(!__builtin_mul_overflow(rows, in.dim(d), &rows) && rows < INT64_MAX,
            "encoded_ragged of shape ", in.shape(), " has too many rows");
    SplitWriter writer(call.allocate_output(d, {rows + 1}));
    for (std::int64_t i = 0; i < rows; ++i)
      writer.add(last ? rows_of(*parts[static_cast<std::size_t>(i)]) : in.dim(d + 1));
  }
  for (std::int64_t level = 0; level < inner; ++level)
    join_splits(parts, static_cast<std::size_t>(level), call, in.rank() + static_cast<int>(level));
  join_values(parts, call, static_cast<int>(levels));
}

constexpr KernelEntry kEntries[] = {
    {.op = &kRaggedTensorToVariant, .run = ragged_to_variant, .allocates = true},
    {.op = &kRaggedTensorFromVariant, .run = ragged_from_variant, .allocates = true},
};

}  // namespace

extern const KernelTable kRaggedVariantCpu{kEntries};

}  // namespace rill
