#ifndef TENSORFLOW_CORE_PLATFORM_MACROS_H_
#define TENSORFLOW_CORE_PLATFORM_MACROS_H_

#include <cstddef>

#define TF_ATTRIBUTE_NORETURN __attribute__((noreturn))
#define TF_ATTRIBUTE_ALWAYS_INLINE __attribute__((always_inline))
#define TF_ATTRIBUTE_NOINLINE __attribute__((noinline))
#define TF_ATTRIBUTE_UNUSED __attribute__((unused))
#define TF_ATTRIBUTE_COLD __attribute__((cold))
#define TF_ATTRIBUTE_WEAK __attribute__((weak))
#define TF_PACKED __attribute__((packed))
#define TF_MUST_USE_RESULT __attribute__((warn_unused_result))
#define TF_PRINTF_ATTRIBUTE(string_index, first_to_check) \
  __attribute__((__format__(__printf__, string_index, first_to_check)))
#define TF_SCANF_ATTRIBUTE(string_index, first_to_check) \
  __attribute__((__format__(__scanf__, string_index, first_to_check)))
#define TF_EXPORT __attribute__((visibility("default")))

#define TF_PREDICT_FALSE(x) (__builtin_expect(static_cast<bool>(x), false))
#define TF_PREDICT_TRUE(x) (__builtin_expect(static_cast<bool>(x), true))

#define TF_DISALLOW_COPY_AND_ASSIGN(TypeName) \
  TypeName(const TypeName&) = delete;         \
  void operator=(const TypeName&) = delete

#define TF_ARRAYSIZE(a) (sizeof(a) / sizeof(*(a)))
#define TF_FALLTHROUGH_INTENDED \
  do {                          \
  } while (0)

namespace tensorflow {
namespace internal {
template <typename T>
void remove_unused_variable_compiler_warning(const T&) {}
}  // namespace internal
}  // namespace tensorflow
#define TF_UNUSED_VARIABLE(x) ::tensorflow::internal::remove_unused_variable_compiler_warning(x)

#endif
