#include "rill/io/zlib_stream.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "rill/base/error.h"
#include "rill/base/log.h"
#include "rill/io/parallel_packer.h"

namespace rill {
namespace {

constexpr std::size_t kSkipPiece = std::size_t{64} << 10;
constexpr std::size_t kWorthThreads = std::size_t{512} << 10;

uInt capped(std::size_t size) {
  return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
}

class ZlibInput final : public InputStream {
 public:
  ZlibInput(std::unique_ptr<InputStream> source, Compression compression,
            const ZlibOptions& options)
      : source_(std::move(source)),
        packed_(std::max<std::size_t>(options.buffer_size, 1)),
        ready_(packed_.size()) {
    const int bits = zlib_window_bits(compression, options);
    require(inflateInit2(&stream_, bits) == Z_OK, "zlib cannot unpack with window bits of ", bits);
  }
  ~ZlibInput() override { inflateEnd(&stream_); }

  std::size_t read(std::span<char> out) override {
    std::size_t done = take_ready(out);
    while (done < out.size()) {
      const auto rest = out.subspan(done);
      // Little is unpacked ahead: zlib is slow at the end of what it is given to fill.
      const bool directly = rest.size() >= ready_.size();
      const std::size_t count = unpack(directly ? rest : std::span<char>(ready_));
      if (count == 0) {
        if (result_ != Z_OK && result_ != Z_STREAM_END) raise_broken();
        break;
      }
      if (directly) {
        position_ += count;
        done += count;
      } else {
        begin_ = 0;
        end_ = count;
        done += take_ready(rest);
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
      position_ = begin_ = end_ = 0;
      result_ = Z_OK;
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
  std::size_t take_ready(std::span<char> out) {
    const std::size_t count = std::min(out.size(), end_ - begin_);
    std::copy_n(ready_.data() + begin_, count, out.data());
    begin_ += count;
    position_ += count;
    return count;
  }

  // Fills `out` as far as the stream goes; what stops it stays in result_.
  std::size_t unpack(std::span<char> out) {
    std::size_t done = 0;
    while (done < out.size() && result_ == Z_OK) {
      if (stream_.avail_in == 0 && !fill()) break;
      const uInt room = capped(out.size() - done);
      stream_.next_out = reinterpret_cast<Bytef*>(out.data() + done);
      stream_.avail_out = room;
      const int result = inflate(&stream_, Z_NO_FLUSH);
      done += room - stream_.avail_out;
      if (result != Z_BUF_ERROR) result_ = result;
    }
    return done;
  }

  [[noreturn]] void raise_broken() const {
    raise(Code::kDataLoss, "inflate() failed with error ", result_, ": ",
          stream_.msg != nullptr ? stream_.msg : "needs a dictionary", " in ", path(),
          " before offset ", source_->position() - stream_.avail_in);
  }

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
  std::vector<char> ready_;  // unpacked: [begin_, end_) was not read yet
  std::size_t begin_ = 0, end_ = 0;
  z_stream stream_{};
  int result_ = Z_OK;  // or Z_STREAM_END, or what went wrong
  std::uint64_t position_ = 0;
  bool warned_ = false;
};

class ZlibOutput final : public WritableFile {
 public:
  ZlibOutput(std::unique_ptr<WritableFile> target, Compression compression,
             const ZlibOptions& options)
      : WritableFile(target->path()),
        target_(std::move(target)),
        compression_(compression),
        options_(options),
        waits_(options.window_bits == 0 && options.strategy == Z_DEFAULT_STRATEGY),
        packed_(std::max<std::size_t>(options.buffer_size, 64)) {
    const int bits = zlib_window_bits(compression, options);
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
    if (parallel_ != nullptr) return parallel_->append(bytes);
    if (!waits_) return pack_here(bytes);
    waiting_.append(bytes);
    if (waiting_.size() < kWorthThreads) return;
    parallel_ = std::make_unique<ParallelPacker>(compression_, options_, *target_);
    parallel_->append(std::exchange(waiting_, {}));
  }
  void flush() override {
    check_open();
    if (parallel_ != nullptr) {
      parallel_->flush();
    } else {
      pack_waiting();
      pack(Z_PARTIAL_FLUSH);
    }
    target_->flush();
  }
  void sync() override {
    flush();
    target_->sync();
  }
  void close() override {
    if (target_ == nullptr) return;
    if (parallel_ == nullptr) pack_waiting();
    const auto target = std::move(target_);
    if (parallel_ == nullptr)
      pack(Z_FINISH, target.get());
    else
      parallel_->finish();
    target->close();
  }

 private:
  void check_open() const {
    if (target_ == nullptr) raise(Code::kFailedPrecondition, path(), " is closed");
  }
  // What is short is packed by this thread, as zlib alone would.
  void pack_waiting() {
    waits_ = false;
    pack_here(std::exchange(waiting_, {}));
  }
  void pack_here(std::string_view bytes) {
    while (!bytes.empty()) {
      const uInt count = capped(bytes.size());
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
      stream_.avail_in = count;
      pack(Z_NO_FLUSH);
      bytes.remove_prefix(count);
    }
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
  const Compression compression_;
  const ZlibOptions options_;
  bool waits_;           // for bytes enough to be worth threads
  std::string waiting_;  // until then
  std::unique_ptr<ParallelPacker> parallel_;
  std::vector<char> packed_;
  z_stream stream_{};
};

}  // namespace

int zlib_window_bits(Compression compression, const ZlibOptions& options) {
  if (options.window_bits != 0) return options.window_bits;
  constexpr int kGzipContainer = 16;  // zlib's way to ask for it
  return MAX_WBITS + (compression == Compression::gzip ? kGzipContainer : 0);
}

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
