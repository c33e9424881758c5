#include "rill/ops/math/reduce/reduce.h"

#include <algorithm>
#include <cstring>

#include "rill/ops/math/reduce/reduction_axes.h"

namespace rill {
namespace {

constexpr std::size_t kFoldLength = 16384;    // elements folded into one accumulator, at most
constexpr std::size_t kAddCount = 128;        // rows added to one row of accumulators, at most
constexpr std::size_t kTaskColumns = 4096;    // accumulators of one task
constexpr std::size_t kReduceBlock = 1024;    // elements widened at a time
constexpr std::size_t kShortReducedRow = 64;  // rows up to here are added several at a time,
constexpr std::size_t kLongReducedRow = 256;  // as rows of this length

struct Axis {
  std::size_t size;
  std::size_t stride;  // in elements
};

// Where item `index` of a nest of axes lies, the last axis running fastest.
std::size_t offset_of(std::size_t index, const std::vector<Axis>& axes) {
  std::size_t offset = 0;
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    offset += index % axis->size * axis->stride;
    index /= axis->size;
  }
  return offset;
}

std::size_t count_of(const std::vector<Axis>& axes) {
  std::size_t count = 1;
  for (const Axis& axis : axes) count *= axis.size;
  return count;
}

std::size_t pieces_of(std::size_t size, std::size_t piece) { return (size + piece - 1) / piece; }

}  // namespace

// The input as kept axes around reduced axes around one row, which is either folded to a single
// accumulator (the last dimension is reduced) or added to a row of them (it is kept). The work is
// cut along the kept items, the reduced items and the row; each task yields partial accumulators,
// laid out as [kept item][part][row].
struct Reduction::Layout {
  std::vector<Axis> kept, reduced;
  std::size_t row = 1;     // elements of the last joined dimension
  bool folds_row = false;  // it is reduced
  std::size_t kept_count, reduced_count;
  std::size_t row_pieces, piece_length;  // cuts of the row
  std::size_t parts, items_per_part;     // cuts of the reduced items
  std::size_t width;                     // accumulators per kept item and part
  std::int64_t count = 0;                // elements behind each result
  const std::byte* input = nullptr;
  std::byte* out = nullptr;
  std::size_t out_size = 0;

  Layout(const Shape& shape, const std::vector<bool>& is_reduced);
  std::size_t partials_per_item() const { return folds_row ? parts * row_pieces : parts; }
  std::size_t task_count() const { return kept_count * parts * row_pieces; }
};

Reduction::Layout::Layout(const Shape& shape, const std::vector<bool>& is_reduced) {
  std::vector<Axis> joined;
  std::vector<bool> joined_reduced;
  for (int i = 0; i < shape.rank(); ++i) {
    const auto size = static_cast<std::size_t>(shape.dim(i));
    const bool reduce = is_reduced[static_cast<std::size_t>(i)];
    if (size == 1) continue;
    if (!joined.empty() && joined_reduced.back() == reduce) {
      joined.back().size *= size;
    } else {
      joined.push_back({size, 1});
      joined_reduced.push_back(reduce);
    }
  }
  std::size_t stride = 1;
  for (auto axis = joined.rbegin(); axis != joined.rend(); ++axis) {
    axis->stride = stride;
    stride *= axis->size;
  }
  if (!joined.empty()) {
    row = joined.back().size;
    folds_row = joined_reduced.back();
    joined.pop_back();
  }
  for (std::size_t i = 0; i < joined.size(); ++i)
    (joined_reduced[i] ? reduced : kept).push_back(joined[i]);
  kept_count = count_of(kept);
  reduced_count = count_of(reduced);
  piece_length = folds_row ? kFoldLength : kTaskColumns;
  row_pieces = std::max<std::size_t>(1, pieces_of(row, piece_length));
  items_per_part =
      folds_row ? std::max<std::size_t>(1, kFoldLength / std::max<std::size_t>(row, 1))
                : std::max<std::size_t>(kAddCount, 4 * kFoldLength / std::max<std::size_t>(row, 1));
  parts = std::max<std::size_t>(1, pieces_of(reduced_count, items_per_part));
  width = folds_row ? row_pieces : row;
}

Reduction::Reduction(const char* op_name, DType type, FindReduce find)
    : rows_(find(type)), element_size_(element_size(type)) {
  if (rows_.fold == nullptr && (type == DType::f16 || type == DType::bf16)) {
    rows_ = find(DType::f32);
    widen_ = widen_row(type);
    narrow_ = narrow_row(type);
  }
  if (rows_.fold == nullptr) raise(Code::kUnimplemented, op_name, " has no kernel for ", type);
}

