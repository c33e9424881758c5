#include "rill/graph/eager_array.h"

#include "rill/base/error.h"
#include "rill/graph/builders.h"

namespace rill {

std::vector<std::int64_t> eager_integers(Scope& scope, const Input& input) {
  const Output wide = cast(scope, input.as_output(scope, "indices", DType::invalid), DType::i64);
  const auto values = wide.value().flat<std::int64_t>();
  return {values.begin(), values.end()};
}

EagerArray::EagerArray(DType dtype, std::int64_t size, bool dynamic, bool clear_after_read,
                       PartialShape element_shape)
    : dtype_(dtype),
      dynamic_(dynamic),
      clear_after_read_(clear_after_read),
      element_shape_(std::move(element_shape)) {
  require(size >= 0, "Size should be >= 0, got: ", size);
  items_.resize(static_cast<std::size_t>(size));
  was_read_.resize(items_.size());
}

Output& EagerArray::at(std::int64_t index, bool for_writing) {
  if (index < 0)
    raise(Code::kOutOfRange, for_writing ? "Writing to" : "Reading from",
          " negative indices (index ", index, ") is not allowed.");
  if (index >= size()) {
    if (!for_writing)
      raise(Code::kOutOfRange, "Tried to read from index ", index, " but array size is: ", size());
    if (!dynamic_)
      raise(Code::kOutOfRange, "Tried to write to index ", index,
            " but array is not resizeable and size is: ", size());
    items_.resize(static_cast<std::size_t>(index) + 1);
    was_read_.resize(items_.size());
  }
  return items_[static_cast<std::size_t>(index)];
}

// What was never written counts as zeros where its shape is known; so does what was read, for who
// asks for all elements.
Output EagerArray::element(Scope& scope, std::int64_t index, bool clears) {
  Output& item = at(index, false);
  char& was_read = was_read_[static_cast<std::size_t>(index)];
  if (!item.node) {
    require(was_read == 0 || !clears, "Could not read index ", index,
            " twice because it was cleared after ",
            "a previous read (perhaps try setting clear_after_read = false?)");
    require(element_shape_.is_full(), "Could not read from TensorArray index ", index,
            ". Furthermore, the element shape is not fully defined: ", element_shape_,
            ". It is possible you are working with a resizeable TensorArray and stop_gradients is ",
            "not allowing the gradients to be written.");
    return scope.constant(Tensor::zeros(dtype_, element_shape_.full()));
  }
  const Output value = item;
  if (clears && clear_after_read_) {
    item = {};
    was_read = 1;
  }
  return value;
}

Output EagerArray::read(Scope& scope, std::int64_t index) { return element(scope, index, true); }

Output EagerArray::gather(Scope& scope, const std::vector<std::int64_t>& indices) {
  std::vector<Input> all;
  for (const std::int64_t index : indices) all.emplace_back(element(scope, index, true));
  return packed(scope, std::move(all));
}

Output EagerArray::packed(Scope& scope, std::vector<Input> all) const {
  if (!all.empty()) return scope.add("Pack", {std::move(all)}).output();
  Dims dims;
  dims.push_back(0);
  if (element_shape_.is_full())
    for (const std::int64_t dim : element_shape_.dims()) dims.push_back(dim);
  return scope.constant(Tensor(dtype_, Shape(dims.span())));
}

Output EagerArray::stack(Scope& scope) {
  std::vector<Input> all;  // which may be read again, as in TensorFlow
  for (std::int64_t i = 0; i < size(); ++i) all.emplace_back(element(scope, i, false));
  return packed(scope, std::move(all));
}

Output EagerArray::concat(Scope& scope) {
  std::vector<Input> all;
  for (std::int64_t i = 0; i < size(); ++i) all.emplace_back(element(scope, i, false));
  if (all.size() == 1) return all[0].output();
  require(!all.empty(), "nothing was written to the TensorArray that shall be joined");
  return scope.add("ConcatV2", {std::move(all), 0}).output();
}

void EagerArray::write(std::int64_t index, Output value) {
  element_shape_ = element_shape_.has_rank() ? element_shape_ : value.shape();
  at(index, true) = std::move(value);
}

void EagerArray::scatter(Scope& scope, const std::vector<std::int64_t>& indices,
                         const Output& rows) {
  require(rows.shape().rank() >= 1, "TensorArray elements come from a tensor of rank 1 at least");
  require(rows.shape()[0] == static_cast<std::int64_t>(indices.size()), "there are ",
          indices.size(), " indices for ", rows.shape()[0], " rows");
  if (indices.empty()) return;
  Node& each = scope.add("Unpack", {rows}, {{"num", static_cast<std::int64_t>(indices.size())}});
  for (std::size_t i = 0; i < indices.size(); ++i)
    write(indices[i], each.output(static_cast<int>(i)));
}

void EagerArray::split(Scope& scope, const Output& rows, const Output& lengths) {
  const std::int64_t count = lengths.value().element_count();
  if (count == 0) return;
  Node& parts = scope.add("SplitV", {rows, lengths, 0}, {{"num_split", count}});
  element_shape_ = PartialShape();  // parts differ
  for (std::int64_t i = 0; i < count; ++i) at(i, true) = parts.output(static_cast<int>(i));
}

}  // namespace rill
