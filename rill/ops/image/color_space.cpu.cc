#include "rill/ops/image/color_space.h"

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/image/adjust_rows.h"

namespace rill {

extern const OpDecl kRGBToHSV, kHSVToRGB;

namespace {

template <class T>
void rgb_to_hsv(const T* from, T* to) {
  const Hsv<T> color = to_hsv(from[0], from[1], from[2]);
  to[0] = color.hue;
  to[1] = color.saturation;
  to[2] = color.value;
}

template <class T>
void hsv_to_rgb(const T* from, T* to) {
  write_rgb(Hsv<T>{from[0], from[1], from[2]}, to);
}

// Many colours, one by one.
template <class T, void (*convert)(const T*, T*)>
void convert_all(T* to, const T* from, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) convert(from + 3 * i, to + 3 * i);
}

template <class T>
void convert_colors(KernelCall& call, void (*convert)(T*, const T*, std::int64_t)) {
  const T* from = call.input_tensor(0).data<T>();
  T* to = call.output_tensor(0).data<T>();
  const auto pixels = static_cast<std::size_t>(call.output_tensor(0).element_count() / 3);
  call.parallel_for(pixels, 5, [=](std::size_t begin, std::size_t end) {
    convert(to + 3 * begin, from + 3 * begin, static_cast<std::int64_t>(end - begin));
  });
}

template <class T>
void rgb_to_hsv_kernel(KernelCall& call) {
  convert_colors<T>(call, convert_all<T, rgb_to_hsv<T>>);
}
template <class T>
void hsv_to_rgb_kernel(KernelCall& call) {
  if constexpr (std::is_same_v<T, float>)
    convert_colors<T>(call, adjust_rows().hsv_to_rgb);
  else
    convert_colors<T>(call, convert_all<T, hsv_to_rgb<T>>);
}

template <class T>
constexpr KernelEntry to_hsv_entry() {
  return {.op = &kRGBToHSV, .types = dtype_of<T>, .run = rgb_to_hsv_kernel<T>};
}
template <class T>
constexpr KernelEntry to_rgb_entry() {
  return {.op = &kHSVToRGB, .types = dtype_of<T>, .run = hsv_to_rgb_kernel<T>};
}
constexpr KernelEntry kEntries[] = {to_hsv_entry<float>(), to_hsv_entry<double>(),
                                    to_rgb_entry<float>(), to_rgb_entry<double>()};

}  // namespace

extern const KernelTable kColorSpaceCpu{kEntries};

}  // namespace rill
