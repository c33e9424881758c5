#include "rill/kernel/kernel_registry.h"
#include "rill/ops/image/sampling.h"

namespace rill {

extern const OpDecl kQuantizedResizeBilinear;

namespace {

float mixed(float a, float b, float distance) { return a + (b - a) * distance; }

struct FloatMixture {
  float operator()(float a, float b, float c, float d, float x, float y) const {
    return mixed(mixed(a, b, x), mixed(c, d, x), y);
  }
};

// Integers are mixed in fixed point with so many binary places, as TensorFlow does for speed.
template <class Wide, int kPlaces>
struct FixedMixture {
  static constexpr Wide kOne = Wide{1} << kPlaces;
  static Wide fixed(float distance) {
    return static_cast<Wide>(distance * static_cast<float>(kOne));
  }
  static Wide mixed(Wide a, Wide b, float distance) { return a * kOne + (b - a) * fixed(distance); }
  Wide operator()(Wide a, Wide b, Wide c, Wide d, float x, float y) const {
    const Wide top = mixed(a, b, x), bottom = mixed(c, d, x);
    return (top + (bottom - top) / kOne * fixed(y) + kOne / 2) / kOne;
  }
};

struct ByteMixture {
  quint8 operator()(quint8 a, quint8 b, quint8 c, quint8 d, float x, float y) const {
    const FixedMixture<int, 7> mix;
    return {static_cast<std::uint8_t>(mix(a.value, b.value, c.value, d.value, x, y))};
  }
};

// TensorFlow reads these through floats, which round large ones.
struct WordMixture {
  static std::int64_t read(qint32 x) {
    return static_cast<std::int64_t>(static_cast<float>(x.value));
  }
  qint32 operator()(qint32 a, qint32 b, qint32 c, qint32 d, float x, float y) const {
    const FixedMixture<std::int64_t, 30> mix;
    return {static_cast<std::int32_t>(mix(read(a), read(b), read(c), read(d), x, y))};
  }
};

template <class T, class Mixture>
void quantized_resize(KernelCall& call) {
  const Tensor &images = call.input_tensor(0), &results = call.output_tensor(0);
  const float least = call.input_tensor(2).scalar_value<float>(),
              most = call.input_tensor(3).scalar_value<float>();
  *call.output_tensor(1).data<float>() = least;
  *call.output_tensor(2).data<float>() = most;
  const SamplingRule rule(call.node());
  if (results.element_count() == 0) return;
  const Sampling down = rule.along(images.dim(1), results.dim(1)),
                 across = rule.along(images.dim(2), results.dim(2));
  const Mixture mixture;
  const std::int64_t channels = images.dim(3), row = images.dim(2) * channels;
  call.parallel_for(
      static_cast<std::size_t>(results.dim(0) * down.out),
      3 * static_cast<double>(across.out * channels), [&](std::size_t begin, std::size_t end) {
        T* to = results.data<T>() + static_cast<std::int64_t>(begin) * across.out * channels;
        for (auto i = static_cast<std::int64_t>(begin); i < static_cast<std::int64_t>(end); ++i) {
          const Neighbours y = neighbours(down, i % down.out);
          const T* image = images.data<T>() + i / down.out * down.in * row;
          const T *top = image + y.lower * row, *bottom = image + y.upper * row;
          for (std::int64_t k = 0; k < across.out; ++k) {
            const Neighbours x = neighbours(across, k);
            for (std::int64_t c = 0; c < channels; ++c) {
              const std::int64_t left = x.lower * channels + c, right = x.upper * channels + c;
              *to++ = mixture(top[left], top[right], bottom[left], bottom[right], x.distance,
                              y.distance);
            }
          }
        }
      });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kQuantizedResizeBilinear,
     .types = DType::f32,
     .run = quantized_resize<float, FloatMixture>},
    {.op = &kQuantizedResizeBilinear,
     .types = DType::qu8,
     .run = quantized_resize<quint8, ByteMixture>},
    {.op = &kQuantizedResizeBilinear,
     .types = DType::qi32,
     .run = quantized_resize<qint32, WordMixture>},
};

}  // namespace

extern const KernelTable kQuantizedResizeBilinearCpu{kEntries};

}  // namespace rill
