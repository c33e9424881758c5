#include "rill/tensor/device_memory.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <mutex>

#include "rill/tensor/tensor.h"

namespace rill {

constinit thread_local bool DeviceMemoryAccess::allowed_ = false;

namespace {

MemoryCopier* copier_of(const Tensor& tensor) {
  return tensor.memory_kind() == MemoryKind::device ? tensor.buffer()->allocator()->copier()
                                                    : nullptr;
}

// A copy between the device and host memory that is not page-locked. The host's half of each piece
// (filling or emptying it) is done while the device copies the other piece. Kept by the pieces that
// are under way.
class StagedCopy : public std::enable_shared_from_this<StagedCopy> {
 public:
  StagedCopy(MemoryCopier& copier, const Tensor& host, const Tensor& device, bool to_host,
             MemoryCopier::Done done)
      : copier_(copier),
        host_(static_cast<char*>(host.raw_data())),
        device_(static_cast<char*>(device.raw_data())),
        bytes_(host.byte_size()),
        to_host_(to_host),
        done_(std::move(done)) {}

  void start() {
    const std::size_t pieces =
        std::min<std::size_t>(2, (bytes_ + kStagingBytes - 1) / kStagingBytes);
    const Shape size{static_cast<std::int64_t>(std::min(bytes_, kStagingBytes))};
    std::vector<std::shared_ptr<Tensor>> staging;
    try {
      for (std::size_t i = 0; i < pieces; ++i)
        staging.push_back(std::make_shared<Tensor>(DType::u8, size, *copier_.staging()));
    } catch (...) {
      return done_(std::current_exception());
    }
    under_way_ = static_cast<int>(pieces);
    for (auto& piece : staging) next_piece(std::move(piece));
  }

 private:
  struct Piece {
    std::size_t begin = 0, size = 0;
  };

  Piece take_piece() {
    const std::lock_guard lock(mutex_);
    const Piece piece{begin_, failed_ ? 0 : std::min(kStagingBytes, bytes_ - begin_)};
    begin_ += piece.size;
    return piece;
  }

  void next_piece(std::shared_ptr<Tensor> staging) {
    const Piece piece = take_piece();
    if (piece.size == 0) {
      staging.reset();
      return end();
    }
    void* const block = staging->raw_data();
    MemoryCopier::Done copied = [self = shared_from_this(), staging,
                                 piece](std::exception_ptr error) mutable {
      self->piece_copied(std::move(staging), piece, std::move(error));
    };
    if (to_host_)
      return copier_.to_host(block, device_ + piece.begin, piece.size, std::move(copied));
    std::memcpy(block, host_ + piece.begin, piece.size);
    copier_.from_host(device_ + piece.begin, block, piece.size, std::move(copied));
  }

  void piece_copied(std::shared_ptr<Tensor> staging, Piece piece, std::exception_ptr error) {
    if (error) {
      const std::lock_guard lock(mutex_);
      failed_ = true;
      if (!error_) error_ = error;
    } else if (to_host_) {
      std::memcpy(host_ + piece.begin, staging->raw_data(), piece.size);
    }
    next_piece(std::move(staging));
  }

  void end() {
    {
      const std::lock_guard lock(mutex_);
      if (--under_way_ > 0) return;
    }
    done_(error_);
  }

  MemoryCopier& copier_;
  char* const host_;
  char* const device_;
  const std::size_t bytes_;
  const bool to_host_;
  const MemoryCopier::Done done_;
  std::mutex mutex_;
  std::size_t begin_ = 0;  // of what no piece has taken yet
  int under_way_ = 0;
  bool failed_ = false;
  std::exception_ptr error_;
};

bool needs_staging(MemoryCopier& copier, const Tensor& host) {
  return copier.staging() != nullptr && host.memory_kind() != MemoryKind::pinned;
}

void copy_between_devices(const Tensor& from, const Tensor& to, const MemoryCopier::Done& done) {
  Allocator* const pinned = copier_of(from)->staging();
  const Tensor staging(from.dtype(), from.shape(), pinned == nullptr ? cpu_allocator() : *pinned);
  start_copy(from, staging, [staging, to, done](std::exception_ptr error) {
    if (error) return done(error);
    start_copy(staging, to, done);
  });
}

}  // namespace

void start_copy(const Tensor& from, const Tensor& to, MemoryCopier::Done done) {
  MemoryCopier* const source = copier_of(from);
  MemoryCopier* const target = copier_of(to);
  if (source != nullptr && target != nullptr && source != target)
    return copy_between_devices(from, to, done);
  const std::size_t bytes = from.byte_size();
  if (bytes == 0 || (source == nullptr && target == nullptr)) {
    if (bytes > 0) copy_tensor(from, to);
    return done(nullptr);
  }
  // Both are kept until the end, and let go of before anybody hears of it: whoever then takes over
  // the copy has it alone.
  auto kept = [from = Tensor(from), to = Tensor(to),
               done = std::move(done)](std::exception_ptr error) mutable {
    from.clear();
    to.clear();
    done(error);
  };
  if (source == nullptr || target == nullptr) {
    MemoryCopier& copier = source == nullptr ? *target : *source;
    const Tensor &host = source == nullptr ? from : to, &device = source == nullptr ? to : from;
    if (needs_staging(copier, host))
      return std::make_shared<StagedCopy>(copier, host, device, target == nullptr, std::move(kept))
          ->start();
    if (source == nullptr)
      return copier.from_host(to.raw_data(), from.raw_data(), bytes, std::move(kept));
    return copier.to_host(to.raw_data(), from.raw_data(), bytes, std::move(kept));
  }
  source->within(to.raw_data(), from.raw_data(), bytes, std::move(kept));
}

void copy_device_tensor(const Tensor& from, const Tensor& to) {
  struct Waiting {
    std::mutex mutex;
    std::condition_variable ended;
    bool done = false;
    std::exception_ptr error;
  };
  const auto waiting = std::make_shared<Waiting>();
  start_copy(from, to, [waiting](std::exception_ptr error) {
    const std::lock_guard lock(waiting->mutex);
    waiting->error = error;
    waiting->done = true;
    waiting->ended.notify_all();
  });
  std::unique_lock lock(waiting->mutex);
  waiting->ended.wait(lock, [&] { return waiting->done; });
  if (waiting->error) std::rethrow_exception(waiting->error);
}

}  // namespace rill
