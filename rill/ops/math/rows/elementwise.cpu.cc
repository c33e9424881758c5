#include "rill/ops/math/rows/elementwise.h"

#include <algorithm>
#include <cstring>

#include "rill/ops/math/rows/elementwise_rows.h"
#include "rill/ops/math/rows/float_rows.h"
#include "rill/ops/simd/stream.h"
#include "rill/tensor/strided.h"

namespace rill {
namespace {

constexpr std::size_t kScratchBlock = 256;  // elements per block where a row needs scratch
constexpr std::size_t kMaxElement = 16;     // of a trivial type: complex128

// Elements [begin, end) of a large result: run(block, i, m) computes m of them from i on, which
// then go past the caches.
template <class Run>
void stream_blocks(std::byte* out, std::size_t size, std::size_t begin, std::size_t end, Run run) {
  constexpr std::size_t kBytes = 8192;
  alignas(64) std::byte block[kBytes];
  for (std::size_t i = begin, m = 0; i < end; i += m) {
    const auto odd = reinterpret_cast<std::uintptr_t>(out + i * size) % 64;  // of the first block
    m = std::min((kBytes - odd) / size, end - i);
    run(block, i, m);
    stream_copy(out + i * size, block, m * size);
  }
  finish_stream();
}

// Whether a result is streamed; not one that takes the place of an operand.
bool streams(const void* out, std::size_t bytes, const void* x, const void* y = nullptr) {
  return bytes >= kStreamBytes && out != x && out != y;
}

enum class Form { kBoth, kScalarY, kScalarX };

struct UnaryState : KernelState {
  UnaryRows rows;
  WidenRow widen = nullptr;    // set when x is computed through float
  NarrowRow narrow = nullptr;  // set when the result is rounded from float
  std::size_t x_size = 0, out_size = 0;

  void run(void* out, const void* x, std::size_t n) const {
    if (widen == nullptr) return rows.row(out, x, n);
    run_through_float(static_cast<std::byte*>(out), static_cast<const std::byte*>(x), n);
  }
  void run_through_float(std::byte* out, const std::byte* x, std::size_t n) const;
};

void UnaryState::run_through_float(std::byte* out, const std::byte* x, std::size_t n) const {
  alignas(64) float xs[kScratchBlock], zs[kScratchBlock];
  for (std::size_t i = 0; i < n; i += kScratchBlock) {
    const std::size_t m = std::min(kScratchBlock, n - i);
    widen(xs, x + i * x_size, m);
    rows.row(narrow ? static_cast<void*>(zs) : out + i * out_size, xs, m);
    if (narrow) narrow(out + i * out_size, zs, m);
  }
}

struct BinaryState : KernelState {
  BinaryRows rows;
  WidenRow widen = nullptr;
  NarrowRow narrow = nullptr;
  std::size_t in_size = 0, out_size = 0;
  bool plain = false;  // rows run on the elements as they are, without checks

  BinaryRow row(Form form) const {
    return form == Form::kBoth ? rows.both : form == Form::kScalarY ? rows.scalar_y : rows.scalar_x;
  }
  void run(Form form, void* out, const void* x, const void* y, std::size_t n) const {
    const BinaryRow direct = row(form);
    if (direct != nullptr && widen == nullptr) return direct(out, x, y, n);
    run_in_blocks(form, static_cast<std::byte*>(out), static_cast<const std::byte*>(x),
                  static_cast<const std::byte*>(y), n);
  }
  // For rows that need their operands converted or repeated first.
  void run_in_blocks(Form form, std::byte* out, const std::byte* x, const std::byte* y,
                     std::size_t n) const;

