#include "rill/tensor/buffer.h"

#include <memory>
#include <new>
#include <string>

#include "rill/base/error.h"
#include "rill/tensor/allocation_count.h"
#include "rill/tensor/resource_handle.h"
#include "rill/tensor/variant.h"

namespace rill {
namespace {

// Data starts this far into an owned block, which keeps it aligned to kBlockAlignment.
constexpr std::size_t kHeaderBytes =
    (sizeof(Buffer) + kBlockAlignment - 1) / kBlockAlignment * kBlockAlignment;

template <class F>
void with_object_type(DType dtype, F f) {
  if (dtype == DType::string) f(static_cast<std::string*>(nullptr));
  if (dtype == DType::resource) f(static_cast<ResourceHandle*>(nullptr));
  if (dtype == DType::variant) f(static_cast<Variant*>(nullptr));
}

}  // namespace

Buffer* Buffer::allocate(DType dtype, std::size_t count, Allocator& allocator) {
  std::size_t bytes = 0;
  const bool overflow =
      __builtin_mul_overflow(count, element_size(dtype), &bytes) || bytes > SIZE_MAX - kHeaderBytes;
  if (overflow) raise(Code::kResourceExhausted, "OOM: ", count, " elements do not fit in memory");
  if (allocator.kind() == MemoryKind::device) return allocate_apart(dtype, bytes, allocator);
  void* block = allocator.allocate(kHeaderBytes + bytes);
  auto* buffer = new (block) Buffer;
  buffer->dtype_ = dtype;
  buffer->data_ = static_cast<char*>(block) + kHeaderBytes;
  buffer->bytes_ = bytes;
  buffer->allocator_ = &allocator;
  buffer->kind_ = allocator.kind();
  with_object_type(dtype, [&]<class T>(T*) {
    std::uninitialized_value_construct_n(static_cast<T*>(buffer->data_), count);
  });
  return buffer;
}

Buffer* Buffer::allocate_apart(DType dtype, std::size_t bytes, Allocator& allocator) {
  if (!is_trivial(dtype))
    raise(Code::kInternal, "elements of type ", dtype, " cannot lie in memory of allocator ",
          allocator.name());
  std::unique_ptr<Buffer, void (*)(Buffer*)> buffer(new Buffer, [](Buffer* b) { delete b; });
  buffer->data_ = allocator.allocate(bytes);
  buffer->dtype_ = dtype;
  buffer->bytes_ = bytes;
  buffer->allocator_ = &allocator;
  buffer->kind_ = MemoryKind::device;
  return buffer.release();
}

Buffer* Buffer::borrow(void* data, std::size_t bytes, std::function<void()> release,
                       bool read_only) {
  auto owned = std::make_unique<std::function<void()>>(std::move(release));
  auto* buffer = new Buffer;
  buffer->data_ = data;
  buffer->bytes_ = bytes;
  buffer->read_only_ = read_only;
  buffer->release_ = owned.release();
  return buffer;
}

void Buffer::destroy() {
  if (allocator_ == nullptr) {
    if (*release_) (*release_)();
    delete release_;
    delete this;
    return;
  }
  if (kind_ == MemoryKind::device) {
    allocator_->deallocate(data_, bytes_);
    delete this;
    return;
  }
  with_object_type(
      dtype_, [&]<class T>(T*) { std::destroy_n(static_cast<T*>(data_), bytes_ / sizeof(T)); });
  Allocator* allocator = allocator_;
  const std::size_t block_bytes = kHeaderBytes + bytes_;
  this->~Buffer();
  allocator->deallocate(this, block_bytes);
}

std::int64_t cpu_bytes_for_elements(std::int64_t bytes) {
  return cpu_block_bytes(static_cast<std::int64_t>(kHeaderBytes) + bytes);
}

}  // namespace rill
