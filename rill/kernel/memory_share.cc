#include "rill/kernel/memory_share.h"

#include <algorithm>

#include "rill/base/error.h"
#include "rill/tensor/device_memory.h"

namespace rill {

// Copies between two shares of one card go through the host, as between two cards.
class MemoryShares::Share final : public Allocator, public MemoryCopier {
 public:
  Share(std::string device, std::int64_t limit, Allocator& card)
      : Allocator(card.kind()), device_(std::move(device)), card_(card) {
    stats_.limit_bytes = limit;
  }

  void* allocate(std::size_t bytes) override {
    reserve(static_cast<std::int64_t>(bytes));
    try {
      return card_.allocate(bytes);
    } catch (...) {
      give_back(static_cast<std::int64_t>(bytes));
      throw;
    }
  }
  void deallocate(void* block, std::size_t bytes) noexcept override {
    card_.deallocate(block, bytes);
    give_back(static_cast<std::int64_t>(bytes));
  }
  AllocatorStats stats() const override {
    const std::lock_guard lock(mutex_);
    return stats_;
  }
  void set_limit(std::int64_t bytes) override {
    const std::lock_guard lock(mutex_);
    stats_.limit_bytes = bytes;
  }
  std::string name() const override { return card_.name(); }
  MemoryCopier* copier() override { return card_.copier() == nullptr ? nullptr : this; }

  const std::string& device_name() const override { return device_; }
  Allocator& allocator() override { return *this; }
  Allocator* staging() override { return card_.copier()->staging(); }
  void to_host(void* dst, const void* src, std::size_t bytes, Done done) override {
    card_.copier()->to_host(dst, src, bytes, std::move(done));
  }
  void from_host(void* dst, const void* src, std::size_t bytes, Done done) override {
    card_.copier()->from_host(dst, src, bytes, std::move(done));
  }
  void within(void* dst, const void* src, std::size_t bytes, Done done) override {
    card_.copier()->within(dst, src, bytes, std::move(done));
  }

 private:
  void reserve(std::int64_t bytes) {
    const std::lock_guard lock(mutex_);
    if (stats_.limit_bytes > 0 && stats_.live_bytes + bytes > stats_.limit_bytes)
      raise(Code::kResourceExhausted, "OOM: ", bytes, " bytes wanted from allocator of ", device_,
            ", ", stats_.live_bytes, " of ", stats_.limit_bytes, " in use");
    ++stats_.allocation_count;
    stats_.live_bytes += bytes;
    stats_.peak_bytes = std::max(stats_.peak_bytes, stats_.live_bytes);
  }
  void give_back(std::int64_t bytes) noexcept {
    const std::lock_guard lock(mutex_);
    stats_.live_bytes -= bytes;
  }

  const std::string device_;
  Allocator& card_;
  mutable std::mutex mutex_;
  AllocatorStats stats_;
};

MemoryShares::MemoryShares() = default;
MemoryShares::~MemoryShares() = default;

Allocator& MemoryShares::find(const std::string& type, int index, int card_number,
                              std::int64_t limit, Allocator& card) {
  if (limit == 0 && index == card_number) return card;
  const std::lock_guard lock(mutex_);
  auto& share = shares_[{index, card_number, limit}];
  if (share == nullptr)
    share = std::make_unique<Share>(
        str_cat("/job:localhost/replica:0/task:0/device:", type, ":", index), limit, card);
  return *share;
}

}  // namespace rill
