#include "rill/io/png_plain.h"

#include <libdeflate.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "rill/io/png_filters.h"

namespace rill {
namespace {

constexpr std::string_view kSignature("\x89PNG\r\n\x1a\n", 8);
constexpr std::size_t kMaxPlainSide = 1'000'000;  // libpng's own limits
constexpr std::size_t kLongestChunk = 1'000'000;  // of those that are passed over
constexpr std::size_t kMaxTimes = 1032;           // what a byte can unpack to

std::uint32_t big_endian_at(std::string_view bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = at; i < at + 4; ++i)
    number = number << 8 | static_cast<std::uint8_t>(bytes[i]);
  return number;
}

struct Chunk {
  std::string_view type, data;
};

// Takes the next chunk from the bytes; false if it is not whole or its checksum is another.
bool next_chunk(std::string_view& bytes, Chunk& chunk) {
  if (bytes.size() < 12) return false;
  const std::size_t size = big_endian_at(bytes, 0);
  if (size > bytes.size() - 12) return false;
  chunk = {bytes.substr(4, 4), bytes.substr(8, size)};
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (!std::ranges::all_of(chunk.type, is_letter)) return false;
  if (libdeflate_crc32(0, bytes.data() + 4, size + 4) != big_endian_at(bytes, 8 + size))
    return false;
  bytes.remove_prefix(12 + size);
  return true;
}

// What the file says, and its packed rows.
struct Plain {
  std::size_t width = 0, height = 0, channels = 0;
  std::string packed;

  std::size_t row() const { return width * channels; }
  std::size_t unpacked() const { return height * (1 + row()); }

  bool take_header(std::string_view data) {
    if (data.size() != 13) return false;
    width = big_endian_at(data, 0);
    height = big_endian_at(data, 4);
    const int color = data[9];
    channels = color == 0 ? 1 : color == 4 ? 2 : color == 2 ? 3 : color == 6 ? 4 : 0;
    const bool plain = data[8] == 8 && data[10] == 0 && data[11] == 0 && data[12] == 0;
    return plain && channels > 0 && width > 0 && width <= kMaxPlainSide && height > 0 &&
           height <= kMaxPlainSide && width * height < static_cast<std::size_t>(kMaxPixels);
  }

  // Everything behind the header. Of what may be left out only a transparent colour matters.
  bool take_chunks(std::string_view bytes) {
    bool ended = false;  // the rows are over
    for (Chunk chunk; next_chunk(bytes, chunk);) {
      if (chunk.type == "IDAT") {
        if (ended) return false;
        packed.append(chunk.data);
        continue;
      }
      ended = !packed.empty();
      if (chunk.type == "IEND") return ended && chunk.data.empty();
      const bool needed = (chunk.type[0] & 32) == 0;
      if (needed || chunk.type == "tRNS" || chunk.data.size() > kLongestChunk) return false;
    }
    return false;
  }
};

bool parse(std::string_view bytes, Plain& file) {
  if (!bytes.starts_with(kSignature)) return false;
  bytes.remove_prefix(kSignature.size());
  Chunk header;
  file.packed.reserve(bytes.size());
  if (!next_chunk(bytes, header) || header.type != "IHDR" || !file.take_header(header.data) ||
      !file.take_chunks(bytes))
    return false;
  // The size is believed only where the bytes could become so many, and not too many of them.
  return file.unpacked() / kMaxTimes <= file.packed.size() &&
         file.packed.size() <= file.unpacked() + file.unpacked() / 8 + 1024;
}

// Whether the packed rows are as many bytes as they should be, and nothing is left of them.
bool unpack(const Plain& file, std::uint8_t* to) {
  struct Free {
    void operator()(libdeflate_decompressor* d) const { libdeflate_free_decompressor(d); }
  };
  const std::unique_ptr<libdeflate_decompressor, Free> unpacker(libdeflate_alloc_decompressor());
  std::size_t read = 0;
  return unpacker != nullptr &&
         libdeflate_zlib_decompress_ex(unpacker.get(), file.packed.data(), file.packed.size(), to,
                                       file.unpacked(), &read, nullptr) == LIBDEFLATE_SUCCESS &&
         read == file.packed.size();
}

}  // namespace

bool decode_plain_png(std::string_view bytes, int channels, PlaceForPicture place) {
  Plain file;
  if (!parse(bytes, file)) return false;
  const auto found = static_cast<int>(file.channels);
  if (channels != 0 && channels != found) return false;
  const std::size_t row = file.row();
  const std::unique_ptr<std::uint8_t[]> unpacked(new std::uint8_t[file.unpacked() + kPngRowMargin]);
  if (!unpack(file, unpacked.get())) return false;
  const std::uint8_t* in = unpacked.get();
  for (std::size_t y = 0; y < file.height; ++y)
    if (in[y * (1 + row)] > static_cast<std::uint8_t>(PngFilter::kNearest)) return false;
  auto* out = static_cast<std::uint8_t*>(place(
      {1, static_cast<std::int64_t>(file.height), static_cast<std::int64_t>(file.width), found}));
  const std::vector<std::uint8_t> outside(row + kPngRowMargin);
  const std::uint8_t* above = outside.data();
  for (std::size_t y = 0; y < file.height; ++y, in += 1 + row, above = out, out += row)
    restore_png_row(static_cast<PngFilter>(in[0]), found, in + 1, above, out, row);
  return true;
}

}  // namespace rill
