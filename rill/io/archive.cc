#include "rill/io/archive.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/io/zip.h"
#include "rill/io/zlib_stream.h"

namespace rill {
namespace {

constexpr std::size_t kTarBlock = 512;
constexpr std::size_t kMaxTarText = std::size_t{1} << 20;  // of a name that has an entry of its own

// Where an entry goes. Its name may come from anybody.
std::string place_below(const std::string& directory, std::string_view name,
                        const std::string& archive) {
  std::string place = directory;
  for (const std::string_view part : split(name, '/')) {
    require(part != ".." && !name.starts_with("/"), archive, " has an entry outside of it: ", name);
    if (!part.empty() && part != ".") place = join_path(place, part);
  }
  return place;
}

void extract_zip(const std::string& bytes, const std::string& path, const std::string& directory) {
  const ZipFile file(bytes, path);
  for (const ZipEntry& entry : file.entries()) {
    const std::string place = place_below(directory, entry.name, path);
    make_directories(entry.name.ends_with('/') ? place : parent_path(place));
    if (!entry.name.ends_with('/')) write_file(place, file.read(entry));
  }
}

// One header of a tar file.
struct TarHeader {
  std::array<char, kTarBlock> bytes{};

  std::string text(std::size_t begin, std::size_t size) const {
    return std::string(bytes.data() + begin, ::strnlen(bytes.data() + begin, size));
  }
  std::uint64_t octal(std::size_t begin, std::size_t size) const {
    std::uint64_t value = 0;
    for (std::size_t i = begin; i < begin + size; ++i)
      if (bytes[i] >= '0' && bytes[i] <= '7')
        value = value * 8 + static_cast<std::uint64_t>(bytes[i] - '0');
    return value;
  }
  std::uint64_t size() const { return octal(124, 12); }
  char kind() const { return bytes[156]; }
  std::string name() const {
    const std::string prefix = text(257, 5) == "ustar" && bytes[262] == 0 ? text(345, 155) : "";
    return prefix.empty() ? text(0, 100) : str_cat(prefix, "/", text(0, 100));
  }
  bool is_end() const {
    return std::ranges::all_of(bytes, [](char byte) { return byte == 0; });
  }
  bool is_sound() const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < kTarBlock; ++i)
      sum += i >= 148 && i < 156 ? ' ' : static_cast<unsigned char>(bytes[i]);
    return sum == octal(148, 8);
  }
};

class TarReader {
 public:
  TarReader(InputStream* stream, std::string directory)
      : stream_(*stream), directory_(std::move(directory)) {}

  // False if the first block is no header: this is no tar file.
  bool extract() {
    for (bool first = true;; first = false) {
      TarHeader header;
      const std::size_t count = stream_.read(header.bytes);
      if (count == 0 || (count == kTarBlock && header.is_end())) return !first;
      if (count < kTarBlock || !header.is_sound()) {
        if (first) return false;
        raise(Code::kDataLoss, stream_.path(), " is damaged or ends early");
      }
      take(header);
    }
  }

 private:
  void take(const TarHeader& header) {
    if (header.kind() == 'L') {  // a name too long for a header comes before it
      next_name_ = text(header);
      next_name_.resize(::strnlen(next_name_.data(), next_name_.size()));
      return;
    }
    if (header.kind() == 'x') {
      next_name_ = path_record(text(header));
      return;
    }
    const std::string name = next_name_.empty() ? header.name() : next_name_;
    next_name_.clear();
    const bool is_file = header.kind() == '0' || header.kind() == 0 || header.kind() == '7';
    if (!is_file && header.kind() != '5') {
      skip(header.size());
      return;
    }
    const std::string place = place_below(directory_, name, stream_.path());
    make_directories(is_file ? parent_path(place) : place);
    if (is_file) copy(header.size(), place);
  }

  std::string text(const TarHeader& header) {
    require(header.size() <= kMaxTarText, stream_.path(), " has a name that is too long");
    std::string bytes(header.size(), '\0');
    read(bytes);
    skip_padding(bytes.size());
    return bytes;
  }

  // "30 path=some/long/name\n" among the records of an extended header.
  static std::string path_record(const std::string& records) {
    const auto begin = records.find(" path=");
    if (begin == records.npos) return "";
    return records.substr(begin + 6, records.find('\n', begin) - begin - 6);
  }

  void copy(std::uint64_t size, const std::string& place) {
    const auto file = local_files().create(place, WriteMode::truncate);
    std::string piece;
    for (std::uint64_t left = size; left > 0; left -= piece.size()) {
      piece.resize(std::min<std::uint64_t>(left, std::uint64_t{1} << 20));
      read(piece);
      file->append(piece);
    }
    file->close();
    skip_padding(size);
  }

  void read(std::span<char> out) {
    if (stream_.read(out) != out.size())
      raise(Code::kDataLoss, stream_.path(), " is damaged or ends early");
  }
  void skip(std::uint64_t size) {
    stream_.seek(stream_.position() + size);
    skip_padding(size);
  }
  void skip_padding(std::uint64_t size) {
    if (size % kTarBlock != 0) stream_.seek(stream_.position() + kTarBlock - size % kTarBlock);
  }

  InputStream& stream_;
  const std::string directory_;
  std::string next_name_;
};

}  // namespace

bool extract_archive(const std::string& path, const std::string& directory) {
  constexpr std::size_t kBuffer = std::size_t{1} << 18;
  const auto stream = [&] {
    return std::make_unique<FileInput>(file_system_of(path).open(path), kBuffer);
  };
  std::array<char, 4> magic{};
  (void)stream()->read(magic);
  const std::string_view start(magic.data(), magic.size());
  if (start == "PK\3\4" || start == "PK\5\6") {
    extract_zip(read_file(path), path, directory);
    return true;
  }
  std::unique_ptr<InputStream> source = stream();
  if (start.starts_with("\x1f\x8b")) source = unpacked(std::move(source), Compression::gzip);
  return TarReader(source.get(), directory).extract();
}

}  // namespace rill
