#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <string>

#include "rill/tensor/allocator.h"

namespace rill {

class Tensor;

inline constexpr std::size_t kStagingBytes = std::size_t{1} << 20;

// Moves bytes into, out of and inside the memory of one device. A copy begins after everything that
// was enqueued on the device before it, so whoever copies what a kernel computes need not know
// whether that has run. Safe from several threads.
class MemoryCopier {
 public:
  // Called once, from any thread, when the bytes are there or never will be: with the error of the
  // copy, or that of a lost device. Both memories stay valid until then.
  using Done = std::function<void(std::exception_ptr error)>;
  virtual ~MemoryCopier() = default;
  virtual const std::string& device_name() const = 0;
  virtual Allocator& allocator() = 0;  // the device's own
  // Page-locked memory, where copies from and to other host memory are quick only through such:
  // they then go in pieces of at most kStagingBytes, of which two are under way at once.
  virtual Allocator* staging() { return nullptr; }
  virtual void to_host(void* dst, const void* src, std::size_t bytes, Done done) = 0;
  virtual void from_host(void* dst, const void* src, std::size_t bytes, Done done) = 0;
  virtual void within(void* dst, const void* src, std::size_t bytes, Done done) = 0;
};

// As copy_tensor(), without waiting: the tensors are kept until `done` has been called. Between two
// devices the bytes go through the host.
void start_copy(const Tensor& from, const Tensor& to, MemoryCopier::Done done);
// The waiting form, for copy_tensor().
void copy_device_tensor(const Tensor& from, const Tensor& to);

// While it lives, this thread may read and write elements in device memory through tensors: for
// devices whose memory the CPU reaches, on the threads that run their kernels.
class DeviceMemoryAccess {
 public:
  DeviceMemoryAccess() : outer_(allowed_) { allowed_ = true; }
  ~DeviceMemoryAccess() { allowed_ = outer_; }
  DeviceMemoryAccess(const DeviceMemoryAccess&) = delete;
  DeviceMemoryAccess& operator=(const DeviceMemoryAccess&) = delete;
  static bool allowed() { return allowed_; }

 private:
  const bool outer_;
  static constinit thread_local bool allowed_;
};

}  // namespace rill
