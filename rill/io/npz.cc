#include "rill/io/npz.h"

#include <cstring>
#include <optional>
#include <vector>

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/base/text.h"
#include "rill/io/inflate.h"
#include "rill/io/npy.h"

namespace rill {
namespace {

// Little-endian numbers at places that must be there.
class LittleEndianBytes {
 public:
  LittleEndianBytes(std::string_view bytes, std::string_view what) : bytes_(bytes), what_(what) {}

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

// An entry of a ZIP file.
struct ZipEntry {
  std::string name;
  int method = 0;
  std::uint32_t crc = 0, packed = 0, size = 0, place = 0;
};

constexpr std::string_view kEnd = "PK\5\6", kListed = "PK\1\2";

std::vector<ZipEntry> entries(const LittleEndianBytes& file, std::string_view all) {
  const std::size_t end = all.rfind(kEnd);
  require(end != all.npos, file.what(), " is no archive of arrays");
  const std::size_t count = file.number(end + 10, 2);
  std::size_t at = file.number(end + 16, 4);
  std::vector<ZipEntry> found;
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

std::string unpacked_entry(const LittleEndianBytes& file, const ZipEntry& entry) {
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

std::map<std::string, Tensor> read_npz(const std::string& path) {
  const std::string all = read_file(path);
  const LittleEndianBytes file(all, path);
  std::map<std::string, Tensor> arrays;
  for (const ZipEntry& entry : entries(file, all)) {
    std::string name = entry.name;
    if (name.ends_with(".npy")) name.resize(name.size() - 4);
    try {
      arrays[name] = parse_npy(unpacked_entry(file, entry));
    } catch (const Error& error) {
      throw error.with_context(str_cat(path, ": ", name));
    }
  }
  return arrays;
}

}  // namespace rill
