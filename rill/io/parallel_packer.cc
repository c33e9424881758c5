#include "rill/io/parallel_packer.h"

#include <zlib.h>

#include <algorithm>
#include <vector>

#include "rill/base/error.h"
#include "rill/base/thread_pool.h"
#include "rill/io/coding.h"

namespace rill {
namespace {

constexpr std::size_t kPieceSize = std::size_t{128} << 10, kBatch = 8 * kPieceSize;
constexpr std::size_t kDictionary = std::size_t{32} << 10;  // as far as deflate looks back

constexpr std::string_view kGzipHead("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10);
constexpr std::string_view kZlibHead("\x78\x9c", 2);
constexpr std::string_view kLastBlock("\x03\0", 2);  // empty, and marked as the last

const Bytef* bytes_at(const std::string& text, std::size_t at) {
  return reinterpret_cast<const Bytef*>(text.data() + at);
}

}  // namespace

struct ParallelPacker::Piece {
  std::string packed;
  std::uint32_t checksum = 0;
};

ParallelPacker::ParallelPacker(Compression compression, const ZlibOptions& options,
                               WritableFile& target)
    : compression_(compression),
      options_(options),
      target_(target),
      checksum_(compression == Compression::gzip ? 0 : 1) {
  target_.append(compression == Compression::gzip ? kGzipHead : kZlibHead);
}

void ParallelPacker::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t room = kBatch - (waiting_.size() - packed_end_);
    waiting_.append(bytes.substr(0, room));
    bytes.remove_prefix(std::min(room, bytes.size()));
    if (waiting_.size() - packed_end_ == kBatch) pack_waiting();
  }
}

void ParallelPacker::flush() { pack_waiting(); }

void ParallelPacker::finish() {
  pack_waiting();
  target_.append(kLastBlock);
  char tail[8];
  if (compression_ == Compression::gzip) {
    store_fixed(checksum_, tail);
    store_fixed(static_cast<std::uint32_t>(size_), tail + 4);
    target_.append({tail, 8});
  } else {
    store_fixed(__builtin_bswap32(checksum_), tail);
    target_.append({tail, 4});
  }
}

// Ends at a whole byte, so that pieces can be put behind each other.
ParallelPacker::Piece ParallelPacker::packed_piece(std::size_t begin, std::size_t end) const {
  const auto count = static_cast<uInt>(end - begin);
  Piece piece;
  z_stream stream{};
  require(deflateInit2(&stream, options_.level, Z_DEFLATED, -MAX_WBITS, options_.memory_level,
                       options_.strategy) == Z_OK,
          "zlib cannot pack with level ", options_.level, " and memory level ",
          options_.memory_level);
  const std::size_t known = std::min(begin, kDictionary);
  if (known > 0)
    deflateSetDictionary(&stream, bytes_at(waiting_, begin - known), static_cast<uInt>(known));
  piece.packed.resize(deflateBound(&stream, count) + 16);  // and an empty block
  stream.next_in = const_cast<Bytef*>(bytes_at(waiting_, begin));
  stream.avail_in = count;
  stream.next_out = reinterpret_cast<Bytef*>(piece.packed.data());
  stream.avail_out = static_cast<uInt>(piece.packed.size());
  const int result = deflate(&stream, Z_SYNC_FLUSH);
  const bool complete = result == Z_OK && stream.avail_in == 0 && stream.avail_out > 0;
  piece.packed.resize(stream.total_out);
  deflateEnd(&stream);
  if (!complete) raise(Code::kInternal, "deflate() failed with ", result, " for ", target_.path());
  piece.checksum = static_cast<std::uint32_t>(compression_ == Compression::gzip
                                                  ? crc32(0, bytes_at(waiting_, begin), count)
                                                  : adler32(1, bytes_at(waiting_, begin), count));
  return piece;
}

void ParallelPacker::pack_waiting() {
  const std::size_t size = waiting_.size() - packed_end_;
  std::vector<Piece> pieces((size + kPieceSize - 1) / kPieceSize);
  const auto end_of = [&](std::size_t i) {
    return std::min(waiting_.size(), packed_end_ + (i + 1) * kPieceSize);
  };
  shared_pool().parallel_for(pieces.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      pieces[i] = packed_piece(packed_end_ + i * kPieceSize, end_of(i));
  });
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const auto length = static_cast<z_off_t>(end_of(i) - (packed_end_ + i * kPieceSize));
    checksum_ = static_cast<std::uint32_t>(
        compression_ == Compression::gzip ? crc32_combine(checksum_, pieces[i].checksum, length)
                                          : adler32_combine(checksum_, pieces[i].checksum, length));
    target_.append(pieces[i].packed);
  }
  size_ += size;
  if (waiting_.size() > kDictionary) waiting_.erase(0, waiting_.size() - kDictionary);
  packed_end_ = waiting_.size();
}

}  // namespace rill
