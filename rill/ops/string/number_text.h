#pragma once

#include <string_view>

namespace rill {

// Numbers as TensorFlow reads them, white space around them allowed. False when `text` is none.
//
// Integers are decimal, have no '+' and must be in range. Floats may be hexadecimal integers
// ("0x1f"), "inf" or "nan" in any case; what is too large is infinite; white space alone is zero;
// more than 31 characters are refused.
template <class T>  // std::int32_t, std::int64_t, float or double
bool read_number(std::string_view text, T* number);

}  // namespace rill
