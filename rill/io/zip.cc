#include "rill/io/zip.h"

#include "rill/base/error.h"
#include "rill/base/text.h"
#include "rill/io/inflate.h"

namespace rill {
namespace {

constexpr std::string_view kEnd = "PK\5\6", kListed = "PK\1\2";

std::string little_endian(std::uint32_t value) {
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
  return bytes;
}

}  // namespace

ZipFile::ZipFile(std::string_view bytes, std::string what) : bytes_(bytes), what_(std::move(what)) {
  const std::size_t end = bytes.rfind(kEnd);
  require(end != bytes.npos, what_, " is no ZIP file");
  const std::size_t count = number(end + 10, 2);
  std::size_t at = number(end + 16, 4);
  for (std::size_t i = 0; i < count; ++i) {
    require(part(at, 4) == kListed, what_, " has a damaged list of its files");
    const std::size_t name = number(at + 28, 2);
    entries_.push_back({.name = std::string(part(at + 46, name)),
                        .method = static_cast<int>(number(at + 10, 2)),
                        .crc = number(at + 16, 4),
                        .packed = number(at + 20, 4),
                        .size = number(at + 24, 4),
                        .place = number(at + 42, 4)});
    at += 46 + name + number(at + 30, 2) + number(at + 32, 2);
  }
}

std::string_view ZipFile::part(std::size_t begin, std::size_t size) const {
  require(begin <= bytes_.size() && size <= bytes_.size() - begin, what_, " ends early");
  return bytes_.substr(begin, size);
}

std::uint32_t ZipFile::number(std::size_t begin, std::size_t size) const {
  std::uint32_t value = 0;
  const std::string_view digits = part(begin, size);
  for (std::size_t i = 0; i < size; ++i)
    value |= std::uint32_t{static_cast<unsigned char>(digits[i])} << (8 * i);
  return value;
}

std::string ZipFile::read(const ZipEntry& entry) const {
  const std::size_t begin =
      entry.place + 30 + number(entry.place + 26, 2) + number(entry.place + 28, 2);
  const std::string_view data = part(begin, entry.packed);
  if (entry.method == 0) return std::string(data);
  if (entry.method != 8)
    raise(Code::kUnimplemented, what_, ": ", entry.name, " is packed in an unknown way");
  // The same stream as in a GZIP file, which has other bytes around it.
  static constexpr std::string_view kGzip{"\x1f\x8b\x08\0\0\0\0\0\0\xff", 10};
  return inflated(str_cat(kGzip, data, little_endian(entry.crc), little_endian(entry.size)),
                  Compression::gzip, entry.size);
}

}  // namespace rill
