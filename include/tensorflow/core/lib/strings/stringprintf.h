#ifndef TENSORFLOW_CORE_LIB_STRINGS_STRINGPRINTF_H_
#define TENSORFLOW_CORE_LIB_STRINGS_STRINGPRINTF_H_

#include <cstdarg>
#include <string>

#include "tensorflow/core/platform/macros.h"

namespace tensorflow {
namespace strings {

std::string Printf(const char* format, ...) TF_PRINTF_ATTRIBUTE(1, 2);
void Appendf(std::string* dst, const char* format, ...) TF_PRINTF_ATTRIBUTE(2, 3);
void Appendv(std::string* dst, const char* format, va_list ap);

}  // namespace strings
}  // namespace tensorflow

#endif
