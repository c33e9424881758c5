#include "rill/ops/image/color_space.h"

#include "rill/kernel/kernel_registry.h"

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

template <class T, void (*convert)(const T*, T*)>
void convert_colors(KernelCall& call) {
  const T* from = call.input_tensor(0).data<T>();
  T* to = call.output_tensor(0).data<T>();
  const auto pixels = static_cast<std::size_t>(call.output_tensor(0).element_count() / 3);
  call.parallel_for(pixels, 5, [=](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) convert(from + 3 * i, to + 3 * i);
  });
}

template <class T>
constexpr KernelEntry to_hsv_entry() {
  return {.op = &kRGBToHSV, .types = dtype_of<T>, .run = convert_colors<T, rgb_to_hsv<T>>};
}
template <class T>
constexpr KernelEntry to_rgb_entry() {
  return {.op = &kHSVToRGB, .types = dtype_of<T>, .run = convert_colors<T, hsv_to_rgb<T>>};
}
constexpr KernelEntry kEntries[] = {to_hsv_entry<float>(), to_hsv_entry<double>(),
                                    to_rgb_entry<float>(), to_rgb_entry<double>()};

}  // namespace

extern const KernelTable kColorSpaceCpu{kEntries};

}  // namespace rill
