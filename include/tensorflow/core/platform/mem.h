#ifndef TENSORFLOW_CORE_PLATFORM_MEM_H_
#define TENSORFLOW_CORE_PLATFORM_MEM_H_

#include <cstddef>
#include <cstdlib>

namespace tensorflow {
namespace port {

// nullptr where there is no memory left.
inline void* AlignedMalloc(size_t size, int minimum_alignment) {
  const size_t least = sizeof(void*);
  const size_t wanted = static_cast<size_t>(minimum_alignment);
  void* pointer = nullptr;
  return posix_memalign(&pointer, wanted < least ? least : wanted, size) == 0 ? pointer : nullptr;
}
inline void AlignedFree(void* aligned_memory) { std::free(aligned_memory); }
inline void* Malloc(size_t size) { return std::malloc(size); }
inline void* Realloc(void* pointer, size_t size) { return std::realloc(pointer, size); }
inline void Free(void* pointer) { std::free(pointer); }

}  // namespace port
}  // namespace tensorflow

#endif