void Reduction::fold_block(void* acc, const std::byte* x, std::size_t n) const {
  if (widen_ == nullptr) return rows_.fold(acc, x, n);
  alignas(64) float wide[kReduceBlock];
  for (std::size_t i = 0; i < n; i += kReduceBlock) {
    const std::size_t m = std::min(kReduceBlock, n - i);
    widen_(wide, x + i * element_size_, m);
    rows_.fold(acc, wide, m);
  }
}

void Reduction::add_block(void* acc, const std::byte* x, std::size_t n) const {
  if (widen_ == nullptr) return rows_.add(acc, x, n);
  alignas(64) float wide[kReduceBlock];
  for (std::size_t i = 0; i < n; i += kReduceBlock) {
    const std::size_t m = std::min(kReduceBlock, n - i);
    widen_(wide, x + i * element_size_, m);
    rows_.add(static_cast<float*>(acc) + i, wide, m);
  }
}

// Adds short rows that follow each other several at a time, as one long row whose parts are merged
// at the end. Returns how many it took.
std::size_t Reduction::add_several(std::byte* acc, const std::byte* x, std::size_t count,
                                   std::size_t row) const {
  const std::size_t together = kLongReducedRow / row, length = together * row;
  const std::size_t rounds = count / together;
  if (rounds < 2) return 0;
  alignas(64) std::byte wide[16 * kLongReducedRow];
  rows_.fill(wide, length);
  for (std::size_t i = 0; i < rounds; ++i) add_block(wide, x + i * length * element_size_, length);
  for (std::size_t k = 0; k < together; ++k)
    rows_.merge(acc, wide + k * row * rows_.accumulator_size, row);
  return rounds * together;
}

void Reduction::reduce_part(const Layout& l, std::size_t task, std::byte* partials) const {
  const std::size_t piece = task % l.row_pieces, part = task / l.row_pieces % l.parts;
  const std::size_t item = task / l.row_pieces / l.parts;
  const std::size_t from = piece * l.piece_length, n = std::min(l.piece_length, l.row - from);
  const std::size_t column = l.folds_row ? piece : from;
  std::byte* acc = partials + ((item * l.parts + part) * l.width + column) * rows_.accumulator_size;
  rows_.fill(acc, l.folds_row ? 1 : n);
  const std::byte* base = l.input + (offset_of(item, l.kept) + from) * element_size_;
  const std::size_t begin = part * l.items_per_part;
  const std::size_t end = std::min(l.reduced_count, begin + l.items_per_part);
  std::size_t i = begin;
  const bool adjacent = l.reduced.size() == 1 && l.reduced[0].stride == l.row;
  if (!l.folds_row && adjacent && l.row <= kShortReducedRow)
    i += add_several(acc, base + begin * l.row * element_size_, end - begin, l.row);
  for (; i < end; ++i) {
    const std::byte* x = base + offset_of(i, l.reduced) * element_size_;
    l.folds_row ? fold_block(acc, x, n) : add_block(acc, x, n);
  }
}

// Merges the partial accumulators of one kept item (or of a piece of its row) and writes results.
void Reduction::finish_part(const Layout& l, std::size_t task, std::byte* partials) const {
  const std::size_t pieces = l.folds_row ? 1 : l.row_pieces;
  const std::size_t item = task / pieces, from = task % pieces * l.piece_length;
  const std::size_t n = l.folds_row ? 1 : std::min(l.piece_length, l.row - from);
  const std::size_t step = (l.folds_row ? 1 : l.width) * rows_.accumulator_size;
  std::byte* acc =
      partials + item * l.parts * l.width * rows_.accumulator_size + from * rows_.accumulator_size;
  // Neighbours first, then neighbours of those: rounding errors grow with the logarithm.
  for (std::size_t gap = 1; gap < l.partials_per_item(); gap *= 2)
    for (std::size_t i = 0; i + gap < l.partials_per_item(); i += 2 * gap)
      rows_.merge(acc + i * step, acc + (i + gap) * step, n);
  std::byte* out = l.out + (item * (l.folds_row ? 1 : l.row) + from) * l.out_size;
  finish(out, acc, n, l.count);
}

