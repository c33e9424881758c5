#include "rill/ops/data_flow/add_to.h"
#include "rill/ops/queue/accumulator_kernel.h"
#include "rill/ops/queue/type_list.h"
#include "rill/ops/update/variable_input.h"

namespace rill {

extern const OpDecl kSparseConditionalAccumulator, kSparseAccumulatorApplyGradient,
    kSparseAccumulatorTakeGradient;

namespace {

// Rows of a gradient with their places, and how many gradients each row is the sum of.
struct Rows {
  std::vector<std::int64_t> places, counts;
  Tensor values;
};

Tensor row(const Rows& rows, std::size_t i) {
  const auto at = static_cast<std::int64_t>(i);
  return rows.values.slice(at, at + 1);
}

// Both as they would be merged if their places were sorted, as TensorFlow does it: rows at equal
// places that meet are added. Places that are not sorted may come more than once.
Rows merged(const Rows& a, const Rows& b) {
  Rows all;
  std::vector<Tensor> values;
  const auto add = [&](const Rows& from, std::size_t i) {
    all.places.push_back(from.places[i]);
    all.counts.push_back(from.counts[i]);
    values.push_back(row(from, i));
  };
  std::size_t i = 0, j = 0;
  while (i < a.places.size() && j < b.places.size()) {
    if (a.places[i] < b.places[j]) {
      add(a, i++);
    } else if (a.places[i] > b.places[j]) {
      add(b, j++);
    } else {
      add(a, i++);
      all.counts.back() += b.counts[j];
      add_to(values.back(), row(b, j++));
    }
  }
  while (i < a.places.size()) add(a, i++);
  while (j < b.places.size()) add(b, j++);
  const auto count = static_cast<std::int64_t>(values.size());
  all.values = Tensor(a.values.dtype(), a.values.shape().with_dim(0, count));
  for (std::size_t k = 0; k < values.size(); ++k)
    copy_elements(values[k].dtype(), row(all, k).raw_data(), values[k].raw_data(),
                  static_cast<std::size_t>(values[k].element_count()));
  return all;
}

class TakeSparse final : public TakeGradient {
 public:
  using TakeGradient::TakeGradient;
  Rows rows;
  std::int64_t first_dim = kUnknownDim;
  bool averages = true;

 private:
  void deliver(KernelCall& call) override {
    const Shape& shape = rows.values.shape();
    Tensor places(DType::i64, {shape[0]}), dims(DType::i64, {shape.rank()});
    std::ranges::copy(rows.places, places.data<std::int64_t>());
    std::ranges::copy(shape.dims(), dims.data<std::int64_t>());
    dims.data<std::int64_t>()[0] = first_dim;
    call.set_output(0, std::move(places));
    call.set_output(1, averages ? divided(rows.values, rows.counts) : rows.values);
    call.set_output(2, std::move(dims));
  }
};

class SparseAccumulator final : public Accumulator {
 public:
  using Accumulator::Accumulator;

  void add(std::int64_t local_step, Rows gradient) {
    apply(local_step, [&] {
      if (count_ == 0) {
        rows_ = std::move(gradient);
        return;
      }
      check_dims("values", gradient.values.shape().dims(), rows_.values.shape().dims());
      rows_ = merged(rows_, gradient);
    });
  }

  // The first dimension of values is how many there are.
  static void check_dims(const char* what, std::span<const std::int64_t> given,
                         std::span<const std::int64_t> wanted) {
    require(given.size() >= wanted.size(), "Shape mismatch: expected ", what, " rank at least ",
            wanted.size(), ", got ", given.size());
    for (std::size_t d = 1; d < wanted.size(); ++d)
      require(wanted[d] < 0 || wanted[d] == given[d], "Shape mismatch: expected ", what, " dim ", d,
              " to be ", wanted[d], ", got ", given[d]);
  }

  std::int64_t memory_bytes() const override {
    const std::lock_guard lock(mutex_);
    return static_cast<std::int64_t>(rows_.values.byte_size());
  }

 private:
  void hand_over(TakeGradient& taker, std::int64_t) override {
    auto& sparse = static_cast<TakeSparse&>(taker);
    sparse.rows = std::exchange(rows_, {});
    sparse.averages = options_.averages;
    if (options_.shape.has_rank() && options_.shape.rank() > 0)
      sparse.first_dim = options_.shape[0];
  }

  Rows rows_;
};

std::shared_ptr<SparseAccumulator> sparse_input(const KernelCall& call) {
  auto found = std::dynamic_pointer_cast<SparseAccumulator>(shared_input_as<Accumulator>(call));
  require(found != nullptr, "input 0 of ", call.node().op->name,
          " is not an accumulator of sparse gradients");
  return found;
}

// Inputs 2 and 3, checked against the shape that the accumulator states.
Rows gradient_rows(const KernelCall& call, const PartialShape& declared) {
  const Tensor &places = call.input_tensor(2), &values = call.input_tensor(3);
  require(places.rank() == 1,
          "Input indices should be vector but received shape: ", places.shape());
  require(values.rank() > 0, "Values cannot be 0-dimensional.");
  require(values.dim(0) == places.dim(0), "Expected ", places.dim(0),
          " non-empty input values, got ", values.dim(0));
  if (call.node().attr<bool>("has_known_shape") && declared.has_rank()) {
    const auto dims = call.input<std::int64_t>(4);
    SparseAccumulator::check_dims("shape", dims, declared.dims());
    require(declared.rank() == 0 || declared[0] < 0 || declared[0] == dims[0],
            "Shape mismatch: expected shape dim 0 to be ", declared[0], ", got ", dims[0]);
  }
  if (declared.has_rank())
    SparseAccumulator::check_dims("values", values.shape().dims(), declared.dims());
  const auto flat = places.flat<std::int64_t>();
  return {{flat.begin(), flat.end()}, std::vector<std::int64_t>(flat.size(), 1), kept(values)};
}

void apply_sparse_gradient(KernelCall& call) {
  const auto accumulator = sparse_input(call);
  const DType types[] = {DType::i64, DType::i64, accumulator->options().dtype, DType::i64};
  check_signature(call.node(), types, {});
  accumulator->add(int_scalar(call, 1), gradient_rows(call, accumulator->options().shape));
}

void take_sparse_gradient(KernelCall& call, Done done) {
  const auto accumulator = sparse_input(call);
  const DType count[] = {DType::i32};
  const DType types[] = {DType::i64, accumulator->options().dtype, DType::i64};
  check_signature(call.node(), count, types);
  const std::int64_t required = required_count(call);
  accumulator->take(std::make_shared<TakeSparse>(call, std::move(done), required));
}

constexpr KernelEntry kEntries[] = {
    accumulator_kernel<SparseAccumulator>(kSparseConditionalAccumulator),
    {.op = &kSparseAccumulatorApplyGradient, .run = apply_sparse_gradient, .allocates = true},
    {.op = &kSparseAccumulatorTakeGradient, .run_async = take_sparse_gradient, .allocates = true},
};

}  // namespace

extern const KernelTable kSparseAccumulatorCpu{kEntries};

}  // namespace rill
