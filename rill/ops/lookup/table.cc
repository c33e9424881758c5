#include "rill/ops/lookup/table.h"

namespace rill {
namespace {

Shape joined(const Shape& front, const Shape& back) {
  std::vector<std::int64_t> dims(front.dims().begin(), front.dims().end());
  dims.insert(dims.end(), back.dims().begin(), back.dims().end());
  return Shape(dims);
}

}  // namespace

std::string Table::describe() const {
  return str_cat("table ", name_, " from ", key_type_, " to ", value_type_);
}

Shape Table::batch_shape(const Tensor& keys) const {
  const int front = keys.rank() - key_shape_.rank();
  const auto dims = keys.shape().dims();
  bool ends_in_key = front >= 0;
  for (int i = 0; ends_in_key && i < key_shape_.rank(); ++i)
    ends_in_key = dims[static_cast<std::size_t>(front + i)] == key_shape_.dim(i);
  require(ends_in_key, "Input key shape ", keys.shape(), " must end with the table's key shape ",
          key_shape_);
  return Shape(std::vector<std::int64_t>(dims.begin(), dims.begin() + front));
}

void Table::check_values(const Tensor& keys, const Tensor& values) const {
  const Shape expected = joined(batch_shape(keys), value_shape_);
  require(values.shape() == expected, "Expected shape ", expected, " for value, got ",
          values.shape());
}

Tensor Table::find(const KernelCall& call, const Tensor& keys, const Tensor& default_value) const {
  const Shape shape = joined(batch_shape(keys), value_shape_);
  require(default_value.shape() == value_shape_ || default_value.shape() == shape,
          "Expected shape ", value_shape_, " or ", shape, " for default value, got ",
          default_value.shape());
  Tensor values(value_type_, shape, call.device().allocator(MemoryKind::host));
  const std::shared_lock lock(mutex_);
  do_find(call, keys, default_value, values);
  return values;
}

void Table::insert(const Tensor& keys, const Tensor& values) {
  check_values(keys, values);
  const std::unique_lock lock(mutex_);
  do_insert(keys, values);
}

void Table::remove(const Tensor& keys) {
  (void)batch_shape(keys);
  const std::unique_lock lock(mutex_);
  do_remove(keys);
}

void Table::import(const Tensor& keys, const Tensor& values) {
  const std::unique_lock lock(mutex_);
  do_import(keys, values);
}

void Table::initialize(const Tensor& keys, const Tensor& values) {
  require(keys.element_count() == values.element_count(),
          "Keys and values must have the same size ", keys.element_count(), " vs ",
          values.element_count());
  const std::unique_lock lock(mutex_);
  do_initialize(keys, values);
}

void Table::do_initialize(const Tensor&, const Tensor&) {
  require(false, "the table ", name_, " is not one that is initialized; insert into it");
}

std::pair<Tensor, Tensor> Table::export_all() const {
  const std::shared_lock lock(mutex_);
  return do_export();
}

std::int64_t Table::size() const {
  const std::shared_lock lock(mutex_);
  return do_size();
}

}  // namespace rill
