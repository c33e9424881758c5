#include "rill/ops/data_flow/tensor_array.h"

#include <numeric>

#include "rill/base/memory.h"
#include "rill/ops/data_flow/add_to.h"

namespace rill {
namespace {

// Positions come from data: what they ask for must not exceed what the machine has.
void check_room(std::int64_t count, std::size_t bytes_each) {
  constexpr std::size_t kShare = 4;
  if (static_cast<std::size_t>(count) > memory_capacity() / kShare / bytes_each)
    raise(Code::kResourceExhausted, "a TensorArray of ", count, " elements does not fit in memory");
}

Shape joined(const Shape& front, const Shape& back) {
  Shape shape = front;
  for (const std::int64_t dim : back.dims()) shape.add_dim(dim);
  return shape;
}

PartialShape joined(const Shape& front, const PartialShape& back) {
  if (!back.has_rank()) return back;
  PartialShape shape = front;
  for (const std::int64_t dim : back.dims()) shape.add_dim(dim);
  return shape;
}

}  // namespace

std::int64_t TensorArrayResource::size() const {
  const std::lock_guard lock(mutex_);
  check_open();
  return size_;
}

bool TensorArrayResource::dynamic_size() const {
  const std::lock_guard lock(mutex_);
  return options_.dynamic_size;
}

void TensorArrayResource::check_open() const {
  require(!closed_, "TensorArray ", options_.name, " has already been closed.");
}

TensorArrayResource::Element& TensorArrayResource::element(std::int64_t index) {
  const auto position = static_cast<std::size_t>(index);
  if (position >= elements_.size()) {
    check_room(index + 1, sizeof(Element));
    elements_.resize(position + 1);
  }
  return elements_[position];
}

void TensorArrayResource::write(std::span<const std::int32_t> indices,
                                std::span<const Tensor> values) {
  const std::lock_guard lock(mutex_);
  check_open();
  for (std::size_t i = 0; i < indices.size(); ++i) write_one(indices[i], values[i]);
}

void TensorArrayResource::write_one(std::int64_t index, const Tensor& value) {
  require(index >= 0 && (index < size_ || options_.dynamic_size), "TensorArray ", options_.name,
          ": Tried to write to index ", index, " but array is not resizeable and size is: ", size_);
  Element& target = element(index);
  size_ = std::max(size_, index + 1);
  check_writable(index, target, value);
  if (target.value.has_value()) {
    add_to(target.value, value);
  } else {
    target.value = value;
  }
  target.shape = value.shape();
  target.written = true;
  if (options_.identical_element_shapes) options_.element_shape = value.shape();
}

void TensorArrayResource::check_writable(std::int64_t index, const Element& element,
                                         const Tensor& value) {
  const auto refuse = [&](const auto&... why) {
    raise(Code::kInvalidArgument, "TensorArray ", options_.name, ": ", why...);
  };
  if (!options_.element_shape.accepts(value.shape()))
    refuse("Could not write to TensorArray index ", index, " because the value shape is ",
           value.shape(), " which is incompatible with the TensorArray's inferred element shape: ",
           options_.element_shape, " (consider setting infer_shape=False).");
  if (element.read)
    refuse("Could not write to TensorArray index ", index, " because it has already been read.");
  if (!element.written) return;
  if (!options_.sums_writes)
    refuse("Could not write to TensorArray index ", index,
           " because it has already been written to.");
  if (!(element.shape == value.shape()))
    refuse("Could not aggregate to TensorArray index ", index, " because the existing shape is ",
           element.shape, " but the new input shape is ", value.shape(), ".");
}

Tensor TensorArrayResource::read(std::int64_t index) {
  const std::lock_guard lock(mutex_);
  check_open();
  return read_one(index);
}

std::vector<Tensor> TensorArrayResource::read(std::span<const std::int32_t> indices) {
  const std::lock_guard lock(mutex_);
  check_open();
  std::vector<Tensor> values;
  values.reserve(indices.size());
  for (const std::int32_t index : indices) values.push_back(read_one(index));
  return values;
}

std::vector<Tensor> TensorArrayResource::read_all() {
  const std::lock_guard lock(mutex_);
  check_open();
  check_room(size_, sizeof(Tensor));
  std::vector<Tensor> values;
  for (std::int64_t i = 0; i < size_; ++i) values.push_back(read_one(i));
  return values;
}

Tensor TensorArrayResource::read_one(std::int64_t index) {
  require(index >= 0 && index < size_, "Tried to read from index ", index,
          " but array size is: ", size_);
  Element& source = element(index);
  check_readable(index, source);
  if (!source.value.has_value()) {
    if (!source.written) source.shape = options_.element_shape.full();
    check_addable(options_.dtype, "TensorSetZero");
    source.value = Tensor::zeros(options_.dtype, source.shape);
    source.written = true;
  }
  source.read = true;
  if (!options_.clear_after_read) return source.value;
  source.cleared = true;
  return std::exchange(source.value, Tensor());
}

void TensorArrayResource::check_readable(std::int64_t index, const Element& element) const {
  require(!element.cleared, "TensorArray ", options_.name, ": Could not read index ", index,
          " twice because it was cleared after a previous read (perhaps try setting "
          "clear_after_read = false?).");
  require(element.written || options_.element_shape.is_full(), "TensorArray ", options_.name,
          ": Could not read from TensorArray index ", index,
          ".  Furthermore, the element shape is not fully defined: ", options_.element_shape,
          ".  It is possible you are working with a resizeable TensorArray and stop_gradients is "
          "not allowing the gradients to be written.  If you set the full element_shape property "
          "on the forward TensorArray, the proper all-zeros tensor will be returned instead of "
          "incurring this error.");
}

void TensorArrayResource::close() {
  const std::lock_guard lock(mutex_);
  elements_.clear();
  closed_ = true;
}

std::shared_ptr<TensorArrayResource> TensorArrayResource::gradient(const std::string& source,
                                                                   const Shape& prefix) {
  const std::lock_guard lock(mutex_);
  check_open();
  auto& gradient = gradients_[source];
  if (gradient != nullptr) return gradient;
  options_.dynamic_size = false;
  gradient = std::make_shared<TensorArrayResource>(
      Options{.name = str_cat(options_.name, "@", source),
              .dtype = options_.dtype,
              .element_shape = joined(prefix, options_.element_shape),
              .identical_element_shapes = options_.identical_element_shapes,
              .sums_writes = true},
      size_);
  gradient->elements_.resize(elements_.size());
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    if (!elements_[i].written) continue;
    gradient->elements_[i].shape = joined(prefix, elements_[i].shape);
    gradient->elements_[i].written = true;
  }
  return gradient;
}

std::string TensorArrayResource::describe() const {
  return str_cat("TensorArray ", options_.name, " of ", options_.dtype);
}

std::int64_t TensorArrayResource::memory_bytes() const {
  const std::lock_guard lock(mutex_);
  return std::accumulate(elements_.begin(), elements_.end(), std::int64_t{0},
                         [](std::int64_t sum, const Element& element) {
                           return sum + (element.value.has_value()
                                             ? static_cast<std::int64_t>(element.value.byte_size())
                                             : 0);
                         });
}

}  // namespace rill
