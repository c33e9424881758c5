#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "rill/tensor/dtype_visit.h"
#include "rill/tensor/tensor.h"

namespace rill {
namespace {

// TensorFlow's number text: few digits if they read back as the same number, else all it takes.
std::string number_text(double value, int few, int all, bool single) {
  if (std::isnan(value)) return "nan";
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", few, value);
  const bool exact = single ? std::strtof(text, nullptr) == static_cast<float>(value)
                            : std::strtod(text, nullptr) == value;
  if (!exact) std::snprintf(text, sizeof text, "%.*g", all, value);
  return text;
}

std::string escaped(std::string_view bytes) {  // UTF-8 stays readable
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    const std::size_t named = std::string_view("\n\r\t\"'\\").find(c);
    if (named != std::string_view::npos) {
      text += {'\\', "nrt\"'\\"[named]};
    } else if (byte < 0x20 || byte == 0x7f) {
      text += {'\\', static_cast<char>('0' + (byte >> 6)),
               static_cast<char>('0' + ((byte >> 3) & 7)), static_cast<char>('0' + (byte & 7))};
    } else {
      text += c;
    }
  }
  return text;
}

template <class T>
std::string element_text(const T& value) {
  if constexpr (std::is_same_v<T, std::string>) {
    return escaped(value);
  } else if constexpr (std::is_same_v<T, double>) {
    return number_text(value, 15, 17, false);
  } else if constexpr (kFloatTypes.contains(dtype_of<T>)) {
    return number_text(static_cast<float>(value), 6, 9, true);
  } else if constexpr (std::is_same_v<T, bool>) {
    return value ? "1" : "0";
  } else if constexpr (std::is_integral_v<T>) {
    return str_cat(value);
  } else if constexpr (kQuantizedTypes.contains(dtype_of<T>)) {
    return str_cat(value.value);
  } else if constexpr (std::is_same_v<T, ResourceHandle>) {
    return str_cat("<resource ", value.name, ">");
  } else if constexpr (std::is_same_v<T, Variant>) {
    return str_cat("<variant ", value.type_name(), ">");
  } else {
    return "?";  // what TensorFlow shows of complex numbers
  }
}

std::string element_text(const Tensor& tensor, std::int64_t i) {
  return visit_dtype(tensor.dtype(), [&]<class T>() { return element_text(tensor.data<T>()[i]); });
}

// Elements in order until `limit` of them are shown. Brackets opened are closed; only the row that
// was cut says so, and the whole.
void append_until(const Tensor& tensor, int axis, std::int64_t limit, std::int64_t* next,
                  std::string* text) {
  const bool last = axis == tensor.rank() - 1;
  for (std::int64_t i = 0; i < tensor.dim(axis); ++i) {
    if (*next >= limit) {
      if (last) *text += "...";
      return;
    }
    if (last) {
      if (i > 0) *text += ' ';
      *text += element_text(tensor, (*next)++);
    } else {
      *text += '[';
      append_until(tensor, axis + 1, limit, next, text);
      *text += ']';
    }
  }
}

// The first and last few of every dimension, one row per line.
class EdgeSummary {
 public:
  EdgeSummary(const Tensor& tensor, std::int64_t edge)
      : tensor_(tensor), edge_(edge), quoted_(tensor.dtype() == DType::string) {}

  std::string text() const {
    if (tensor_.rank() == 0) return element(0);
    return nested(0, 0, tensor_.element_count());
  }

 private:
  std::string element(std::int64_t i) const {
    return quoted_ ? '"' + element_text(tensor_, i) + '"' : element_text(tensor_, i);
  }

  std::string nested(int axis, std::int64_t begin, std::int64_t count) const {
    if (axis == tensor_.rank()) return element(begin);
    const std::int64_t size = tensor_.dim(axis);
    if (size == 0) return "[]";
    // TensorFlow shows an array without elements as one that is cut everywhere.
    const std::int64_t edge = count == 0 ? 0 : edge_ < 0 ? size : std::min(edge_, size);
    const std::int64_t gap_end = std::max(size - edge, edge);
    std::string text;
    for (std::int64_t i = 0; i < size; ++i) {
      if (i == edge && gap_end > edge) {
        text += separator(axis) + "...";
        i = gap_end;
        if (i == size) break;
      }
      if (!text.empty()) text += separator(axis);
      text += nested(axis + 1, begin + i * (count / size), count / size);
    }
    return '[' + text + ']';
  }

  std::string separator(int axis) const {
    const int below = tensor_.rank() - 1 - axis;
    if (below == 0) return " ";
    return std::string(static_cast<std::size_t>(below), '\n') +
           std::string(static_cast<std::size_t>(axis) + 1, ' ');
  }

  const Tensor& tensor_;
  const std::int64_t edge_;
  const bool quoted_;
};

}  // namespace

std::string summary(const Tensor& tensor, std::int64_t max_elements) {
  if (!tensor.has_value()) return "[]";
  const std::int64_t count = tensor.element_count();
  const std::int64_t limit = max_elements < 0 ? count : std::min(max_elements, count);
  if (count > 0 && limit == 0) return "[...]";
  if (tensor.rank() == 0) return '[' + element_text(tensor, 0) + ']';
  std::string text;
  std::int64_t next = 0;
  if (count > 0) append_until(tensor, 0, limit, &next, &text);
  if (limit < count && tensor.rank() > 1) text += "...";
  return '[' + text + ']';
}

std::string edge_summary(const Tensor& tensor, std::int64_t edge_elements) {
  if (!tensor.has_value()) return "";
  return EdgeSummary(tensor, edge_elements).text();
}

}  // namespace rill