 private:
  // A block of one operand, ready for the row: `scratch` or, where nothing needs doing, itself.
  const void* prepare(const std::byte* x, std::byte* scratch, bool is_scalar, std::size_t m) const;
};

// Repeats the first element of `block` over its first m elements.
void repeat(std::byte* block, std::size_t size, std::size_t m) {
  for (std::size_t done = 1; done < m; done *= 2)
    std::memcpy(block + done * size, block, std::min(done, m - done) * size);
}

const void* BinaryState::prepare(const std::byte* x, std::byte* scratch, bool is_scalar,
                                 std::size_t m) const {
  if (widen == nullptr && !is_scalar) return x;
  const std::size_t given = is_scalar ? 1 : m;
  if (widen) {
    widen(reinterpret_cast<float*>(scratch), x, given);
  } else {
    std::memcpy(scratch, x, in_size);
  }
  if (is_scalar) repeat(scratch, widen ? sizeof(float) : in_size, m);
  return scratch;
}

void BinaryState::run_in_blocks(Form form, std::byte* out, const std::byte* x, const std::byte* y,
                                std::size_t n) const {
  alignas(64) std::byte xs[kScratchBlock * kMaxElement], ys[kScratchBlock * kMaxElement];
  alignas(64) float zs[kScratchBlock];
  const bool one_x = form == Form::kScalarX, one_y = form == Form::kScalarY;
  const void* px = nullptr;
  const void* py = nullptr;
  for (std::size_t i = 0; i < n; i += kScratchBlock) {
    // It never grows: a repeated operand stays good.
    const std::size_t m = std::min(kScratchBlock, n - i);
    if (!one_x || i == 0) px = prepare(x + (one_x ? 0 : i * in_size), xs, one_x, m);
    if (!one_y || i == 0) py = prepare(y + (one_y ? 0 : i * in_size), ys, one_y, m);
    rows.both(narrow ? static_cast<void*>(zs) : out + i * out_size, px, py, m);
    if (narrow) narrow(out + i * out_size, zs, m);
  }
}

bool computed_through_float(DType type) { return type == DType::f16 || type == DType::bf16; }

// Fills what unary and binary states have in common once the finder has been asked.
template <class State, class Find>
std::unique_ptr<KernelState> make(const KernelNode& node, Find find) {
  const DType in = base_type(node.input_type(0)), out = base_type(node.output_type(0));
  auto state = std::make_unique<State>();
  state->rows = find(in);
  const auto has_row = [&] {
    if constexpr (std::is_same_v<State, UnaryState>)
      return state->rows.row != nullptr;
    else
      return state->rows.both != nullptr;
  };
  if (!has_row() && computed_through_float(in)) {
    state->rows = find(DType::f32);
    state->rows.cost += 0.5;
    state->widen = widen_row(in);
    if (computed_through_float(out)) state->narrow = narrow_row(out);
  }
  if (!has_row()) raise(Code::kUnimplemented, node.op->name, " has no kernel for ", in);
  return state;
}

// Rows shorter than this are run several at a time when one operand repeats for all of them.
constexpr std::size_t kBundledRow = 512;
constexpr std::size_t kTogether = 1024;  // elements of such a bundle

// The first operand has rows of `row` elements and the second is one such row (or the reverse, when
// `x_repeats`): the repeated one is copied until it makes a long row.
void run_short_rows(KernelCall& call, const BinaryState& state, std::size_t n, std::size_t row,
                    bool x_repeats) {
  alignas(64) std::byte repeated[kTogether * kMaxElement];
  const auto* x = static_cast<const std::byte*>(call.input_tensor(0).raw_data());
  const auto* y = static_cast<const std::byte*>(call.input_tensor(1).raw_data());
  auto* out = static_cast<std::byte*>(call.output_tensor(0).raw_data());
  const std::size_t together = kTogether / row, length = together * row;
  for (std::size_t i = 0; i < together; ++i)
    std::memcpy(repeated + i * row * state.in_size, x_repeats ? x : y, row * state.in_size);
  const std::size_t pieces = (n + length - 1) / length;
  const double cost = 5 + state.rows.cost * static_cast<double>(length);
  call.parallel_for(pieces, cost, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin * length; i < std::min(n, end * length); i += length)
      state.run(Form::kBoth, out + i * state.out_size, x_repeats ? repeated : x + i * state.in_size,
                x_repeats ? y + i * state.in_size : repeated, std::min(length, n - i));
  });
}

void run_broadcast(KernelCall& call, const BinaryState& state, const Shape& x, const Shape& y,
                   const Shape& out) {
  const RowLoop loop{dense_view(call.output_tensor(0).raw_data(), out, state.out_size),
                     broadcast_view(call.input_tensor(0).raw_data(), x, out, state.in_size),
                     broadcast_view(call.input_tensor(1).raw_data(), y, out, state.in_size)};
  const auto n = static_cast<std::size_t>(out.element_count());
  const auto row = static_cast<std::int64_t>(loop.row_length());
  // An operand whose elements all stand in one row is that row, over and over.
  const bool x_repeats = x.element_count() == row && loop.step(1) != 0;
  const bool y_repeats = y.element_count() == row && loop.step(2) != 0;
  const bool other_is_full = (x_repeats ? y : x).element_count() == out.element_count();
  if ((x_repeats || y_repeats) && other_is_full && loop.row_length() < kBundledRow &&
      state.in_size <= kMaxElement)
    return run_short_rows(call, state, n, loop.row_length(), x_repeats);
  const Form form = loop.step(1) == 0   ? Form::kScalarX
                    : loop.step(2) == 0 ? Form::kScalarY
                                        : Form::kBoth;
  const auto length = std::min(loop.row_length(), RowLoop::kPieceLength);
  const double cost = 5 + state.rows.cost * static_cast<double>(length);
  call.parallel_for(loop.piece_count(), cost, [&](std::size_t begin, std::size_t end) {
    loop.run(begin, end,
             [&](std::byte* const* at, std::size_t n) { state.run(form, at[0], at[1], at[2], n); });
  });
}

}  // namespace

