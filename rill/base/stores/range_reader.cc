#include "rill/base/stores/range_reader.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <functional>
#include <map>
#include <mutex>

#include "rill/base/background.h"
#include "rill/base/blocking.h"
#include "rill/base/clock.h"
#include "rill/base/environment.h"
#include "rill/base/error.h"
#include "rill/base/stores/side_by_side.h"

namespace rill::stores {
namespace {

constexpr std::uint64_t kDirect = std::uint64_t{2} << 20;  // goes into place, not into a piece
constexpr std::size_t kTail = 4096;
constexpr std::int64_t kLookAgainNanos = 500'000'000;

std::atomic<std::uint64_t> all_kept = 0;

std::uint64_t most_kept() {
  static const int megabytes = environment_number("RILL_STORE_CACHE_MB");
  return std::uint64_t(megabytes > 0 ? megabytes : 512) << 20;
}

// A part of the file that was fetched, or is on its way.
struct Piece {
  explicit Piece(std::size_t size) : bytes(new char[size]), size(size) { all_kept += size; }
  ~Piece() { all_kept -= size; }
  Piece(const Piece&) = delete;
  Piece& operator=(const Piece&) = delete;

  void settle(std::exception_ptr what) {
    const std::lock_guard lock(mutex);
    is_settled = true;
    failure = what;
    settled.notify_all();
  }
  void wait() {
    const Blocking others_run;
    std::unique_lock lock(mutex);
    settled.wait(lock, [&] { return is_settled; });
    if (failure) std::rethrow_exception(failure);
  }

  const std::unique_ptr<char[]> bytes;
  const std::size_t size;
  std::uint64_t last_use = 0;
  std::mutex mutex;
  std::condition_variable settled;
  bool is_settled = false;
  std::exception_ptr failure;
};

class RangeReader final : public ReadableFile {
 public:
  RangeReader(const std::string& path, std::shared_ptr<const RangeSource> source,
              const ObjectFacts& facts, const ReadAhead& ahead)
      : ReadableFile(path),
        source_(std::move(source)),
        ahead_(ahead),
        facts_(facts),
        looked_(monotonic_nanos()) {}

  std::uint64_t size() const override {
    const std::lock_guard lock(mutex_);
    return facts_.size;
  }

