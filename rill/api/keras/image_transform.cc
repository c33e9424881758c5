#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "rill/api/keras/image_data.h"

namespace rill::keras::preprocessing::image {
namespace {

enum class Fill { nearest, constant, reflect, wrap };

Fill fill_named(const std::string& name) {
  if (name == "nearest") return Fill::nearest;
  if (name == "constant") return Fill::constant;
  if (name == "reflect") return Fill::reflect;
  if (name == "wrap") return Fill::wrap;
  raise(Code::kInvalidArgument, "fill_mode must be nearest, constant, reflect or wrap, not '", name,
        "'");
}

template <class Function>
Tensor with_floats(const Tensor& image, Function function) {
  require(image.dtype() == DType::f32 || image.dtype() == DType::f64,
          "pictures must be of floats, got ", image.dtype());
  return image.dtype() == DType::f32 ? function(static_cast<float*>(nullptr))
                                     : function(static_cast<double*>(nullptr));
}

// A matrix of homogeneous coordinates without its last row, which is 0 0 1.
struct Affine {
  double a = 1, b = 0, c = 0, d = 0, e = 1, f = 0;

  Affine operator*(const Affine& r) const {
    return {a * r.a + b * r.d, a * r.b + b * r.e, a * r.c + b * r.f + c,
            d * r.a + e * r.d, d * r.b + e * r.e, d * r.c + e * r.f + f};
  }
};

double radians(double degrees) { return degrees * std::numbers::pi / 180.0; }

// Where the pixels of the result come from: about the middle of the picture.
Affine matrix_of(const ImageTransform& how, std::int64_t rows, std::int64_t cols) {
  const double turn = radians(how.theta), slant = radians(how.shear);
  const Affine rotation{std::cos(turn), -std::sin(turn), 0, std::sin(turn), std::cos(turn), 0};
  const Affine moved{1, 0, how.tx, 0, 1, how.ty};
  const Affine sheared{1, -std::sin(slant), 0, 0, std::cos(slant), 0};
  const Affine zoomed{how.zx, 0, 0, 0, how.zy, 0};
  const double middle_row = static_cast<double>(rows) / 2 - 0.5,
               middle_col = static_cast<double>(cols) / 2 - 0.5;
  return Affine{1, 0, middle_row, 0, 1, middle_col} * (rotation * moved * sheared * zoomed) *
         Affine{1, 0, -middle_row, 0, 1, -middle_col};
}

bool moves_nothing(const ImageTransform& how) {
  return how.theta == 0 && how.tx == 0 && how.ty == 0 && how.shear == 0 && how.zx == 1 &&
         how.zy == 1;
}

// A place outside of [0, size - 1] brought inside; at or below -1 where nothing lies.
double place_inside(double at, std::int64_t size, Fill fill) {
  const auto last = static_cast<double>(size - 1);
  if (at >= 0 && at <= last) return at;
  if (!(std::abs(at) < 1e15)) return -1;  // not a number, or too far to count
  if (fill == Fill::constant) return -1;
  if (fill == Fill::nearest) return at < 0 ? 0 : last;
  if (size <= 1) return 0;
  if (fill == Fill::wrap) {
    return at < 0 ? at + last * (std::floor(-at / last) + 1) : at - last * std::floor(at / last);
  }
  const double period = 2 * static_cast<double>(size);
  at -= period * std::floor(at / period);
  return at > static_cast<double>(size) - 0.5 ? period - at - 1 : at;
}

// The two pixels around a place and how much of the second one counts.
struct Between {
  std::int64_t first, second;
  double part;
};

Between around(double at, std::int64_t size, int order) {
  const double floor = std::floor(order == 0 ? at + 0.5 : at);
  const auto first = static_cast<std::int64_t>(floor);
  const auto inside = [&](std::int64_t i) { return std::clamp<std::int64_t>(i, 0, size - 1); };
  return {inside(first), inside(first + 1), order == 0 ? 0.0 : at - floor};
}

struct Steps {
  std::int64_t row, col, channel, rows, cols, channels;
};

int axis_of(int axis, int rank) {
  require(axis >= -rank && axis < rank, "axis ", axis, " is not in [", -rank, ", ", rank, ")");
  return axis < 0 ? axis + rank : axis;
}

Steps steps_of(const Shape& shape, const ImageLayout& layout) {
  require(shape.rank() == 3, "a picture has three dimensions, got ", shape);
  const std::array<std::int64_t, 3> step{shape.dim(1) * shape.dim(2), shape.dim(2), 1};
  const int row = axis_of(layout.row_axis, 3), col = axis_of(layout.col_axis, 3),
            channel = axis_of(layout.channel_axis, 3);
  require(row != col && col != channel && row != channel,
          "rows, columns and channels share an axis");
  const auto at = [&](int axis) { return step[static_cast<std::size_t>(axis)]; };
  return {at(row), at(col), at(channel), shape.dim(row), shape.dim(col), shape.dim(channel)};
}

template <class T>
void resample(const T* src, T* dst, const Steps& s, const Affine& m, Fill fill, double cval,
              int order) {
  for (std::int64_t r = 0; r < s.rows; ++r) {
    for (std::int64_t c = 0; c < s.cols; ++c) {
      const auto y = static_cast<double>(r), x = static_cast<double>(c);
      const double row = place_inside(m.a * y + m.b * x + m.c, s.rows, fill);
      const double col = place_inside(m.d * y + m.e * x + m.f, s.cols, fill);
      T* out = dst + r * s.row + c * s.col;
      if (row <= -1 || col <= -1) {
        for (std::int64_t k = 0; k < s.channels; ++k) out[k * s.channel] = static_cast<T>(cval);
        continue;
      }
      const Between v = around(row, s.rows, order), h = around(col, s.cols, order);
      for (std::int64_t k = 0; k < s.channels; ++k) {
        const T* in = src + k * s.channel;
        const auto value = [&](std::int64_t i, std::int64_t j) {
          return static_cast<double>(in[i * s.row + j * s.col]);
        };
        const double above =
            value(v.first, h.first) * (1 - h.part) + value(v.first, h.second) * h.part;
        const double below =
            value(v.second, h.first) * (1 - h.part) + value(v.second, h.second) * h.part;
        out[k * s.channel] = static_cast<T>(above * (1 - v.part) + below * v.part);
      }
    }
  }
}

}  // namespace

Tensor apply_affine_transform(const Tensor& image, const ImageTransform& how,
                              const ImageLayout& layout) {
  const Fill fill = fill_named(layout.fill_mode);
  if (moves_nothing(how)) return image;
  if (layout.order != 0 && layout.order != 1)
    raise(Code::kUnimplemented, "interpolation of order ", layout.order);
  const Steps steps = steps_of(image.shape(), layout);
  const Affine matrix = matrix_of(how, steps.rows, steps.cols);
  return with_floats(image, [&]<class T>(T*) {
    Tensor made(image.dtype(), image.shape());
    if (made.element_count() > 0)
      resample<T>(image.data<T>(), made.data<T>(), steps, matrix, fill, layout.cval, layout.order);
    return made;
  });
}

Tensor apply_channel_shift(const Tensor& image, double intensity) {
  if (image.element_count() == 0) return image;
  return with_floats(image, [&]<class T>(T*) {
    const auto [low, high] = std::ranges::minmax(image.flat<T>());
    Tensor made(image.dtype(), image.shape());
    std::ranges::transform(image.flat<T>(), made.data<T>(), [&, low = low, high = high](T v) {
      return std::clamp(static_cast<T>(v + static_cast<T>(intensity)), low, high);
    });
    return made;
  });
}

// As on eight bits, which is where pictures are made brighter.
Tensor apply_brightness_shift(const Tensor& image, double brightness, bool scale) {
  if (image.element_count() == 0) return image;
  return with_floats(image, [&]<class T>(T*) {
    const auto [low, high] = std::ranges::minmax(image.flat<T>());
    const bool outside = low < 0 || high > 255;
    const bool scaled = scale || outside;
    const T from = scaled ? low : T{0}, range = high - low;
    Tensor made(image.dtype(), image.shape());
    std::ranges::transform(image.flat<T>(), made.data<T>(), [&](T v) {
      if (scaled) v = range == 0 ? v - from : (v - from) / range * 255;
      const T inside = v > 0 ? std::min<T>(v, 255) : T{0};  // 0 for what is no number
      const auto byte = static_cast<float>(static_cast<std::uint8_t>(inside));
      const float bright = std::clamp(byte * static_cast<float>(brightness), 0.0f, 255.0f);
      const T result = static_cast<T>(std::trunc(bright));
      return !scale && outside ? result / 255 * range + low : result;
    });
    return made;
  });
}

Tensor flip_axis(const Tensor& image, int axis) {
  const int at = axis_of(axis, image.rank());
  std::int64_t outer = 1, inner = 1;
  for (int i = 0; i < image.rank(); ++i) (i < at ? outer : inner) *= i == at ? 1 : image.dim(i);
  const std::int64_t size = image.dim(at);
  return with_floats(image, [&]<class T>(T*) {
    Tensor made(image.dtype(), image.shape());
    const T* src = image.data<T>();
    T* dst = made.data<T>();
    for (std::int64_t o = 0; o < outer; ++o)
      for (std::int64_t i = 0; i < size; ++i)
        std::copy_n(src + (o * size + i) * inner, inner, dst + (o * size + size - 1 - i) * inner);
    return made;
  });
}

Tensor apply_transform(const Tensor& image, const ImageTransform& how, const ImageLayout& layout) {
  Tensor made = apply_affine_transform(image, how, layout);
  if (how.channel_shift_intensity) made = apply_channel_shift(made, *how.channel_shift_intensity);
  if (how.flip_horizontal) made = flip_axis(made, layout.col_axis);
  if (how.flip_vertical) made = flip_axis(made, layout.row_axis);
  if (how.brightness) made = apply_brightness_shift(made, *how.brightness, false);
  return made;
}

}  // namespace rill::keras::preprocessing::image
