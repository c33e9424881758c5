#include "rill/io/zlib_stream.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "rill/base/error.h"
#include "rill/base/log.h"

namespace rill {
namespace {

constexpr int kGzipContainer = 16;  // zlib's way to ask for it
constexpr std::size_t kSkipPiece = std::size_t{64} << 10;

int window_bits(Compression compression, const ZlibOptions& options) {
  if (options.window_bits != 0) return options.window_bits;
  return MAX_WBITS + (compression == Compression::gzip ? kGzipContainer : 0);
}

uInt capped(std::size_t size) {
  return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
}

class ZlibInput final : public InputStream {
 public:
  ZlibInput(std::unique_ptr<InputStream> source, Compression compression,
            const ZlibOptions& options)
      : source_(std::move(source)), packed_(std::max<std::size_t>(options.buffer_size, 1)) {
    const int bits = window_bits(compression, options);
    require(inflateInit2(&stream_, bits) == Z_OK, "zlib cannot unpack with window bits of ", bits);
  }
  ~ZlibInput() override { inflateEnd(&stream_); }

  std::size_t read(std::span<char> out) override {
    std::size_t done = 0;
    while (done < out.size() && !at_end_) {
      if (stream_.avail_in == 0 && !fill()) break;
      const uInt room = capped(out.size() - done);
      stream_.next_out = reinterpret_cast<Bytef*>(out.data() + done);
      stream_.avail_out = room;
      const int result = inflate(&stream_, Z_NO_FLUSH);
      done += room - stream_.avail_out;
      position_ += room - stream_.avail_out;
      if (result == Z_STREAM_END) {
        at_end_ = true;
      } else if (result != Z_OK && result != Z_BUF_ERROR) {
        raise(Code::kDataLoss, "inflate() failed with error ", result, ": ",
              stream_.msg != nullptr ? stream_.msg : "needs a dictionary", " in ", path(),
              " before offset ", source_->position() - stream_.avail_in);
      }
    }
    return done;
  }

  std::uint64_t position() const override { return position_; }

  void seek(std::uint64_t position) override {
    if (position < position_) {
      source_->seek(0);
      inflateReset(&stream_);
      stream_.avail_in = 0;
      position_ = 0;
      at_end_ = false;
    }
    std::vector<char> skipped(std::min<std::uint64_t>(kSkipPiece, position - position_));
    while (position_ < position) {
      const auto count = std::min<std::uint64_t>(skipped.size(), position - position_);
      if (read({skipped.data(), static_cast<std::size_t>(count)}) < count)
        raise(Code::kOutOfRange, "offset ", position, " is behind the end of ", path(), ", ",
              position_);
    }
  }

  const std::string& path() const override { return source_->path(); }

 private:
  bool fill() {
    const std::size_t count = source_->read(packed_);
    stream_.next_in = reinterpret_cast<Bytef*>(packed_.data());
    stream_.avail_in = static_cast<uInt>(count);
    if (count == 0 && source_->position() > 0 && !warned_) {
      log(LogLevel::kInfo, path(), " ends within its compressed stream");
      warned_ = true;
    }
    return count > 0;
  }

  std::unique_ptr<InputStream> source_;
  std::vector<char> packed_;
  z_stream stream_{};
  std::uint64_t position_ = 0;
  bool at_end_ = false, warned_ = false;
};

class ZlibOutput final : public WritableFile {
 public:
  ZlibOutput(std::unique_ptr<WritableFile> target, Compression compression,
             const ZlibOptions& options)
      : WritableFile(target->path()),
        target_(std::move(target)),
        packed_(std::max<std::size_t>(options.buffer_size, 64)) {
    const int bits = window_bits(compression, options);
    require(deflateInit2(&stream_, options.level, Z_DEFLATED, bits, options.memory_level,
                         options.strategy) == Z_OK,
            "zlib cannot pack with level ", options.level, ", window bits of ", bits,
            ", memory level ", options.memory_level, " and strategy ", options.strategy);
  }
  ~ZlibOutput() override {
    try {
      close();
    } catch (const Error&) {  // who wants to know calls close()
    }
    deflateEnd(&stream_);
  }

  void append(std::string_view bytes) override {
    check_open();
    while (!bytes.empty()) {
      const uInt count = capped(bytes.size());
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
      stream_.avail_in = count;
      pack(Z_NO_FLUSH);
      bytes.remove_prefix(count);
    }
  }
  void flush() override {
    check_open();
    pack(Z_PARTIAL_FLUSH);
    target_->flush();
  }
  void sync() override {
    flush();
    target_->sync();
  }
  void close() override {
    if (target_ == nullptr) return;
    const auto target = std::move(target_);
    pack(Z_FINISH, target.get());
    target->close();
  }

 private:
  void check_open() const {
    if (target_ == nullptr) raise(Code::kFailedPrecondition, path(), " is closed");
  }
  void pack(int mode) { pack(mode, target_.get()); }
  // Packs all input; an output buffer that comes back with room has nothing left to say.
  void pack(int mode, WritableFile* target) {
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(packed_.data());
      stream_.avail_out = static_cast<uInt>(packed_.size());
      if (deflate(&stream_, mode) == Z_STREAM_ERROR)
        raise(Code::kInternal, "deflate() failed for ", path());
      target->append({packed_.data(), packed_.size() - stream_.avail_out});
    } while (stream_.avail_out == 0);
    stream_.next_in = nullptr;
  }

  std::unique_ptr<WritableFile> target_;
  std::vector<char> packed_;
  z_stream stream_{};
};

}  // namespace

Compression compression_named(std::string_view name) {
  if (name == "ZLIB") return Compression::zlib;
  if (name == "GZIP") return Compression::gzip;
  if (!name.empty())
    log(LogLevel::kError, "Unsupported compression_type:", name, ". No compression will be used.");
  return Compression::none;
}

std::unique_ptr<InputStream> unpacked(std::unique_ptr<InputStream> source, Compression compression,
                                      const ZlibOptions& options) {
  if (compression == Compression::none) return source;
  return std::make_unique<ZlibInput>(std::move(source), compression, options);
}

std::unique_ptr<WritableFile> packed(std::unique_ptr<WritableFile> target, Compression compression,
                                     const ZlibOptions& options) {
  if (compression == Compression::none) return target;
  return std::make_unique<ZlibOutput>(std::move(target), compression, options);
}

}  // namespace rill