  std::size_t read(std::uint64_t offset, std::span<char> out) const override {
    if (out.empty()) return 0;
    if (offset >= size() && !look_again()) return 0;
    const ObjectFacts facts = current();
    if (offset >= facts.size) return 0;
    out = out.first(
        static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), facts.size - offset)));
    if (out.size() >= kDirect)
      read_into_place(facts.version, offset, out);
    else
      read_by_pieces(facts, offset, out);
    keep_tail(facts, offset, out);
    return out.size();
  }

 private:
  ObjectFacts current() const {
    const std::lock_guard lock(mutex_);
    return facts_;
  }

  void read_into_place(const std::string& version, std::uint64_t offset,
                       std::span<char> out) const {
    const std::uint64_t piece = std::max<std::uint64_t>(
        kDirect, std::min(2 * ahead_.largest_piece, out.size() / kRequestsAtOnce));
    side_by_side((out.size() + piece - 1) / piece, [&](std::size_t i) {
      const std::span<char> part = out.subspan(i * piece);
      source_->read(version, offset + i * piece,
                    part.first(std::min<std::size_t>(part.size(), piece)));
    });
    const std::lock_guard lock(mutex_);
    stream_at(offset).first.expected = offset + out.size();
  }

  void read_by_pieces(const ObjectFacts& facts, std::uint64_t offset, std::span<char> out) const {
    for (std::size_t done = 0; done < out.size();) {
      std::uint64_t start = 0;
      const auto piece = piece_at(facts, offset + done, out.size() - done, &start);
      try {
        piece->wait();
      } catch (...) {
        forget(start, piece);  // who reads it again has it fetched again
        throw;
      }
      const auto at = static_cast<std::size_t>(offset + done - start);
      const std::size_t count = std::min(out.size() - done, piece->size - at);
      std::memcpy(out.data() + done, piece->bytes.get() + at, count);
      done += count;
    }
  }

  // Who reads on from where a read ended. Several threads may, each in its own part of the file.
  struct Stream {
    std::uint64_t expected = 0;  // where its next read begins
    std::uint64_t window = 0;    // how far it has been read ahead of
    std::uint64_t last_use = 0;
  };

  // The stream that reads on here, or else a new one; whether it goes on.
  std::pair<Stream&, bool> stream_at(std::uint64_t offset) const {
    auto found = std::ranges::find(streams_, offset, &Stream::expected);
    const bool goes_on = found != streams_.end();
    if (!goes_on) {
      found = std::ranges::min_element(streams_, {}, &Stream::last_use);
      found->window = 0;
    }
    found->last_use = ++uses_;
    return {*found, goes_on};
  }

  std::uint64_t largest_window() const {
    const auto active =
        std::ranges::count_if(streams_, [](const Stream& stream) { return stream.window > 0; });
    return std::max(
        2 * ahead_.smallest_piece,
        ahead_.kept / 2 / static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(active, 1)));
  }

  // The piece with this byte, on its way at least, and those that will be wanted next.
  std::shared_ptr<Piece> piece_at(const ObjectFacts& facts, std::uint64_t offset,
                                  std::size_t wanted, std::uint64_t* start) const {
    const std::lock_guard lock(mutex_);
    const auto [stream, goes_on] = stream_at(offset);
    auto found = holding(offset);
    if (found == pieces_.end())
      found =
          begin_piece(facts, offset, std::max<std::uint64_t>(wanted, piece_size(stream.window)));
    found->second->last_use = ++uses_;
    *start = found->first;
    const auto piece = found->second;
    stream.expected = std::min(offset + wanted, *start + piece->size);
    if (goes_on) read_ahead(facts, offset, &stream);
    make_room();
    return piece;
  }

  using Pieces = std::map<std::uint64_t, std::shared_ptr<Piece>>;
  Pieces::iterator holding(std::uint64_t offset) const {
    auto next = pieces_.upper_bound(offset);
    if (next == pieces_.begin()) return pieces_.end();
    --next;
    return offset - next->first < next->second->size ? next : pieces_.end();
  }
  std::uint64_t piece_size(std::uint64_t window) const {
    return std::clamp(window / 4, ahead_.smallest_piece, ahead_.largest_piece);
  }

  Pieces::iterator begin_piece(const ObjectFacts& facts, std::uint64_t offset,
                               std::uint64_t size) const {
    const auto next = pieces_.upper_bound(offset);
    const std::uint64_t end = next == pieces_.end() ? facts.size : next->first;
    const auto piece =
        std::make_shared<Piece>(static_cast<std::size_t>(std::min(size, end - offset)));
    piece->last_use = ++uses_;
    run_in_background([source = source_, piece, offset, version = facts.version] {
      try {
        source->read(version, offset, {piece->bytes.get(), piece->size});
        piece->settle(nullptr);
      } catch (...) {
        piece->settle(std::current_exception());
      }
    });
    return pieces_.emplace(offset, piece).first;
  }

  // Once less than half of the window is on its way, a window of twice the size; the piece before
  // goes.
  void read_ahead(const ObjectFacts& facts, std::uint64_t offset, Stream* stream) const {
    const auto current = holding(offset);
    if (current != pieces_.begin()) {
      const auto before = std::prev(current);
      if (before->first + before->second->size == current->first) pieces_.erase(before);
    }
    std::uint64_t at = offset;
    for (auto held = holding(at); held != pieces_.end(); held = holding(at))
      at = held->first + held->second->size;
    std::uint64_t& window = stream->window;
    if (at - offset > window / 2 && window > 0) return;
    window = std::min(std::max(2 * window, 2 * ahead_.smallest_piece), largest_window());
    while (at < std::min(facts.size, offset + window) && all_kept < most_kept()) {
      const auto next = begin_piece(facts, at, piece_size(window));
      at += next->second->size;
    }
  }

  void make_room() const {
    std::uint64_t kept = 0;
    for (const auto& [start, piece] : pieces_) kept += piece->size;
    while (pieces_.size() > 1 && (kept > ahead_.kept || all_kept > most_kept())) {
      const auto oldest = std::ranges::min_element(
          pieces_, {}, [](const auto& entry) { return entry.second->last_use; });
      kept -= oldest->second->size;
      pieces_.erase(oldest);
    }
  }

  void forget(std::uint64_t start, const std::shared_ptr<Piece>& piece) const {
    const std::lock_guard lock(mutex_);
    const auto found = pieces_.find(start);
    if (found != pieces_.end() && found->second == piece) pieces_.erase(found);
  }

  void keep_tail(const ObjectFacts& facts, std::uint64_t offset, std::span<const char> out) const {
    if (offset + out.size() != facts.size) return;
    const std::lock_guard lock(mutex_);
    const std::size_t count = std::min(out.size(), kTail);
    tail_.assign(out.data() + out.size() - count, count);
  }

  // Whether the file has grown since.
  bool look_again() const {
    const std::lock_guard lock(mutex_);
    if (monotonic_nanos() - looked_ < kLookAgainNanos) return false;
    looked_ = monotonic_nanos();
    const ObjectFacts now = source_->facts();
    if (now.version == facts_.version && now.size == facts_.size) return false;
    std::string tail(tail_.size(), '\0');
    const bool has_grown = now.size >= facts_.size;
    if (has_grown && !tail.empty())
      source_->read(now.version, facts_.size - tail.size(), {tail.data(), tail.size()});
    if (!has_grown || tail != tail_)
      raise(Code::kFailedPrecondition, path(), "; it was replaced while it was read");
    facts_ = now;
    pieces_.clear();
    return true;
  }

  const std::shared_ptr<const RangeSource> source_;
  const ReadAhead ahead_;
  mutable std::mutex mutex_;  // guards what follows
  mutable ObjectFacts facts_;
  mutable Pieces pieces_;
  mutable std::string tail_;  // the last bytes, once they were read
  mutable std::int64_t looked_;
  mutable std::uint64_t uses_ = 0;
  mutable std::array<Stream, 4> streams_;
};

}  // namespace

std::unique_ptr<ReadableFile> open_ranges(const std::string& path,
                                          std::shared_ptr<const RangeSource> source,
                                          const ObjectFacts& facts, const ReadAhead& ahead) {
  return std::make_unique<RangeReader>(path, std::move(source), facts, ahead);
}

std::uint64_t bytes_kept() { return all_kept; }

}  // namespace rill::stores
