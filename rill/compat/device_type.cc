// The device types of include/rill_device.h, as the runtime sees device types.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>

#include "rill/base/error.h"
#include "rill/compat/device_calls.h"
#include "rill/kernel/device_type.h"
#include "rill/tensor/device_memory.h"
#include "rill_device.h"

namespace rill {
namespace {

// Page-locked memory of a type.
class CPinnedMemory final : public Allocator {
 public:
  explicit CPinnedMemory(const rill_device_type& type)
      : Allocator(MemoryKind::pinned), type_(type) {}
  void* allocate(std::size_t bytes) override {
    void* block = type_.allocate_pinned(type_.context, bytes);
    if (block == nullptr)
      raise(Code::kResourceExhausted, "OOM: ", bytes, " bytes wanted from ", name());
    ++count_;
    live_ += static_cast<std::int64_t>(bytes);
    return block;
  }
  void deallocate(void* block, std::size_t bytes) noexcept override {
    live_ -= static_cast<std::int64_t>(bytes);
    type_.deallocate_pinned(type_.context, block, bytes);
  }
  AllocatorStats stats() const override {
    return {.allocation_count = count_, .live_bytes = live_};
  }
  void set_limit(std::int64_t) override {}
  std::string name() const override { return str_cat(type_.name, "_host"); }

 private:
  const rill_device_type& type_;
  std::atomic<std::int64_t> count_{0}, live_{0};
};

// The memory of one device; it stays for what outlives sessions.
class CDeviceMemory final : public Allocator, public MemoryCopier {
 public:
  CDeviceMemory(const rill_device_type& type, int index, Allocator* pinned)
      : Allocator(MemoryKind::device),
        type_(type),
        pinned_(pinned),
        index_(index),
        name_(str_cat("/job:localhost/replica:0/task:0/device:", type.name, ":", index)) {}

  void* allocate(std::size_t bytes) override {
    const auto wanted = static_cast<std::int64_t>(bytes);
    const std::int64_t live = stats_live_.fetch_add(wanted) + wanted;
    const bool allowed = limit_ == 0 || live <= limit_;
    void* block = allowed ? type_.allocate(type_.context, index_, bytes) : nullptr;
    if (block == nullptr) {
      stats_live_ -= wanted;
      raise(Code::kResourceExhausted, "OOM: ", bytes, " bytes wanted from ", name_, ", ",
            live - wanted, " in use");
    }
    ++count_;
    return block;
  }
  void deallocate(void* block, std::size_t bytes) noexcept override {
    stats_live_ -= static_cast<std::int64_t>(bytes);
    type_.deallocate(type_.context, index_, block, bytes);
  }
  AllocatorStats stats() const override {
    return {.allocation_count = count_, .live_bytes = stats_live_, .limit_bytes = limit_};
  }
  void set_limit(std::int64_t bytes) override { limit_ = bytes; }
  std::string name() const override { return str_cat(type_.name, "_", index_); }
  MemoryCopier* copier() override { return this; }

  const std::string& device_name() const override { return name_; }
  Allocator& allocator() override { return *this; }
  Allocator* staging() override { return pinned_; }
  void to_host(void* dst, const void* src, std::size_t bytes, Done done) override {
    copy(RILL_COPY_TO_HOST, dst, src, bytes, std::move(done));
  }
  void from_host(void* dst, const void* src, std::size_t bytes, Done done) override {
    copy(RILL_COPY_FROM_HOST, dst, src, bytes, std::move(done));
  }
  void within(void* dst, const void* src, std::size_t bytes, Done done) override {
    copy(RILL_COPY_WITHIN, dst, src, bytes, std::move(done));
  }

 private:
  struct Copy {
    Done done;
    std::string device;
  };
  static void ended(void* argument, const char* error) {
    const std::unique_ptr<Copy> copy(static_cast<Copy*>(argument));
    if (error == nullptr) return copy->done(nullptr);
    copy->done(std::make_exception_ptr(
        Error(Code::kUnavailable, str_cat("A copy on ", copy->device, " failed: ", error))));
  }
  void copy(int kind, void* dst, const void* src, std::size_t bytes, Done done) {
    auto waiting = std::make_unique<Copy>(Copy{std::move(done), name_});
    type_.copy(type_.context, index_, kind, dst, src, bytes, ended, waiting.release());
  }

