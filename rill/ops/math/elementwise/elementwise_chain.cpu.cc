#include <algorithm>
#include <array>
#include <cstring>

#include "rill/base/subscript.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/array/values/index_values.h"
#include "rill/ops/math/elementwise/chain_program.h"

namespace rill {

extern const OpDecl kElementwiseChain;

namespace {

constexpr std::size_t kChainBlock = 512;  // floats of one value that are computed at a time
constexpr int kMaxValues = 96;            // of chains that run in blocks

// How a value is laid out beside the whole result: one number, one row again and again, or all.
enum class ChainExtent : std::uint8_t { kUnknown, kScalar, kRow, kFull };

// One run of a chain.
class ChainRun {
 public:
  ChainRun(KernelCall& call, const ChainProgram& program) : call_(call), program_(program) {}

  void run() {
    if (find_extents()) {
      run_blocks();
    } else {
      run_stages();
    }
  }

 private:
  bool find_extents();
  ChainExtent extent_beside(const Shape& shape);
  bool extend(const ChainStage& stage, std::size_t value);
  void run_blocks();
  void run_block(std::size_t begin, std::size_t n, float* buffers, const float* repeated);
  float* place(int value, std::size_t begin, float* buffers) const;
  const float* operand(int value, std::size_t begin, float* buffers, const float* repeated) const;
  void fill_repeated(float* repeated, std::size_t n) const;
  void run_stages();
  void run_stage(const ChainStage& stage, std::vector<Value>& values, std::size_t value);
  bool needs_copies(int value) const {
    return value < program_.input_count && extent_[at(value)] == ChainExtent::kRow;
  }

