#include "rill/io/npz.h"

#include <cstring>
#include <optional>
#include <vector>

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/base/text.h"
#include "rill/io/inflate.h"

namespace rill {
namespace {

// Little-endian numbers at places that must be there.
class Bytes {
 public:
  Bytes(std::string_view bytes, std::string_view what) : bytes_(bytes), what_(what) {}

  std::string_view part(std::size_t begin, std::size_t size) const {
    require(begin <= bytes_.size() && size <= bytes_.size() - begin, what_, " ends early");
    return bytes_.substr(begin, size);
  }
  std::uint32_t number(std::size_t begin, std::size_t size) const {
    std::uint32_t value = 0;
    const std::string_view digits = part(begin, size);
    for (std::size_t i = 0; i < size; ++i)
      value |= std::uint32_t{static_cast<unsigned char>(digits[i])} << (8 * i);
    return value;
  }
  std::size_t size() const { return bytes_.size(); }
  std::string_view what() const { return what_; }

 private:
  std::string_view bytes_, what_;
};

// What follows "'name':" in the header of an array, up to one of `ends`.
std::string_view field(std::string_view header, std::string_view name, std::string_view ends,
                       std::string_view what) {
  const std::size_t at = header.find(str_cat("'", name, "':"));
  require(at != header.npos, what, " has a header without ", name);
  std::string_view rest = header.substr(at + name.size() + 3);
  rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of(" ")));
  return rest.substr(0, rest.find_first_of(ends));
}

struct NpyType {
  const char* code;
  DType dtype;
};
constexpr NpyType kTypes[] = {{"<f4", DType::f32},     {"<f8", DType::f64},  {"<f2", DType::f16},
                              {"|b1", DType::boolean}, {"|u1", DType::u8},   {"<u2", DType::u16},
                              {"<u4", DType::u32},     {"<u8", DType::u64},  {"|i1", DType::i8},
                              {"<i2", DType::i16},     {"<i4", DType::i32},  {"<i8", DType::i64},
                              {"<c8", DType::c64},     {"<c16", DType::c128}};

Shape parse_shape(std::string_view text, std::string_view what) {
  std::vector<std::int64_t> dims;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    std::string digits(text.substr(0, comma));
    std::erase(digits, ' ');
    long long dim = 0;
    if (!digits.empty()) {
      require(parse_int(digits, &dim) && dim >= 0, what, " has a shape that is none");
      dims.push_back(dim);
    }
    text.remove_prefix(std::min(text.size(), comma + 1));
  }
  return Shape(dims);
}

// Byte strings of one length, filled up with zeros.
Tensor strings(std::string_view data, const Shape& shape, std::size_t length,
               std::string_view what) {
  const auto count = static_cast<std::size_t>(shape.element_count());
  require(length > 0 && data.size() / length >= count, what, " ends early");
  Tensor made(DType::string, shape);
  for (std::size_t i = 0; i < count; ++i) {
    std::string_view item = data.substr(i * length, length);
    while (!item.empty() && item.back() == '\0') item.remove_suffix(1);
    made.data<std::string>()[i] = item;
  }
  return made;
}

// An entry of a ZIP file.
struct Entry {
  std::string name;
  int method = 0;
  std::uint32_t crc = 0, packed = 0, size = 0, place = 0;
};

constexpr std::string_view kEnd = "PK\5\6", kListed = "PK\1\2";

std::vector<Entry> entries(const Bytes& file, std::string_view all) {
  const std::size_t end = all.rfind(kEnd);
  require(end != all.npos, file.what(), " is no archive of arrays");
  const std::size_t count = file.number(end + 10, 2);
  std::size_t at = file.number(end + 16, 4);
  std::vector<Entry> found;
  for (std::size_t i = 0; i < count; ++i) {
    require(file.part(at, 4) == kListed, file.what(), " has a damaged list of arrays");
    const std::size_t name = file.number(at + 28, 2);
    found.push_back({.name = std::string(file.part(at + 46, name)),
                     .method = static_cast<int>(file.number(at + 10, 2)),
                     .crc = file.number(at + 16, 4),
                     .packed = file.number(at + 20, 4),
                     .size = file.number(at + 24, 4),
                     .place = file.number(at + 42, 4)});
    at += 46 + name + file.number(at + 30, 2) + file.number(at + 32, 2);
  }
  return found;
}

std::string little_endian(std::uint32_t value) {
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
  return bytes;
}

std::string unpacked(const Bytes& file, const Entry& entry) {
  const std::size_t begin =
      entry.place + 30 + file.number(entry.place + 26, 2) + file.number(entry.place + 28, 2);
  const std::string_view data = file.part(begin, entry.packed);
  if (entry.method == 0) return std::string(data);
  if (entry.method != 8)
    raise(Code::kUnimplemented, file.what(), ": ", entry.name, " is packed in an unknown way");
  // The same stream as in a GZIP file, which has other bytes around it.
  static constexpr std::string_view kGzip{"\x1f\x8b\x08\0\0\0\0\0\0\xff", 10};
  return inflated(str_cat(kGzip, data, little_endian(entry.crc), little_endian(entry.size)),
                  Compression::gzip, entry.size);
}

}  // namespace

Tensor parse_npy(std::string_view bytes, std::string_view what) {
  const Bytes file(bytes, what);
  require(file.part(0, 6) == "\x93NUMPY", what, " is no array of NumPy");
  const std::size_t width = file.number(6, 1) == 1 ? 2 : 4;
  const std::size_t length = file.number(8, width), begin = 8 + width + length;
  const std::string_view header = file.part(8 + width, length), data = bytes.substr(begin);
  require(field(header, "fortran_order", ",}", what) == "False", what,
          " is stored column by column");
  std::string_view code = field(header, "descr", ",}", what);
  if (code.size() >= 2) code = code.substr(1, code.size() - 2);  // quotes
  std::string_view dims = field(header, "shape", ")", what);
  if (!dims.empty()) dims.remove_prefix(1);
  const Shape shape = parse_shape(dims, what);
  long long size = 0;
  if (code.starts_with("|S") && parse_int(std::string(code.substr(2)), &size) && size >= 0)
    return strings(data, shape, static_cast<std::size_t>(size), what);
  for (const NpyType& type : kTypes) {
    if (code != type.code) continue;
    const std::size_t needed = shape.byte_size(element_size(type.dtype));
    require(data.size() >= needed, what, " ends early");
    Tensor made(type.dtype, shape);
    if (needed > 0) std::memcpy(made.raw_data(), data.data(), needed);
    return made;
  }
  raise(Code::kUnimplemented, what, " has elements of NumPy's type ", code);
}

std::map<std::string, Tensor> read_npz(const std::string& path) {
  const std::string all = read_file(path);
  const Bytes file(all, path);
  std::map<std::string, Tensor> arrays;
  for (const Entry& entry : entries(file, all)) {
    std::string name = entry.name;
    if (name.ends_with(".npy")) name.resize(name.size() - 4);
    arrays[name] = parse_npy(unpacked(file, entry), str_cat(path, ": ", name));
  }
  return arrays;
}

}  // namespace rill
