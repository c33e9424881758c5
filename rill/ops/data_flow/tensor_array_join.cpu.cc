// Several elements of a TensorArray at once, as one tensor.
#include <algorithm>
#include <numeric>

#include "rill/kernel/kernel_entries.h"
#include "rill/ops/data_flow/tensor_array_input.h"

namespace rill {

extern const OpDecl kTensorArrayGatherV3, kTensorArrayScatterV3, kTensorArrayConcatV3,
    kTensorArraySplitV3;
extern const OpDecl kTensorArrayGatherV2, kTensorArrayScatterV2, kTensorArrayConcatV2,
    kTensorArraySplitV2;
extern const OpDecl kTensorArrayGather, kTensorArrayScatter, kTensorArrayConcat, kTensorArraySplit,
    kTensorArrayPack, kTensorArrayUnpack;

namespace {

// Puts the elements of all tensors one behind the other.
void fill(const Tensor& output, std::span<const Tensor> parts) {
  auto* to = static_cast<std::byte*>(output.raw_data());
  for (const Tensor& part : parts) {
    copy_elements(output.dtype(), to, part.raw_data(),
                  static_cast<std::size_t>(part.element_count()));
    to += part.byte_size();
  }
}

std::span<const std::int32_t> indices_input(const KernelCall& call) {
  const Tensor& indices = call.input_tensor(1);
  require(indices.rank() == 1,
          "Expected indices to be a vector, but received shape: ", indices.shape());
  return indices.flat<std::int32_t>();
}

void stack(KernelCall& call, std::span<const Tensor> parts) {
  const auto& element_shape = call.node().attr<PartialShape>("element_shape");
  if (parts.empty()) {
    if (!element_shape.is_full())
      raise(Code::kUnimplemented, "TensorArray has size zero, but element shape ", element_shape,
            " is not fully defined. Currently only static shapes are supported when packing "
            "zero-size TensorArrays.");
    Shape empty{0};
    for (const std::int64_t dim : element_shape.dims()) empty.add_dim(dim);
    call.allocate_output(0, empty);
    return;
  }
  const Shape& first = parts[0].shape();
  require(element_shape.accepts(first), "TensorArray was passed element_shape ", element_shape,
          " which does not match the Tensor at index 0: ", first);
  for (std::size_t i = 1; i < parts.size(); ++i)
    require(parts[i].shape() == first,
            "TensorArray has inconsistent shapes.  Index 0 has shape: ", first, " but index ", i,
            " has shape: ", parts[i].shape());
  Shape shape{static_cast<std::int64_t>(parts.size())};
  for (const std::int64_t dim : first.dims()) shape.add_dim(dim);
  fill(call.allocate_output(0, shape), parts);
}

void gather(KernelCall& call) {
  const auto array = tensor_array_input(call);
  check_read_type(*array, call);
  stack(call, array->read(indices_input(call)));
}

void pack(KernelCall& call) {
  const auto array = tensor_array_input(call);
  check_read_type(*array, call);
  stack(call, array->read_all());
}

std::vector<Tensor> rows_of(const Tensor& value) {
  const Shape row = value.shape().without_dim(0);
  std::vector<Tensor> rows;
  for (std::int64_t i = 0; i < value.dim(0); ++i)
    rows.push_back(value.slice(i, i + 1).reshaped(row));
  return rows;
}

std::vector<std::int32_t> first_indices(std::size_t count) {
  std::vector<std::int32_t> indices(count);
  std::iota(indices.begin(), indices.end(), 0);
  return indices;
}

void scatter(KernelCall& call) {
  const auto array = tensor_array_input(call);
  const Tensor& value = call.input_tensor(2);
  check_written_type(*array, value);
  require(value.rank() >= 1,
          "Input value for unpack must be at least a vector but received shape: ", value.shape());
  const auto indices = indices_input(call);
  require(static_cast<std::int64_t>(indices.size()) == value.dim(0),
          "Expected len(indices) == values.shape[0], but saw: ", indices.size(), " vs. ",
          value.dim(0));
  const std::int64_t highest = indices.empty() ? -1 : *std::ranges::max_element(indices);
  require(array->dynamic_size() || highest < array->size(),
          "Max scatter index must be < array size (", highest, " vs. ", array->size(), ")");
  array->write(indices, rows_of(value));
  call.set_output(0, call.input_tensor(3));
}

void unpack(KernelCall& call) {
  const auto array = tensor_array_input(call);
  const Tensor& value = call.input_tensor(1);
  check_written_type(*array, value);
  require(value.rank() >= 1,
          "Input value for unpack must be at least a vector but received shape: ", value.shape());
  const std::int64_t size = array->size();
  require(value.dim(0) == size || (array->dynamic_size() && size < value.dim(0)),
          "Input value must have first dimension equal to the array size (", value.dim(0), " vs. ",
          size, ")");
  const std::vector<Tensor> rows = rows_of(value);
  array->write(first_indices(rows.size()), rows);
  call.set_output(0, call.input_tensor(2));
}

void check_part(const Shape& shape, std::size_t i, const PartialShape& wanted, const Shape& first) {
  require(shape.rank() >= 1, "Concat saw a scalar shape at index ", i,
          " but requires at least vectors.  Did you mean to call pack?");
  const Shape rest = shape.without_dim(0);
  require(wanted.accepts(rest), "TensorArray was passed element_shape_except0 ", wanted,
          " but index ", i, " has (excepting dimension 0) shape: ", rest, " which does not match.");
  require(rest == first,
          "TensorArray has inconsistent shapes.  Index 0 has (excepting dimension 0)"
          " shape: ",
          first, " but index ", i, " has (excepting dimension 0) shape: ", rest);
}

void concat(KernelCall& call) {
  const auto array = tensor_array_input(call);
  check_read_type(*array, call);
  const auto& rest = call.node().attr<PartialShape>("element_shape_except0");
  const std::vector<Tensor> parts = array->read_all();
  if (parts.empty() && !rest.is_full())
    raise(Code::kUnimplemented, "TensorArray has size zero, but element_shape_except0 ", rest,
          " is not fully defined. Currently only static shapes are supported when concatenating "
          "zero-size TensorArrays.");
  Shape first = parts.empty() ? rest.full() : parts[0].shape();
  if (!parts.empty() && first.rank() >= 1) first = first.without_dim(0);
  auto lengths =
      call.allocate_output(1, {static_cast<std::int64_t>(parts.size())}).flat<std::int64_t>();
  std::int64_t total = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    check_part(parts[i].shape(), i, rest, first);
    lengths[i] = parts[i].dim(0);
    total += lengths[i];
  }
  Shape shape{total};
  for (const std::int64_t dim : first.dims()) shape.add_dim(dim);
  fill(call.allocate_output(0, shape), parts);
}

std::vector<Tensor> cut(const Tensor& value, std::span<const std::int64_t> lengths) {
  std::vector<Tensor> pieces;
  std::int64_t begin = 0;
  for (const std::int64_t length : lengths) {
    pieces.push_back(value.slice(begin, begin + length));
    begin += length;
  }
  return pieces;
}

void split(KernelCall& call) {
  const auto array = tensor_array_input(call);
  const Tensor& value = call.input_tensor(1);
  check_written_type(*array, value);
  require(value.rank() >= 1,
          "Expected value to be at least a vector, but received shape: ", value.shape());
  require(call.input_tensor(2).rank() == 1,
          "Expected lengths to be a vector, received shape: ", call.input_tensor(2).shape());
  const auto lengths = call.input<std::int64_t>(2);
  std::int64_t total = 0;
  for (const std::int64_t length : lengths) {
    require(length >= 0, "Expected lengths to be at least 0, but saw: ", length);
    require(!__builtin_add_overflow(total, length, &total), "the sum of lengths overflows");
  }
  require(total == value.dim(0), "Expected sum of lengths to be equal to values.shape[0], but sum ",
          "of lengths is ", total, " and value's shape is: ", value.shape());
  const auto count = static_cast<std::int64_t>(lengths.size());
  const std::int64_t size = array->size();
  require(size == count || (array->dynamic_size() && size < count),
          "TensorArray's size is not equal to the size of lengths (", size, " vs. ", count,
          "), and the TensorArray is not marked as dynamically resizeable");
  array->write(first_indices(lengths.size()), cut(value, lengths));
  call.set_output(0, call.input_tensor(3));
}

constexpr KernelEntry kEntries[] = {
    allocating_kernel(kTensorArrayGatherV3, gather), quick_kernel(kTensorArrayScatterV3, scatter),
    allocating_kernel(kTensorArrayConcatV3, concat), quick_kernel(kTensorArraySplitV3, split),
    allocating_kernel(kTensorArrayGatherV2, gather), quick_kernel(kTensorArrayScatterV2, scatter),
    allocating_kernel(kTensorArrayConcatV2, concat), quick_kernel(kTensorArraySplitV2, split),
    allocating_kernel(kTensorArrayGather, gather),   quick_kernel(kTensorArrayScatter, scatter),
    allocating_kernel(kTensorArrayConcat, concat),   quick_kernel(kTensorArraySplit, split),
    allocating_kernel(kTensorArrayPack, pack),       quick_kernel(kTensorArrayUnpack, unpack),
};

}  // namespace

extern const KernelTable kTensorArrayJoinCpu{kEntries};

}  // namespace rill
