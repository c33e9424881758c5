#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "rill/base/file_system.h"
#include "rill/io/input_stream.h"

namespace rill {

enum class Compression { none, zlib, gzip };

// "", "ZLIB" or "GZIP"; anything else is none, with a line in the log, as in TensorFlow.
Compression compression_named(std::string_view name);

struct ZlibOptions {
  int level = -1;  // zlib's default
  int memory_level = 9;
  int strategy = 0;
  int window_bits = 0;  // 0: as the container needs
  std::size_t buffer_size = std::size_t{256} << 10;
};

// What zlib's functions want as windowBits.
int zlib_window_bits(Compression compression, const ZlibOptions& options = {});

// What the bytes of `source` unpack to. Throws DataLoss ("inflate() failed with error ...") with
// file and offset when they do not. Seeking back starts again from the beginning. As in TensorFlow,
// what follows the first stream is not looked at, and a stream that ends early is over.
std::unique_ptr<InputStream> unpacked(std::unique_ptr<InputStream> source, Compression compression,
                                      const ZlibOptions& options = {});

// A file that packs what is appended into `target`. flush() lets readers unpack everything so far;
// close() ends the stream. Throws InvalidArgument for options that zlib does not have.
std::unique_ptr<WritableFile> packed(std::unique_ptr<WritableFile> target, Compression compression,
                                     const ZlibOptions& options = {});

}  // namespace rill
