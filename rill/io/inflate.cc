#include "rill/io/inflate.h"

#include <zlib.h>

#include <algorithm>
#include <limits>

#include "rill/base/error.h"

namespace rill {
namespace {

constexpr std::size_t kFirstOutputSize = std::size_t{4} << 10;

class Inflation {
 public:
  Inflation(std::string_view packed, Compression compression, std::size_t max_bytes)
      : packed_(packed), compression_(compression), max_bytes_(max_bytes) {
    const int bits = zlib_window_bits(compression);
    if (inflateInit2(&stream_, bits) != Z_OK)
      raise(Code::kResourceExhausted, "zlib has no memory to unpack ", packed.size(), " bytes");
  }
  ~Inflation() { inflateEnd(&stream_); }
  Inflation(const Inflation&) = delete;
  Inflation& operator=(const Inflation&) = delete;

  std::string run() {
    bool is_whole = packed_.empty();
    while (!is_whole) {
      const int result = step();
      if (size_ > max_bytes_)
        raise(Code::kResourceExhausted, "A stream of ", packed_.size(),
              " bytes unpacks to more than ", max_bytes_);
      if (result == Z_STREAM_END) {
        is_whole = compression_ != Compression::gzip || at_ == packed_.size();
        if (!is_whole) inflateReset(&stream_);
      } else if (result == Z_BUF_ERROR) {
        raise(Code::kDataLoss, "inflate() failed with error ", result,
              ": the compressed stream ends early, at offset ", at_);
      } else if (result != Z_OK) {
        raise(Code::kDataLoss, "inflate() failed with error ", result, ": ",
              stream_.msg != nullptr ? stream_.msg : "needs a dictionary", " before offset ", at_);
      }
    }
    out_.resize(size_);
    return std::move(out_);
  }

 private:
  // One call of zlib, with room for as much again as there is. Z_BUF_ERROR says that nothing more
  // can be done: as there is always room, the input has ended.
  int step() {
    if (size_ == out_.size()) out_.resize(std::max(kFirstOutputSize, 2 * size_));
    constexpr std::size_t kMax = std::numeric_limits<uInt>::max();
    const auto in = static_cast<uInt>(std::min(kMax, packed_.size() - at_));
    const auto room = static_cast<uInt>(std::min(kMax, out_.size() - size_));
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed_.data() + at_));
    stream_.avail_in = in;
    stream_.next_out = reinterpret_cast<Bytef*>(out_.data() + size_);
    stream_.avail_out = room;
    const int result = inflate(&stream_, Z_NO_FLUSH);
    at_ += in - stream_.avail_in;
    size_ += room - stream_.avail_out;
    return result;
  }

  const std::string_view packed_;
  const Compression compression_;
  const std::size_t max_bytes_;
  z_stream stream_{};
  std::string out_;
  std::size_t at_ = 0, size_ = 0;  // in packed_, in out_
};

}  // namespace

std::string inflated(std::string_view packed, Compression compression, std::size_t max_bytes) {
  if (compression == Compression::none) return std::string(packed);
  return Inflation(packed, compression, max_bytes).run();
}

}  // namespace rill
