#include "rill/inspect/debugger/array_text.h"

#include <algorithm>

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/base/subscript.h"
#include "rill/tensor/element_format.h"

namespace rill::debugger {
namespace {

constexpr std::size_t kLineWidth = 75;
constexpr std::int64_t kCorner = 3;  // rows shown at each end

// NumPy's layout: elements padded to one width, lines wrapped and indented below the bracket.
class Repr {
 public:
  Repr(const Tensor& tensor, bool is_cut, std::size_t suffix)
      : shape_(tensor.shape()), is_cut_(is_cut), width_(kLineWidth - suffix) {
    strides_.assign(at(shape_.rank()), 1);
    for (int axis = shape_.rank() - 2; axis >= 0; --axis)
      strides_[at(axis)] = strides_[at(axis + 1)] * shape_[axis + 1];
    std::vector<std::size_t> shown;
    collect(0, 0, &shown);
    if (tensor.dtype() == DType::string)
      format_ = [&tensor](std::size_t i) { return bytes_literal(tensor.flat<std::string>()[i]); };
    else
      format_ = array_format(tensor, shown);
    text_.lines.push_back("array(");
    if (shape_.rank() == 0)
      put(0);
    else
      write(0, 0, std::string(7, ' '), width_);
  }
  ArrayText take() { return std::move(text_); }

 private:
  // The indices shown of an axis; -1 where some are left out.
  std::vector<std::int64_t> shown(int axis) const {
    std::vector<std::int64_t> all;
    const std::int64_t size = shape_[axis];
    const bool cut = is_cut_ && size > 2 * kCorner;
    for (std::int64_t i = 0; i < size; ++i) {
      if (cut && i == kCorner) {
        all.push_back(-1);
        i = size - kCorner;
      }
      all.push_back(i);
    }
    return all;
  }

  void collect(int axis, std::int64_t offset, std::vector<std::size_t>* found) const {
    if (axis == shape_.rank()) return found->push_back(static_cast<std::size_t>(offset));
    for (const std::int64_t i : shown(axis))
      if (i >= 0) collect(axis + 1, offset + i * strides_[at(axis)], found);
  }

  std::string& line() { return text_.lines.back(); }
  void put(std::size_t element) {
    const std::string word = format_(element);
    const std::size_t begin = line().size();
    line() += word;
    text_.places.push_back({text_.lines.size() - 1, begin, line().size(), element});
  }
  void break_line(const std::string& indent) {
    line().resize(line().find_last_not_of(' ') + 1);
    text_.lines.push_back(indent);
  }

  // The part below `axis`, whose lines begin with `indent` and may be `width` long.
  void write(int axis, std::int64_t offset, const std::string& indent, std::size_t width) {
    line() += '[';
    const std::vector<std::int64_t> indices = shown(axis);
    const bool is_row = axis == shape_.rank() - 1;
    for (std::size_t k = 0; k < indices.size(); ++k) {
      if (is_row)
        write_element(offset, indices[k], indent, width, k);
      else
        write_below(axis, offset, indices[k], indent, width, k);
    }
    line() += ']';
  }

  void write_element(std::int64_t offset, std::int64_t i, const std::string& indent,
                     std::size_t width, std::size_t k) {
    if (k > 0) line() += ", ";
    const auto element = static_cast<std::size_t>(offset + i);
    const std::size_t size = i < 0 ? 3 : format_(element).size();
    if (k > 0 && line().size() + size > width - 1) break_line(indent);
    if (i < 0)
      line() += "...";
    else
      put(element);
  }

  void write_below(int axis, std::int64_t offset, std::int64_t i, const std::string& indent,
                   std::size_t width, std::size_t k) {
    if (k > 0) {
      line() += ',';
      for (int blank = axis + 2; blank < shape_.rank(); ++blank) text_.lines.push_back("");
      text_.lines.push_back(indent);
    }
    if (i < 0)
      line() += "...";
    else
      write(axis + 1, offset + i * strides_[at(axis)], indent + ' ', width - 1);
  }

  const Shape shape_;
  const bool is_cut_;
  const std::size_t width_;
  std::vector<std::int64_t> strides_;
  ElementFormat format_;
  ArrayText text_;
};

// Types that the elements show by themselves.
bool is_implied(DType dtype) {
  return dtype == DType::boolean || dtype == DType::i64 || dtype == DType::f64 ||
         dtype == DType::c128;
}

std::string npy_type(DType dtype) {
  switch (dtype) {
    case DType::boolean:
      return "|b1";
    case DType::i8:
      return "|i1";
    case DType::u8:
      return "|u1";
    case DType::i16:
      return "<i2";
    case DType::u16:
      return "<u2";
    case DType::i32:
      return "<i4";
    case DType::u32:
      return "<u4";
    case DType::i64:
      return "<i8";
    case DType::u64:
      return "<u8";
    case DType::f16:
      return "<f2";
    case DType::f32:
      return "<f4";
    case DType::f64:
      return "<f8";
    case DType::c64:
      return "<c8";
    case DType::c128:
      return "<c16";
    default:
      raise(Code::kUnimplemented, "a .npy file of type ", dtype);
  }
}

}  // namespace

std::string numpy_type(DType dtype) {
  switch (base_type(dtype)) {
    case DType::string:
      return "object";
    case DType::f16:
      return "float16";
    case DType::f32:
      return "float32";
    case DType::f64:
      return "float64";
    default:
      return to_text(base_type(dtype));
  }
}

std::string shape_text(const Shape& shape) {
  std::vector<std::string> dims;
  for (const std::int64_t dim : shape.dims()) dims.push_back(str_cat(dim));
  return str_cat("(", join(dims, ", "), dims.size() == 1 ? ",)" : ")");
}

ArrayText array_repr(const Tensor& tensor, std::int64_t threshold) {
  const bool is_empty = tensor.element_count() == 0;
  ArrayText text;
  const bool names_type = !is_implied(tensor.dtype()) || is_empty;
  if (is_empty) {
    text.lines = {tensor.rank() == 1 ? std::string("array([]")
                                     : "array([], shape=" + shape_text(tensor.shape())};
  } else {
    text = Repr(tensor, tensor.element_count() > threshold, 1).take();
  }
  if (!names_type) {
    text.lines.back() += ')';
    return text;
  }
  const std::string type = str_cat("dtype=", numpy_type(tensor.dtype()), ")");
  text.lines.back() += ',';
  if (text.lines.back().size() + type.size() + 1 > kLineWidth)
    text.lines.push_back(std::string(6, ' ') + type);
  else
    text.lines.back() += ' ' + type;
  return text;
}

std::int64_t save_npy(const Tensor& tensor, const std::string& path) {
  std::string header =
      str_cat("{'descr': '", npy_type(tensor.dtype()),
              "', 'fortran_order': False, 'shape': ", shape_text(tensor.shape()), ", }");
  constexpr std::size_t kHead = 10, kBlock = 64;
  header.append(kBlock - (kHead + header.size() + 1) % kBlock, ' ');
  if (header.size() + kHead + 1 < 2 * kBlock) header.append(kBlock, ' ');
  header += '\n';
  std::string bytes = std::string("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8);
  bytes += header;
  bytes.append(static_cast<const char*>(tensor.raw_data()), tensor.byte_size());
  write_file(path, bytes);
  return static_cast<std::int64_t>(bytes.size());
}

}  // namespace rill::debugger
