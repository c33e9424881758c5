#ifndef TENSORFLOW_CORE_LIB_STRINGS_NUMBERS_H_
#define TENSORFLOW_CORE_LIB_STRINGS_NUMBERS_H_

#include <string>

#include "tensorflow/core/lib/core/stringpiece.h"
#include "tensorflow/core/platform/types.h"

namespace tensorflow {
namespace strings {

// The shortest text that reads back as the same number.
std::string FloatToText(float v);
std::string DoubleToText(double v);

// The whole text must be one number, white space around it aside; false otherwise.
bool safe_strto32(StringPiece str, int32* value);
bool safe_strtou32(StringPiece str, uint32* value);
bool safe_strto64(StringPiece str, int64* value);
bool safe_strtou64(StringPiece str, uint64* value);
bool safe_strtof(StringPiece str, float* value);
bool safe_strtod(StringPiece str, double* value);

std::string HumanReadableNum(int64 value);           // "1.23M"
std::string HumanReadableNumBytes(int64 num_bytes);  // "1.2KiB"
std::string HumanReadableElapsedTime(double seconds);

}  // namespace strings
}  // namespace tensorflow

#endif
