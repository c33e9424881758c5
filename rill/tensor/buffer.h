#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <utility>

#include "rill/tensor/allocator.h"
#include "rill/tensor/dtype.h"

namespace rill {

// Reference-counted storage of a tensor's elements. Owned host storage has this header and the data
// in one block; of device memory the header is apart, on the host. Borrowed storage (a NumPy array,
// DLPack, a mapped file) is the host's and calls `release` at the end.
class Buffer {
 public:
  // `count` default-constructed elements; trivial ones are left uninitialised. Throws Internal for
  // objects (strings, handles, variants) in device memory: they are always the host's.
  static Buffer* allocate(DType dtype, std::size_t count, Allocator& allocator);
  // `release` may be empty. It is called in whichever thread drops the last reference.
  static Buffer* borrow(void* data, std::size_t bytes, std::function<void()> release,
                        bool read_only);

  // Aligned to kBlockAlignment when owned.
  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  Allocator* allocator() const { return allocator_; }  // nullptr when borrowed
  MemoryKind memory_kind() const { return kind_; }
  bool borrowed() const { return allocator_ == nullptr; }
  // Storage that its owner forbids to write; kernels then write their results elsewhere.
  bool read_only() const { return read_only_; }

  // Counting is safe from several threads. A new buffer has one reference, its maker's.
  void ref() { refs_.fetch_add(1, std::memory_order_relaxed); }
  void unref() {
    if (refs_.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy();
  }
  // True when the caller has the only reference, so that nobody can take another one meanwhile.
  bool unique() const { return refs_.load(std::memory_order_acquire) == 1; }

 private:
  Buffer() = default;
  ~Buffer() = default;
  static Buffer* allocate_apart(DType dtype, std::size_t bytes, Allocator& allocator);
  void destroy();

  std::atomic<int> refs_{1};
  DType dtype_ = DType::invalid;
  MemoryKind kind_ = MemoryKind::host;
  bool read_only_ = false;
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  Allocator* allocator_ = nullptr;
  std::function<void()>* release_ = nullptr;
};

// A reference that counts itself. The constructor takes over the one that its maker had.
class BufferRef {
 public:
  BufferRef() = default;
  explicit BufferRef(Buffer* adopted) : buffer_(adopted) {}
  BufferRef(const BufferRef& other) : buffer_(other.buffer_) {
    if (buffer_ != nullptr) buffer_->ref();
  }
  BufferRef(BufferRef&& other) noexcept : buffer_(std::exchange(other.buffer_, nullptr)) {}
  BufferRef& operator=(BufferRef other) noexcept {
    std::swap(buffer_, other.buffer_);
    return *this;
  }
  ~BufferRef() {
    if (buffer_ != nullptr) buffer_->unref();
  }
  Buffer* get() const { return buffer_; }
  Buffer* operator->() const { return buffer_; }
  explicit operator bool() const { return buffer_ != nullptr; }

 private:
  Buffer* buffer_ = nullptr;
};

}  // namespace rill
