#include "rill/ops/data/core/stacked_rows.h"

#include "rill/base/thread_pool.h"

namespace rill {
namespace {

constexpr std::size_t kBytesPerTask = std::size_t{1} << 18;  // fewer are not worth a thread

void check_alike(std::span<Element> rows, std::size_t component) {
  const Tensor& first = rows[0][component];
  for (std::size_t i = 1; i < rows.size(); ++i) {
    require(rows[i].size() == rows[0].size(), "Cannot batch elements of ", rows[0].size(), " and ",
            rows[i].size(), " components");
    const Tensor& row = rows[i][component];
    require(row.dtype() == first.dtype(), "Cannot batch tensors of types ", first.dtype(), " and ",
            row.dtype(), " in component ", component);
    require(row.shape() == first.shape(),
            "Cannot batch tensors with different shapes in component ", component,
            ". First element had shape ", first.shape(), " and element ", i, " had shape ",
            row.shape(), ".");
  }
}

Shape stacked_shape(std::size_t count, const Shape& row) {
  Dims dims;
  dims.push_back(static_cast<std::int64_t>(count));
  for (const std::int64_t dim : row.dims()) dims.push_back(dim);
  return Shape(dims.span());
}

bool stand_in_line(std::span<const Element> rows, std::size_t component) {
  const Tensor& first = rows[0][component];
  const std::size_t bytes = first.byte_size();
  for (std::size_t i = 1; i < rows.size(); ++i)
    if (!rows[i][component].shares_storage(first) ||
        rows[i][component].raw_data() != static_cast<char*>(first.raw_data()) + i * bytes)
      return false;
  return rows.size() > 1;
}

void copy_rows(std::span<Element> rows, std::size_t component, const Tensor& to) {
  const std::size_t bytes = rows[0][component].byte_size();
  const auto copy = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      take_elements(rows[i][component], static_cast<char*>(to.raw_data()) + i * bytes);
  };
  if (bytes * rows.size() < 2 * kBytesPerTask) return copy(0, rows.size());
  shared_pool().parallel_for(rows.size(), std::max<std::size_t>(1, kBytesPerTask / bytes), copy);
}

Tensor stacked_component(std::span<Element> rows, std::size_t component) {
  check_alike(rows, component);
  const Tensor& first = rows[0][component];
  Shape shape = stacked_shape(rows.size(), first.shape());
  if (stand_in_line(rows, component))
    return Tensor(first.dtype(), std::move(shape), first.buffer(), first.raw_data());
  Tensor all(first.dtype(), std::move(shape));
  copy_rows(rows, component, all);
  return all;
}

}  // namespace

void give_row(const Element& components, std::int64_t row, Element& element) {
  element.clear();
  for (const Tensor& rows : components) {
    const Shape shape(rows.shape().dims().subspan(1));
    const std::size_t offset =
        static_cast<std::size_t>(row) * shape.byte_size(element_size(rows.dtype()));
    element.emplace_back(rows.dtype(), shape, rows.buffer(),
                         static_cast<char*>(rows.raw_data()) + offset);
  }
}

void take_elements(Tensor& src, void* dst) {
  const auto count = static_cast<std::size_t>(src.element_count());
  if (src.dtype() == DType::string && src.is_exclusive()) {
    std::ranges::move(src.flat<std::string>(), static_cast<std::string*>(dst));
  } else {
    copy_elements(src.dtype(), dst, src.raw_data(), count);
  }
}

void stack_rows(std::span<Element> rows, Element& stacked) {
  stacked.clear();
  for (std::size_t c = 0; c < rows[0].size(); ++c) stacked.push_back(stacked_component(rows, c));
}

}  // namespace rill
