#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "rill/io/zlib_stream.h"

namespace rill {

// Packs a long stream on the threads of the process: pieces of it are packed side by side, each
// with what stands before it as its dictionary, so that little is lost. Any zlib unpacks the
// result.
class ParallelPacker {
 public:
  // Writes the head of the stream. `options` must leave window bits and strategy as they are.
  ParallelPacker(Compression compression, const ZlibOptions& options, WritableFile& target);

  void append(std::string_view bytes);
  void flush();   // everything so far can be unpacked
  void finish();  // ends the stream

 private:
  struct Piece;
  void pack_waiting();
  Piece packed_piece(std::size_t begin, std::size_t end) const;

  const Compression compression_;
  const ZlibOptions options_;
  WritableFile& target_;
  std::string waiting_;         // the last bytes that were packed, then those that are to be
  std::size_t packed_end_ = 0;  // where in waiting_ the latter begin
  std::uint32_t checksum_;
  std::uint64_t size_ = 0;
};

}  // namespace rill
