#include "rill/io/npy.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "rill/base/error.h"
#include "rill/base/utf8.h"
#include "rill/io/coding.h"
#include "rill/io/swap_bytes.h"

namespace rill {
namespace {

constexpr std::string_view kNpyMagic = "\x93NUMPY";
constexpr std::size_t kAlignment = 64;  // of what follows the header

struct TypeName {
  const char* name;  // without its byte order
  DType dtype;
};
constexpr TypeName kNpyTypes[] = {{"b1", DType::boolean}, {"i1", DType::i8},   {"i2", DType::i16},
                                  {"i4", DType::i32},     {"i8", DType::i64},  {"u1", DType::u8},
                                  {"u2", DType::u16},     {"u4", DType::u32},  {"u8", DType::u64},
                                  {"f2", DType::f16},     {"f4", DType::f32},  {"f8", DType::f64},
                                  {"c8", DType::c64},     {"c16", DType::c128}};

struct Header {
  std::string type;  // "<f4"
  bool is_fortran = false;
  std::vector<std::int64_t> dims;
};

// What stands behind a key of the header, which is a dictionary as Python writes it.
std::string_view value_of(std::string_view header, std::string_view key) {
  const std::size_t at = header.find(str_cat("'", key, "':"));
  require(at != std::string_view::npos, "The header of the array has no ", key);
  return strip(header.substr(at + key.size() + 3));
}

std::string_view between(std::string_view text, char open, char close) {
  const std::size_t end = text.find(close, 1);
  require(text.starts_with(open) && end != std::string_view::npos,
          "The header of the array goes wrong at ", quoted(text.substr(0, 40)));
  return text.substr(1, end - 1);
}

Header parse_header(std::string_view text) {
  Header header;
  header.type = between(value_of(text, "descr"), '\'', '\'');
  const std::string_view order = value_of(text, "fortran_order");
  header.is_fortran = order.starts_with("True");
  require(header.is_fortran || order.starts_with("False"),
          "fortran_order is neither True nor False");
  for (std::string_view item : split(between(value_of(text, "shape"), '(', ')'), ',')) {
    long long dim = 0;
    item = strip(item);
    if (item.empty()) continue;  // behind the last comma
    require(parse_int(item, &dim) && dim >= 0, "The shape of the array has the dimension ",
            quoted(item));
    header.dims.push_back(dim);
  }
  return header;
}

// Takes the header off the front.
Header take_header(std::string_view* bytes) {
  require(bytes->starts_with(kNpyMagic) && bytes->size() >= 12, "These bytes are no .npy file");
  const int version = static_cast<unsigned char>((*bytes)[6]);
  require(version >= 1 && version <= 3, "A .npy file of version ", version, " is not known");
  const std::size_t length_size = version == 1 ? 2 : 4, begin = kNpyMagic.size() + 2 + length_size;
  const char* length_at = bytes->data() + begin - length_size;
  const std::size_t length =
      version == 1 ? load_fixed<std::uint16_t>(length_at) : load_fixed<std::uint32_t>(length_at);
  require(length <= bytes->size() - begin, "The .npy file ends within its header");
  const Header header = parse_header(bytes->substr(begin, length));
  bytes->remove_prefix(begin + length);
  return header;
}

// Elements whose first index varies fastest, as elements whose last one does.
std::string in_c_order(std::string_view from, std::size_t width,
                       const std::vector<std::int64_t>& dims) {
  std::string to(from.size(), '\0');
  std::vector<std::int64_t> index(dims.size());
  std::vector<std::size_t> strides(dims.size());
  std::size_t stride = width;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    strides[i] = stride;
    stride *= static_cast<std::size_t>(dims[i]);
  }
  std::size_t source = 0;
  for (std::size_t at = 0; at < to.size(); at += width) {
    std::memcpy(to.data() + at, from.data() + source, width);
    for (std::size_t i = dims.size(); i-- > 0;) {
      source += strides[i];
      if (++index[i] < dims[i]) break;
      source -= strides[i] * static_cast<std::size_t>(dims[i]);
      index[i] = 0;
    }
  }
  return to;
}

void append_character(std::uint32_t code, std::string* text) {
  require(code < 0x110000 && (code < 0xd800 || code >= 0xe000), "There is no character of number ",
          code);
  append_utf8(code, text);
}

// One text of fixed length, bytes or characters of four bytes, without the zeros at its end.
std::string text_of(std::string_view bytes, bool is_characters) {
  if (!is_characters) return std::string(bytes.substr(0, bytes.find_last_not_of('\0') + 1));
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 4)
    append_character(load_fixed<std::uint32_t>(bytes.data() + at), &text);
  return text.substr(0, text.find_last_not_of('\0') + 1);
}