  KernelCall& call_;
  const ChainProgram& program_;
  const Shape* full_ = nullptr;
  std::size_t count_ = 0, row_ = 0;  // elements of the result and of a repeated row; 0: none
  std::array<ChainExtent, kMaxValues> extent_{};
  std::array<const float*, kMaxValues> base_{};  // of inputs and results
  std::array<int, kMaxValues> row_number_{};     // of inputs that are repeated rows
  int rows_ = 0;
};

// The extents of all values; false when the chain is none of whole blocks.
bool ChainRun::find_extents() {
  if (program_.same_as.size() > kMaxValues) return false;
  for (int i = 0; i < program_.input_count; ++i) {
    const Tensor& input = call_.input_tensor(i);
    if (input.dtype() == DType::f32 &&
        (full_ == nullptr || input.element_count() > full_->element_count()))
      full_ = &input.shape();
  }
  if (full_ == nullptr || full_->element_count() == 0) return false;
  count_ = static_cast<std::size_t>(full_->element_count());
  for (int i = 0; i < program_.input_count; ++i) {
    const Tensor& input = call_.input_tensor(i);
    if (input.dtype() != DType::f32) continue;
    extent_[at(i)] = extent_beside(input.shape());
    if (extent_[at(i)] == ChainExtent::kUnknown) return false;
    base_[at(i)] = input.data<float>();
    if (extent_[at(i)] == ChainExtent::kRow) row_number_[at(i)] = rows_++;
  }
  for (std::size_t i = 0; i < program_.stages.size(); ++i)
    if (!extend(program_.stages[i], at(program_.input_count) + i)) return false;
  return true;
}

ChainExtent ChainRun::extent_beside(const Shape& shape) {
  if (shape == *full_) return ChainExtent::kFull;
  if (shape.rank() > full_->rank()) return ChainExtent::kUnknown;
  if (shape.element_count() == 1) return ChainExtent::kScalar;
  // A row: the last dimensions of the whole, with ones before them.
  int d = shape.rank(), f = full_->rank();
  while (d > 0 && shape.dim(d - 1) == full_->dim(f - 1)) --d, --f;
  for (int i = 0; i < d; ++i)
    if (shape.dim(i) != 1) return ChainExtent::kUnknown;
  const auto length = static_cast<std::size_t>(shape.element_count());
  if (row_ != 0 && row_ != length) return ChainExtent::kUnknown;
  row_ = length;
  return ChainExtent::kRow;
}

// Finds the extent of a stage's result; only whole results are computed in blocks.
bool ChainRun::extend(const ChainStage& stage, std::size_t value) {
  const ChainExtent x = extent_[at(stage.x)];
  if (stage.passes_on()) {
    extent_[value] = x;
    const Tensor& sizes = call_.input_tensor(stage.y);
    return x == ChainExtent::kFull && sizes.rank() == 1 &&
           std::ranges::equal(sizes.flat<std::int32_t>(), full_->dims());
  }
  const ChainExtent y = stage.y < 0 ? x : extent_[at(stage.y)];
  extent_[value] = std::max(x, y);
  return extent_[value] == ChainExtent::kFull && (x == y || stage.broadcasts);
}

float* ChainRun::place(int value, std::size_t begin, float* buffers) const {
  const int buffer = program_.buffer_of[at(value)];
  if (buffer >= 0) return buffers + at(buffer) * kChainBlock;
  return const_cast<float*>(base_[at(value)]) + begin;
}

const float* ChainRun::operand(int value, std::size_t begin, float* buffers,
                               const float* repeated) const {
  value = program_.same_as[at(value)];
  switch (extent_[at(value)]) {
    case ChainExtent::kScalar:
      return base_[at(value)];
    case ChainExtent::kRow:
      return row_ > kChainBlock ? base_[at(value)] + begin % row_
                                : repeated + at(row_number_[at(value)]) * kChainBlock;
    default:
      return place(value, begin, buffers);
  }
}

void ChainRun::run_block(std::size_t begin, std::size_t n, float* buffers, const float* repeated) {
  for (std::size_t i = 0; i < program_.stages.size(); ++i) {
    const ChainStage& stage = program_.stages[i];
    if (stage.passes_on()) continue;
    float* out = place(program_.input_count + static_cast<int>(i), begin, buffers);
    const float* x = operand(stage.x, begin, buffers, repeated);
    if (stage.unary != nullptr) {
      stage.unary(out, x, n);
      continue;
    }
    const float* y = operand(stage.y, begin, buffers, repeated);
    const bool one_x = extent_[at(stage.x)] == ChainExtent::kScalar;
    const bool one_y = extent_[at(stage.y)] == ChainExtent::kScalar;
    const BinaryRow direct = one_x   ? stage.binary.scalar_x
                             : one_y ? stage.binary.scalar_y
                                     : stage.binary.both;
    if (direct != nullptr) {
      direct(out, x, y, n);
      continue;
    }
    alignas(64) float same[kChainBlock];
    std::fill_n(same, n, one_x ? *x : *y);
    stage.binary.both(out, one_x ? same : x, one_x ? y : same, n);
  }
}

// Copies short rows until each makes a block.
void ChainRun::fill_repeated(float* repeated, std::size_t n) const {
  for (int i = 0; i < program_.input_count; ++i) {
    if (!needs_copies(i)) continue;
    float* to = repeated + at(row_number_[at(i)]) * kChainBlock;
    for (std::size_t k = 0; k < n; k += row_) std::copy_n(base_[at(i)], row_, to + k);
  }
}

void ChainRun::run_blocks() {
  // Result 0 comes with the storage of input 0 where that may be written over.
  for (std::size_t r = 0; r < program_.results.size(); ++r) {
    const int value = program_.results[r];
    const int output = static_cast<int>(r);
    if (value < program_.input_count) {
      call_.set_output(output, call_.input_tensor(value));
    } else if (program_.result_of[at(value)] != output) {
      call_.set_output(output, call_.output_tensor(program_.result_of[at(value)]));
    } else {
      Tensor& tensor = call_.output_tensor(output);
      const bool is_offered = output == 0 && program_.can_write_over_input &&
                              extent_[0] == ChainExtent::kFull && tensor.has_value() &&
                              tensor.raw_data() == base_[0];
      if (!is_offered) call_.allocate_output(output, *full_);
      base_[at(value)] = call_.output_tensor(output).data<float>();
    }
  }
  const bool short_rows = row_ > 0 && row_ <= kChainBlock;
  const std::size_t block = short_rows ? kChainBlock / row_ * row_ : kChainBlock;
  const std::size_t unit = row_ > 0 ? row_ : 1;  // ranges begin with a row
  const auto cost = program_.cost * static_cast<double>(unit);
  call_.parallel_for(count_ / unit, cost, [&](std::size_t from, std::size_t to) {
    const std::size_t buffers = at(program_.buffer_count), copies = short_rows ? at(rows_) : 0;
    constexpr std::size_t kFew = 16;
    alignas(64) float few[kFew * kChainBlock];
    const Tensor many =
        buffers + copies > kFew
            ? Tensor(DType::f32, {static_cast<std::int64_t>((buffers + copies) * kChainBlock)})
            : Tensor();
    float* scratch = many.has_value() ? many.data<float>() : few;
    float* repeated = scratch + buffers * kChainBlock;
    if (short_rows) fill_repeated(repeated, block);
    for (std::size_t i = from * unit, n = 0; i < to * unit; i += n) {
      n = std::min(block, to * unit - i);
      if (row_ > kChainBlock) n = std::min(n, row_ - i % row_);
      run_block(i, n, scratch, repeated);
    }
  });
}

// One op after the other, as the graph had them: for shapes that blocks do not suit.
void ChainRun::run_stages() {
  if (call_.output_tensor(0).has_value()) call_.set_output(0, Tensor());
  std::vector<Value> values(program_.same_as.size());
  for (int i = 0; i < program_.input_count; ++i) values[at(i)].tensor = call_.input_tensor(i);
  for (std::size_t i = 0; i < program_.stages.size(); ++i)
    run_stage(program_.stages[i], values, at(program_.input_count) + i);
  const auto& results = call_.node().attr<std::vector<std::int64_t>>("results");
  for (std::size_t r = 0; r < results.size(); ++r)
    call_.set_output(static_cast<int>(r), values[static_cast<std::size_t>(results[r])].tensor);
}

void ChainRun::run_stage(const ChainStage& stage, std::vector<Value>& values, std::size_t value) {
  std::array<Value*, 2> in{&values[at(stage.x)], stage.y < 0 ? nullptr : &values[at(stage.y)]};
  const std::span<Value* const> inputs(in.data(), stage.y < 0 ? 1 : 2);
  Value* out = &values[value];
  if (!stage.kernel->allocates) {
    std::vector<PartialShape> shapes;
    for (const Value* input : inputs) shapes.emplace_back(input->tensor.shape());
    const auto value_fn = [&](int i) { return &inputs[at(i)]->tensor; };
    const auto shape_fn = [](int) { return PartialShape(); };
    const ShapeCtx shape(*stage.node.op, stage.node.attrs, std::move(shapes), 1, value_fn,
                         shape_fn);
    out->tensor = Tensor(DType::f32, stage.node.op->shape(shape)[0].full(),
                         call_.device().allocator(MemoryKind::host));
  }
  KernelCall inner(stage.node, stage.state.get(), inputs, {&out, 1}, call_.step());
  stage.kernel->run(inner);
}

void run_chain(KernelCall& call) { ChainRun(call, call.state<ChainProgram>()).run(); }

std::unique_ptr<KernelState> make_chain_state(const KernelNode& node) {
  return std::make_unique<ChainProgram>(node);
}

constexpr KernelEntry kEntries[] = {{.op = &kElementwiseChain,
                                     .run = run_chain,
                                     .make_state = make_chain_state,
                                     .allocates = true,
                                     .expensive = false}};

}  // namespace

extern const KernelTable kElementwiseChainCpu{kEntries};

}  // namespace rill
