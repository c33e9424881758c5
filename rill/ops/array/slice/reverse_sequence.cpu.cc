#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/slice/strided_copy.h"
#include "rill/ops/array/values/index_values.h"

namespace rill {

extern const OpDecl kReverseSequence, kRoll;

namespace {

// Copies positions [from, from + count) of `axis` to positions from `to` on, turned round or not;
// of dimension `batch`, if there is one, only `part`.
struct Piece {
  int axis;
  std::int64_t from, to, count;
  bool turned = false;
  int batch = -1;
  std::int64_t part = 0;
};

void copy_piece(const KernelCall& call, const Piece& piece) {
  const Tensor &input = call.input_tensor(0), &output = call.output_tensor(0);
  if (piece.count == 0) return;
  const Dims strides = row_major_strides(input.shape());
  StridedCopy copy;
  std::int64_t from = 0, to = 0;
  for (int d = 0; d < input.rank(); ++d) {
    if (d == piece.axis) {
      copy.add_dim(piece.count, strides[d], piece.turned ? -strides[d] : strides[d]);
      from += (piece.turned ? piece.from + piece.count - 1 : piece.from) * strides[d];
      to += piece.to * strides[d];
    } else if (d == piece.batch) {
      from += piece.part * strides[d];
      to += piece.part * strides[d];
    } else {
      copy.add_dim(input.dim(d), strides[d], strides[d]);
    }
  }
  strided_copy(call, input.dtype(), element_at(output, to), element_at(input, from), copy);
}

void reverse_sequence(KernelCall& call) {
  const Tensor &input = call.input_tensor(0), &lengths = call.input_tensor(1);
  const auto axis = static_cast<int>(call.node().attr<std::int64_t>("seq_dim"));
  const auto batch = static_cast<int>(call.node().attr<std::int64_t>("batch_dim"));
  require(axis != batch, "batch_dim == seq_dim == ", axis);
  const std::int64_t size = input.dim(axis);
  for (std::int64_t i = 0; i < lengths.element_count(); ++i) {
    require(int_at(lengths, i) >= 0, "seq_lens(", i, ") < 0");
    require(int_at(lengths, i) <= size, "seq_lens(", i, ") > input.dims(", axis, ")");
  }
  if (input.element_count() == 0) return;
  for (std::int64_t i = 0; i < lengths.element_count(); ++i) {
    const std::int64_t length = int_at(lengths, i);
    copy_piece(call, {axis, 0, 0, length, true, batch, i});
    copy_piece(call, {axis, length, length, size - length, false, batch, i});
  }
}

// Where the shifts along one axis, added up, take position 0.
std::vector<std::int64_t> shifts(const KernelCall& call) {
  const Tensor &input = call.input_tensor(0), &shift = call.input_tensor(1);
  const Tensor& axis = call.input_tensor(2);
  require(shift.shape() == axis.shape(), "shift and axis must have the same size");
  std::vector<std::int64_t> result(static_cast<std::size_t>(input.rank()), 0);
  for (std::int64_t i = 0; i < axis.element_count(); ++i) {
    const std::int64_t given = int_at(axis, i), d = given < 0 ? given + input.rank() : given;
    require(d >= 0 && d < input.rank(), "axis ", given, " is out of range");
    const std::int64_t size = std::max<std::int64_t>(1, input.dim(static_cast<int>(d)));
    auto& total = result[static_cast<std::size_t>(d)];
    total = (total + int_at(shift, i) % size + size) % size;
  }
  return result;
}

// Every dimension that moves is cut in two, so that each piece moves as a whole.
void roll(KernelCall& call) {
  const Tensor &input = call.input_tensor(0), &output = call.output_tensor(0);
  const std::vector<std::int64_t> by = shifts(call);
  if (input.element_count() == 0) return;
  const Dims strides = row_major_strides(input.shape());
  std::vector<int> moving;
  for (int d = 0; d < input.rank(); ++d)
    if (by[static_cast<std::size_t>(d)] != 0) moving.push_back(d);
  for (std::uint64_t piece = 0; piece < std::uint64_t{1} << moving.size(); ++piece) {
    StridedCopy copy;
    std::int64_t from = 0, to = 0;
    for (int d = 0, m = 0; d < input.rank(); ++d) {
      const std::int64_t shift = by[static_cast<std::size_t>(d)];
      const bool wraps = shift != 0 && (piece >> m++ & 1) != 0;
      const std::int64_t stays = input.dim(d) - shift;
      copy.add_dim(wraps ? shift : stays, strides[d], strides[d]);
      from += (wraps ? stays : 0) * strides[d];
      to += (wraps ? 0 : shift) * strides[d];
    }
    strided_copy(call, input.dtype(), element_at(output, to), element_at(input, from), copy);
  }
}

constexpr KernelEntry kEntries[] = {{.op = &kReverseSequence, .run = reverse_sequence},
                                    {.op = &kRoll, .run = roll}};

}  // namespace

extern const KernelTable kReverseSequenceCpu{kEntries};

}  // namespace rill