// "<f4": the type, and whether its bytes are the other way round.
DType number_type(const std::string& name, bool* is_swapped) {
  *is_swapped = name.starts_with('>');
  for (const TypeName& type : kNpyTypes)
    if (name.size() > 1 && name.substr(1) == type.name &&
        std::string_view("<>|=").find(name[0]) != std::string_view::npos)
      return type.dtype;
  raise(Code::kInvalidArgument, "An array of type ", quoted(name), " is no tensor");
}

}  // namespace

Tensor parse_npy(std::string_view bytes) {
  const Header header = take_header(&bytes);
  const Shape shape{std::span<const std::int64_t>(header.dims)};
  const std::string& type = header.type;
  const bool is_characters = type.starts_with("<U");
  const bool is_text = is_characters || type.starts_with("|S");
  long long length = 0;
  bool is_swapped = false;
  require(!is_text || (parse_int(std::string_view(type).substr(2), &length) && length >= 0 &&
                       length <= std::numeric_limits<std::int32_t>::max()),
          "An array of type ", quoted(type), " is no tensor");
  const DType dtype = is_text ? DType::string : number_type(type, &is_swapped);
  const std::size_t width =
      is_text ? static_cast<std::size_t>(length) * (is_characters ? 4 : 1) : element_size(dtype);
  const auto count = static_cast<std::uint64_t>(shape.element_count());
  // Texts without characters take no bytes: as many as there are dimensions for would fit.
  require(width == 0 ? count <= (1u << 20) && bytes.empty()
                     : bytes.size() / width == count && bytes.size() % width == 0,
          "There are ", bytes.size(), " bytes for an array of type ", quoted(type), " and shape ",
          shape);
  const bool has_order = header.is_fortran && header.dims.size() > 1 && width > 0;
  const std::string ordered = has_order ? in_c_order(bytes, width, header.dims) : std::string();
  if (has_order) bytes = ordered;
  Tensor tensor(dtype, shape);
  if (is_text) {
    for (std::string& text : tensor.flat<std::string>()) {
      text = text_of(bytes.substr(0, width), is_characters);
      bytes.remove_prefix(width);
    }
    return tensor;
  }
  char* to = static_cast<char*>(tensor.raw_data());
  if (!bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
  if (is_swapped) swap_bytes(dtype, {to, bytes.size()});
  if (dtype == DType::boolean)  // kernels know but 0 and 1
    for (std::size_t i = 0; i < bytes.size(); ++i) to[i] = bytes[i] != 0;
  return tensor;
}

std::string npy_bytes(const Tensor& tensor) {
  const auto known = std::ranges::find(kNpyTypes, tensor.dtype(), &TypeName::dtype);
  std::size_t length = 1;  // numpy has no texts without room
  std::string type;
  if (tensor.dtype() == DType::string) {
    for (const std::string& text : tensor.flat<std::string>())
      length = std::max(length, text.size());
    type = str_cat("|S", length);
  } else if (known == std::end(kNpyTypes)) {
    raise(Code::kUnimplemented, "numpy has no type for ", tensor.dtype());
  } else {
    type = str_cat(element_size(tensor.dtype()) == 1 ? "|" : "<", known->name);
  }
  std::string dims;
  for (const std::int64_t dim : tensor.shape().dims()) dims += str_cat(dim, ", ");
  std::string header =
      str_cat("{'descr': '", type, "', 'fortran_order': False, 'shape': (", dims, "), }");
  const std::size_t before = kNpyMagic.size() + 4;
  header.append(kAlignment - (before + header.size() + 1) % kAlignment, ' ').append("\n");
  std::string bytes = str_cat(kNpyMagic, "\x01", std::string_view("\0", 1));
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8);
  bytes += header;
  if (tensor.dtype() != DType::string)
    return bytes.append(static_cast<const char*>(tensor.raw_data()), tensor.byte_size());
  for (const std::string& text : tensor.flat<std::string>())
    bytes.append(text).append(length - text.size(), '\0');
  return bytes;
}

}  // namespace rill
