#pragma once

#include <source_location>

#include "rill/api/core/default_graph.h"
#include "rill/api/math/options.h"

namespace rill {

// Types of numbers.

// `x` as another type; the same tensor where it has that type already. Floats lose their fraction,
// complex numbers their imaginary part.
Output cast(const Input& x, DType dtype, const MathOptions& options = {},
            std::source_location at = std::source_location::current());
// The same, with values that do not fit brought to the ends of the type's range: 300 becomes 255 as
// uint8. Throws TypeError for types without a range.
Output saturate_cast(const Input& value, DType dtype, const MathOptions& options = {},
                     std::source_location at = std::source_location::current());

// Casts under their old names, which their nodes have.
Output to_float(const Input& x, const MathOptions& options = {"ToFloat"},
                std::source_location at = std::source_location::current());
Output to_double(const Input& x, const MathOptions& options = {"ToDouble"},
                 std::source_location at = std::source_location::current());
Output to_int32(const Input& x, const MathOptions& options = {"ToInt32"},
                std::source_location at = std::source_location::current());
Output to_int64(const Input& x, const MathOptions& options = {"ToInt64"},
                std::source_location at = std::source_location::current());
Output to_bfloat16(const Input& x, const MathOptions& options = {"ToBFloat16"},
                   std::source_location at = std::source_location::current());
Output to_complex64(const Input& x, const MathOptions& options = {"ToComplex64"},
                    std::source_location at = std::source_location::current());
Output to_complex128(const Input& x, const MathOptions& options = {"ToComplex128"},
                     std::source_location at = std::source_location::current());

// A complex number of two floats or doubles; throws TypeError on other types, or two different
// ones.
Output complex(const Input& real, const Input& imag, const MathOptions& options = {},
               std::source_location at = std::source_location::current());
// The parts of complex numbers; real numbers have only the first.
Output real(const Input& input, const MathOptions& options = {},
            std::source_location at = std::source_location::current());
Output imag(const Input& input, const MathOptions& options = {},
            std::source_location at = std::source_location::current());
// Real numbers are their own conjugates: the same tensor. Throws TypeError for what is no number.
Output conj(const Input& x, const MathOptions& options = {},
            std::source_location at = std::source_location::current());
// The angle of complex numbers; of real ones pi where they are negative.
Output angle(const Input& input, const MathOptions& options = {},
             std::source_location at = std::source_location::current());

namespace dtypes {
using rill::cast;
using rill::complex;
using rill::saturate_cast;
}  // namespace dtypes
namespace math {
using rill::angle;
using rill::conj;
using rill::imag;
using rill::real;
}  // namespace math

}  // namespace rill