void Reduction::finish(std::byte* out, std::byte* acc, std::size_t n, std::int64_t count) const {
  if (rows_.finish == nullptr && narrow_ == nullptr) {
    std::memcpy(out, acc, n * rows_.accumulator_size);
  } else if (narrow_ == nullptr) {
    rows_.finish(out, acc, n, count);
  } else {
    if (rows_.finish != nullptr) rows_.finish(acc, acc, n, count);
    narrow_(out, reinterpret_cast<const float*>(acc), n);
  }
}

// The input is [items][row] with rows that one accumulator takes: no partial results are kept.
void Reduction::fold_rows(const KernelCall& call, const Layout& l) const {
  const std::size_t together = std::max<std::size_t>(1, kReduceBlock / l.row);
  const std::size_t blocks = pieces_of(l.kept_count, together);
  const double block_length = static_cast<double>(together * l.row);
  const double cost = block_length * (l.row <= kShortReducedRow ? 1.5 : rows_.cost);
  call.parallel_for(blocks, 10 + cost, [&](std::size_t begin, std::size_t end) {
    alignas(64) std::byte acc[kReduceBlock * 16];
    for (std::size_t i = begin * together; i < std::min(l.kept_count, end * together);
         i += together) {
      const std::size_t rows = std::min(together, l.kept_count - i);
      const std::byte* x = l.input + i * l.row * element_size_;
      l.row <= kShortReducedRow ? fold_short_rows(acc, x, rows, l.row)
                                : fold_long_rows(acc, x, rows, l.row);
      finish(l.out + i * l.out_size, acc, rows, l.count);
    }
  });
}

void Reduction::fold_short_rows(std::byte* acc, const std::byte* x, std::size_t rows,
                                std::size_t n) const {
  if (widen_ == nullptr) return rows_.fold_rows(acc, x, rows, n);
  alignas(64) float wide[kReduceBlock];
  widen_(wide, x, rows * n);
  rows_.fold_rows(acc, wide, rows, n);
}

void Reduction::fold_long_rows(std::byte* acc, const std::byte* x, std::size_t rows,
                               std::size_t n) const {
  rows_.fill(acc, rows);
  for (std::size_t i = 0; i < rows; ++i)
    fold_block(acc + i * rows_.accumulator_size, x + i * n * element_size_, n);
}

void Reduction::run(const KernelCall& call, const Tensor& input, const std::vector<bool>& reduced,
                    const Tensor& out) const {
  if (out.element_count() == 0) return;
  Layout l(input.shape(), reduced);
  l.count = input.element_count() / out.element_count();
  l.input = static_cast<const std::byte*>(input.raw_data());
  l.out = static_cast<std::byte*>(out.raw_data());
  l.out_size = element_size(out.dtype());
  const bool rows_only = l.folds_row && l.reduced.empty() && l.kept.size() == 1;
  if (rows_only && l.row > 0 && l.row <= kFoldLength) return fold_rows(call, l);
  const std::size_t bytes = l.kept_count * l.parts * l.width * rows_.accumulator_size;
  alignas(64) std::byte small[1024];
  const Tensor large =
      bytes > sizeof small ? Tensor(DType::u8, {static_cast<std::int64_t>(bytes)}) : Tensor();
  auto* partials = bytes > sizeof small ? static_cast<std::byte*>(large.raw_data()) : small;
  const double elements = static_cast<double>(input.element_count());
  const double cost = 10 + elements * rows_.cost / static_cast<double>(l.task_count());
  call.parallel_for(l.task_count(), cost, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) reduce_part(l, i, partials);
  });
  const std::size_t finishing = l.kept_count * (l.folds_row ? 1 : l.row_pieces);
  call.parallel_for(finishing, 10 + static_cast<double>(l.partials_per_item()),
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t i = begin; i < end; ++i) finish_part(l, i, partials);
                    });
}

namespace {

struct ReductionState : KernelState {
  explicit ReductionState(Reduction r) : reduction(r) {}
  Reduction reduction;
};

}  // namespace

std::unique_ptr<KernelState> make_reduction_state(const KernelNode& node, FindReduce find) {
  return std::make_unique<ReductionState>(
      Reduction(node.op->name.c_str(), base_type(node.input_type(0)), find));
}

void run_reduction(KernelCall& call) {
  const Tensor& input = call.input_tensor(0);
  call.state<ReductionState>().reduction.run(
      call, input, reduced_dims(call.input_tensor(1), input.rank()), call.output_tensor(0));
}

}  // namespace rill
