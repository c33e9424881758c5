#include <cmath>
#include <numbers>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/slicing.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/sequences.h"
#include "rill/api/signal/signal_parts.h"
#include "rill/api/signal/transforms.h"

namespace rill::signal {
namespace {

using parts::list_of;

std::int64_t known_last(Output x) {
  return x.shape().has_rank() ? x.shape()[x.shape().rank() - 1] : -1;
}

Extent last_extent(Output x) {
  if (known_last(x) > 0) return known_last(x);
  return parts::item(rill::shape(x), -1);
}

void check_dct_options(Output x, const DctOptions& options) {
  if (options.axis != -1) raise(Code::kUnimplemented, "axis must be -1. Got: ", options.axis);
  require(!options.n || *options.n >= 1, "n should be a positive integer or None");
  require(options.type >= 1 && options.type <= 4, "Types I, II, III and IV (I)DCT are supported.");
  const bool is_ortho = options.norm == "ortho";
  require(options.norm.empty() || is_ortho,
          "Unknown normalization. Expected None or 'ortho', got: ", options.norm);
  if (options.type != 1) return;
  require(!is_ortho, "Normalization is not supported for the Type-I DCT.");
  require(known_last(x) != 0 && known_last(x) != 1,
          "Type-I DCT requires the dimension to be greater than one.");
}

// Rows of zeros in front of a last one, as paddings are.
Input paddings_of_last(Output x, const Extent& behind) {
  require(x.shape().has_rank(), "dct needs a tensor of known rank to change its length");
  std::vector<Input> rows(static_cast<std::size_t>(x.shape().rank() - 1), list_of({0, 0}));
  rows.push_back(list_of({0, behind.input()}));
  return list_of(std::move(rows));
}

// x, cropped or padded with zeros to length n.
Output resized(Output x, const Extent& n, const Extent& size) {
  const auto cropped = [&] {
    return slice(x, {Ellipsis{}, SliceRange{.start = 0, .stop = n.input()}});
  };
  const auto padded = [&] {
    const Extent more = n - size;
    const Input paddings = paddings_of_last(x, more);
    return pad(x, as_tensor(paddings, paddings.is_value() ? "Const" : "packed"));
  };
  if (n.is_known() && size.is_known()) return n.number() <= size.number() ? cropped() : padded();
  return cond_one(raw::LessEqual(n.input(), size.input()), cropped, padded);
}

// One transform under construction.
struct Dct {
  Output x, zero;
  Extent size = 0;
  Output count;  // the size as a float
  bool is_ortho = false;

  Output steps(bool negated) const {
    const Output all = range(count);
    const Output half_turns = (negated ? raw::Neg(all) : all) * std::numbers::pi;
    return (half_turns * 0.5) / count;
  }
  Output roots(bool negated) const {
    const Output angles = steps(negated);
    return 2.0 * raw::Exp(complex(zero, angles));
  }
  // The first weight is another one.
  Output weights(Output first, Output others) const {
    const Output alone = expand_dims(first, 0);
    const Extent rest = size - 1;
    return pad(alone, list_of({list_of({0, rest.input()})}), {.constant_values = others});
  }
  RealFftOptions doubled() const {
    const Extent twice = Extent(2) * size;
    return {.fft_length = list_of({twice.input()})};
  }

  Output type1() const {
    const Output mirrored = slice(x, {Ellipsis{}, SliceRange{.start = -2, .stop = 0, .step = -1}});
    return real(rfft(concat({x, mirrored}, -1)));
  }
  Output type2() const {
    const Output scale = roots(true);
    const Output spectrum = first_of_last(rfft(x, doubled()), size);
    const Output result = real(spectrum * scale);
    if (!is_ortho) return result;
    const Output first = 0.5 * raw::Rsqrt(count);
    return result * weights(first, first * std::sqrt(2.0));
  }
  Output type3() const {
    const auto weighted = [&] {
      if (!is_ortho) return x * count;
      const Output first = raw::Sqrt(count);
      const Output others = first * std::sqrt(0.5);
      return x * weights(first, others);
    };
    const Output input = weighted();
    const Output scale = roots(false);
    const Output spectrum = scale * complex(input, zero);
    return first_of_last(irfft(spectrum, doubled()), size);
  }
  Output type4() const;
};

Dct dct_of(const Input& input, const DctOptions& options, const std::optional<Extent>& n) {
  Dct t;
  t.x = as_tensor(input, "Const", DType::f32);
  check_dct_options(t.x, options);
  t.zero = as_tensor(0.0, "Const", DType::f32);
  const Extent size = last_extent(t.x);
  if (n) t.x = resized(t.x, *n, size);
  t.size = last_extent(t.x);
  t.count = cast(t.size.input(), DType::f32);
  t.is_ortho = options.norm == "ortho";
  return t;
}

Output Dct::type4() const {
  const Extent twice = Extent(2) * size;
  const auto second = [&] {
    const Block in("", "dct", std::source_location::current());
    return dct_of(x, {}, twice).type2();
  };
  const Output odd = slice(second(), {Ellipsis{}, SliceRange{.start = 1, .step = 2}});
  if (!is_ortho) return odd;
  return odd * (std::sqrt(0.5) * raw::Rsqrt(count));
}

}  // namespace

Output dct(const Input& input, const DctOptions& options, std::source_location at) {
  const Block in(options.name, "dct", at);
  const auto n = options.n ? std::optional<Extent>(*options.n) : std::nullopt;
  const Dct transform = dct_of(input, options, n);
  switch (options.type) {
    case 1:
      return transform.type1();
    case 2:
      return transform.type2();
    case 3:
      return transform.type3();
    default:
      return transform.type4();
  }
}

Output idct(const Input& input, const DctOptions& options, std::source_location at) {
  DctOptions inverse = options;
  if (options.type == 2) inverse.type = 3;
  if (options.type == 3) inverse.type = 2;
  return dct(input, inverse, at);
}

}  // namespace rill::signal
