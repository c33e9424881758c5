#include <vector>

#include "rill/base/function_ref.h"
#include "rill/tensor/element_format.h"
#include "rill/tensor/tensor.h"

namespace rill {
namespace {

constexpr std::int64_t kEdge = 3;  // rows shown at each end when an array is summarised
constexpr int kLineWidth = 75;

// NumPy's layout of an array: brackets per dimension, rows wrapped and indented.
class ArrayPrinter {
 public:
  ArrayPrinter(const Tensor& tensor, bool summarise)
      : shape_(tensor.shape()), summarise_(summarise), strides_(shape_.dims()) {
    std::int64_t stride = 1;
    for (int axis = shape_.rank() - 1; axis >= 0; --axis) {
      strides_[axis] = stride;
      stride *= shape_[axis];
    }
    std::vector<std::size_t> shown;
    collect(0, 0, &shown);
    format_ = array_format(tensor, shown);
  }

  std::string print() const { return nested(0, 0, kLineWidth); }

 private:
  bool is_cut(int axis) const { return summarise_ && shape_[axis] > 2 * kEdge; }

  // Calls `f` with each index shown of an axis, and with -1 where some are left out.
  void for_each_shown(int axis, FunctionRef<void(std::int64_t)> f) const {
    const std::int64_t size = shape_[axis];
    for (std::int64_t i = 0; i < size; ++i) {
      f(i);
      if (!is_cut(axis) || i != kEdge - 1) continue;
      f(-1);
      i = size - kEdge - 1;
    }
  }

  void collect(int axis, std::int64_t offset, std::vector<std::size_t>* shown) const {
    if (axis == shape_.rank()) return shown->push_back(static_cast<std::size_t>(offset));
    for_each_shown(axis, [&](std::int64_t i) {
      if (i >= 0) collect(axis + 1, offset + i * strides_[axis], shown);
    });
  }

  // The part of the array below `axis`; its lines may be `width` long, less what must follow them.
  std::string nested(int axis, std::int64_t offset, int width) const {
    if (axis == shape_.rank() - 1) return row(offset, width);
    const std::string indent(static_cast<std::size_t>(axis) + 1, ' ');
    const std::string separator(static_cast<std::size_t>(shape_.rank() - 1 - axis), '\n');
    std::string text;
    for_each_shown(axis, [&](std::int64_t i) {
      if (!text.empty()) text += separator + indent;
      text += i < 0 ? "..." : nested(axis + 1, offset + i * strides_[axis], width - 1);
    });
    return '[' + text + ']';
  }

  std::string row(std::int64_t offset, int width) const {
    const std::string indent(static_cast<std::size_t>(shape_.rank()), ' ');
    std::string text, line = indent;
    for_each_shown(shape_.rank() - 1, [&](std::int64_t i) {
      const std::string word = i < 0 ? "..." : format_(static_cast<std::size_t>(offset + i));
      const bool first = line.size() == indent.size();
      if (!first && static_cast<int>(line.size() + word.size()) + 1 > width - 1) {
        text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
        line = indent + word;
      } else {
        line += first ? word : ' ' + word;
      }
    });
    text += line;
    return '[' + text.substr(indent.size()) + ']';
  }

  const Shape& shape_;
  const bool summarise_;
  Dims strides_;
  ElementFormat format_;
};

}  // namespace

std::string print(const Tensor& tensor, std::int64_t max_elements) {
  if (!tensor.has_value()) return "<no value>";
  if (tensor.element_count() == 0) return "[]";
  if (tensor.rank() == 0) return scalar_text(tensor);
  return ArrayPrinter(tensor, tensor.element_count() > max_elements).print();
}

}  // namespace rill
