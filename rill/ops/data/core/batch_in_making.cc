#include "rill/ops/data/core/batch_in_making.h"

namespace rill {

void BatchInMaking::begin(const Element& element) {
  const std::lock_guard lock(mutex_);
  if (began_.load(std::memory_order_relaxed)) return;
  Element batch;
  for (const Tensor& component : element) {
    std::vector<std::int64_t> dims{size_};
    dims.insert(dims.end(), component.shape().dims().begin(), component.shape().dims().end());
    batch.emplace_back(component.dtype(), Shape(dims));
    shapes_.push_back(component.shape());
  }
  batch_ = std::move(batch);
  began_.store(true, std::memory_order_release);
}

void BatchInMaking::set_row(std::int64_t row, const Element& element) {
  if (!began_.load(std::memory_order_acquire)) begin(element);
  require(element.size() == batch_.size(), "Cannot batch elements of ", batch_.size(), " and of ",
          element.size(), " components.");
  for (std::size_t i = 0; i < element.size(); ++i) {
    const Tensor& component = element[i];
    require(component.dtype() == batch_[i].dtype() && component.shape() == shapes_[i],
            "Cannot add tensor to the batch: number of elements does not match. Shapes are: "
            "[tensor]: ",
            component.shape(), ", [batch]: ", shapes_[i]);
    const auto count = static_cast<std::size_t>(component.element_count());
    char* const dst = static_cast<char*>(batch_[i].raw_data()) +
                      static_cast<std::size_t>(row) * component.byte_size();
    if (count > 0) copy_elements(component.dtype(), dst, component.raw_data(), count);
  }
}

Element BatchInMaking::rows(std::int64_t count) const {
  if (count == size_) return batch_;
  Element rows;
  for (const Tensor& component : batch_) rows.push_back(component.slice(0, count).clone());
  return rows;
}

}  // namespace rill