  const rill_device_type& type_;
  Allocator* const pinned_;
  const int index_;
  const std::string name_;
  std::atomic<std::int64_t> count_{0}, stats_live_{0}, limit_{0};
};

class CDevice final : public PlugInDevice, public NumberedDevice {
 public:
  CDevice(const rill_device_type& type, const DeviceSlice& slice, Allocator& memory,
          ThreadPool& pool, const OpGuard* guard)
      : PlugInDevice(type.name, slice.index, pool, guard),
        type_(type),
        card_(slice.card),
        memory_(memory) {}

  Allocator& allocator(MemoryKind kind) override {
    Allocator* const pinned = memory_.copier()->staging();
    if (kind == MemoryKind::pinned && pinned != nullptr) return *pinned;
    return kind == MemoryKind::device ? memory_ : cpu_allocator();
  }
  MemoryKind memory_kind() const override { return MemoryKind::device; }
  std::uint64_t incarnation() const override { return static_cast<std::uint64_t>(card_) + 1; }
  int number() const override { return card_; }
  std::optional<LateError> finish(std::int64_t step_id) override {
    rill_late_error late{0, nullptr, nullptr};
    type_.finish(type_.context, card_, step_id, &late);
    if (late.code == 0) return std::nullopt;
    const char* message = late.message == nullptr ? "a kernel failed" : late.message;
    return LateError{.node = late.node == nullptr ? "" : late.node,
                     .inputs = {},
                     .error = std::make_exception_ptr(Error(code_of(late.code), message))};
  }

 private:
  const rill_device_type& type_;
  const int card_;
  Allocator& memory_;
};

class CDeviceType final : public DeviceType {
 public:
  explicit CDeviceType(const rill_device_type& type) : type_(whole(type)), name_(type.name) {
    if (type_.allocate_pinned != nullptr && type_.deallocate_pinned != nullptr)
      pinned_ = std::make_unique<CPinnedMemory>(type_);
    for (int i = 0; i < type_.count(type_.context); ++i)
      memories_.push_back(std::make_unique<CDeviceMemory>(type_, i, pinned_.get()));
  }
  const std::string& name() const override { return name_; }
  int priority() const override { return type_.priority; }
  int count() const override { return static_cast<int>(memories_.size()); }
  std::int64_t memory_bytes(int card) const override {
    return type_.memory_bytes == nullptr ? 0 : type_.memory_bytes(type_.context, card);
  }
  std::unique_ptr<PlugInDevice> open(const DeviceSlice& slice, ThreadPool& pool,
                                     const OpGuard* guard) override {
    Allocator& card = *memories_.at(static_cast<std::size_t>(slice.card));
    return std::make_unique<CDevice>(type_, slice, memory_of(slice, card), pool, guard);
  }

 private:
  // A library that was compiled with an older header knows less of it.
  static rill_device_type whole(const rill_device_type& type) {
    rill_device_type copy{};
    std::memcpy(&copy, &type, std::min(sizeof copy, type.struct_size));
    return copy;
  }

  const rill_device_type type_;
  const std::string name_;
  std::unique_ptr<CPinnedMemory> pinned_;
  std::vector<std::unique_ptr<CDeviceMemory>> memories_;
};

bool is_whole(const rill_device_type* type) {
  constexpr std::size_t kLeast = offsetof(rill_device_type, allocate_pinned);
  return type != nullptr && type->struct_size >= kLeast && type->name != nullptr &&
         *type->name != '\0' && type->count != nullptr && type->allocate != nullptr &&
         type->deallocate != nullptr && type->copy != nullptr && type->finish != nullptr;
}

}  // namespace

Code code_of(int code) {
  return code > 0 && code <= static_cast<int>(Code::kUnauthenticated) ? static_cast<Code>(code)
                                                                      : Code::kUnknown;
}

}  // namespace rill

int rill_register_device_type(const rill_device_type* type) {
  if (!rill::is_whole(type)) return RILL_INVALID_ARGUMENT;
  try {
    rill::register_device_type(std::make_shared<rill::CDeviceType>(*type));
    return 0;
  } catch (...) {
    return static_cast<int>(rill::current_error().code());
  }
}
