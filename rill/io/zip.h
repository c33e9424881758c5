#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rill {

// An entry of a ZIP file.
struct ZipEntry {
  std::string name;
  int method = 0;
  std::uint32_t crc = 0, packed = 0, size = 0, place = 0;
};

// A ZIP file in memory. Every place in it is checked before it is read.
class ZipFile {
 public:
  // `what` names the file in messages. Throws InvalidArgument for what is no ZIP file.
  ZipFile(std::string_view bytes, std::string what);
  const std::vector<ZipEntry>& entries() const { return entries_; }
  std::string read(const ZipEntry& entry) const;  // throws DataLoss where it is damaged

 private:
  std::string_view part(std::size_t begin, std::size_t size) const;
  std::uint32_t number(std::size_t begin, std::size_t size) const;  // little-endian

  std::string_view bytes_;
  std::string what_;
  std::vector<ZipEntry> entries_;
};

}  // namespace rill