std::unique_ptr<KernelState> make_unary_state(const KernelNode& node, FindUnary find) {
  auto made = make<UnaryState>(node, find);
  auto& state = static_cast<UnaryState&>(*made);
  state.x_size = element_size(base_type(node.input_type(0)));
  state.out_size = element_size(base_type(node.output_type(0)));
  return made;
}

std::unique_ptr<KernelState> make_binary_state(const KernelNode& node, FindBinary find) {
  auto made = make<BinaryState>(node, find);
  auto& state = static_cast<BinaryState&>(*made);
  state.in_size = element_size(base_type(node.input_type(0)));
  state.out_size = element_size(base_type(node.output_type(0)));
  state.plain = state.widen == nullptr && state.rows.check_y == nullptr;
  return made;
}

const UnaryRows* rows_of_unary(const KernelState& state) {
  const auto* unary = dynamic_cast<const UnaryState*>(&state);
  return unary != nullptr && unary->widen == nullptr ? &unary->rows : nullptr;
}

const BinaryRows* rows_of_binary(const KernelState& state) {
  const auto* binary = dynamic_cast<const BinaryState*>(&state);
  return binary != nullptr && binary->plain ? &binary->rows : nullptr;
}

void run_unary(KernelCall& call) {
  const auto& state = call.state<UnaryState>();
  const auto* x = static_cast<const std::byte*>(call.input_tensor(0).raw_data());
  auto* out = static_cast<std::byte*>(call.output_tensor(0).raw_data());
  const auto n = static_cast<std::size_t>(call.output_tensor(0).element_count());
  const bool streamed = streams(out, n * state.out_size, x);
  call.parallel_for(n, state.rows.cost, [=, &state](std::size_t begin, std::size_t end) {
    if (!streamed)
      return state.run(out + begin * state.out_size, x + begin * state.x_size, end - begin);
    stream_blocks(out, state.out_size, begin, end, [&](void* block, std::size_t i, std::size_t m) {
      state.run(block, x + i * state.x_size, m);
    });
  });
}

void run_binary(KernelCall& call) {
  const auto& state = call.state<BinaryState>();
  const Tensor& x = call.input_tensor(0);
  const Tensor& y = call.input_tensor(1);
  const Tensor& out = call.output_tensor(0);
  if (state.plain && x.element_count() == 1 && y.element_count() == 1)  // most counters and rates
    return state.rows.both(out.raw_data(), x.raw_data(), y.raw_data(), 1);
  run_binary_as(call, call.input_tensor(0).shape(), call.input_tensor(1).shape(),
                call.output_tensor(0).shape());
}

void run_binary_as(KernelCall& call, const Shape& x_shape, const Shape& y_shape,
                   const Shape& out_shape) {
  const auto& state = call.state<BinaryState>();
  const auto n = out_shape.element_count();
  if (n == 0) return;
  const auto* x = static_cast<const std::byte*>(call.input_tensor(0).raw_data());
  const auto* y = static_cast<const std::byte*>(call.input_tensor(1).raw_data());
  auto* out = static_cast<std::byte*>(call.output_tensor(0).raw_data());
  if (state.rows.check_y) state.rows.check_y(y, static_cast<std::size_t>(y_shape.element_count()));
  // An operand with as many elements as the output has its shape, up to dimensions of one.
  const bool full_x = x_shape.element_count() == n, full_y = y_shape.element_count() == n;
  if (!(full_x && full_y) && x_shape.element_count() != 1 && y_shape.element_count() != 1)
    return run_broadcast(call, state, x_shape, y_shape, out_shape);
  const Form form = full_x && full_y ? Form::kBoth : full_x ? Form::kScalarY : Form::kScalarX;
  const std::size_t x_step = full_x ? state.in_size : 0, y_step = full_y ? state.in_size : 0;
  const bool streamed = streams(out, static_cast<std::size_t>(n) * state.out_size, x, y);
  call.parallel_for(static_cast<std::size_t>(n), state.rows.cost,
                    [=, &state](std::size_t begin, std::size_t end) {
                      if (!streamed)
                        return state.run(form, out + begin * state.out_size, x + begin * x_step,
                                         y + begin * y_step, end - begin);
                      stream_blocks(out, state.out_size, begin, end,
                                    [&](void* block, std::size_t i, std::size_t m) {
                                      state.run(form, block, x + i * x_step, y + i * y_step, m);
                                    });
                    });
}

}  // namespace rill
