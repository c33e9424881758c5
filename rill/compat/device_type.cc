// The device types of include/rill_device.h, as the runtime sees device types.
#include <memory>
#include <string>

#include "rill/base/error.h"
#include "rill/compat/device_calls.h"
#include "rill/kernel/device_type.h"
#include "rill/tensor/device_memory.h"
#include "rill_device.h"

namespace rill {
namespace {

// The memory of one device; it stays for what outlives sessions.
class CDeviceMemory final : public Allocator, public MemoryCopier {
 public:
  CDeviceMemory(const rill_device_type& type, int index)
      : Allocator(MemoryKind::device),
        type_(type),
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
  explicit CDeviceType(const rill_device_type& type) : type_(type), name_(type.name) {
    for (int i = 0; i < type.count(type.context); ++i)
      memories_.push_back(std::make_unique<CDeviceMemory>(type, i));
  }
  const std::string& name() const override { return name_; }
  int priority() const override { return type_.priority; }
  int count() const override { return static_cast<int>(memories_.size()); }
  std::unique_ptr<PlugInDevice> open(const DeviceSlice& slice, ThreadPool& pool,
                                     const OpGuard* guard) override {
    Allocator& card = *memories_.at(static_cast<std::size_t>(slice.card));
    return std::make_unique<CDevice>(type_, slice, memory_of(slice, card), pool, guard);
  }

 private:
  const rill_device_type& type_;
  const std::string name_;
  std::vector<std::unique_ptr<CDeviceMemory>> memories_;
};

bool is_whole(const rill_device_type* type) {
  return type != nullptr && type->struct_size >= sizeof(rill_device_type) &&
         type->name != nullptr && *type->name != '\0' && type->count != nullptr &&
         type->allocate != nullptr && type->deallocate != nullptr && type->copy != nullptr &&
         type->finish != nullptr;
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
