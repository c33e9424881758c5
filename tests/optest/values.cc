#include <cmath>

#include "tests/optest/op_case.h"

namespace rill {
namespace {

template <class T>
T rounded(double number) {
  if constexpr (std::is_same_v<T, bool>) {
    return number != 0;
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(number);
  } else if constexpr (std::is_integral_v<T>) {
    return number < 0 ? static_cast<T>(static_cast<std::int64_t>(std::floor(number)))
                      : static_cast<T>(static_cast<std::uint64_t>(number));
  } else if constexpr (kIsHalf<T>) {
    return T(static_cast<float>(number));
  } else {
    return T{rounded<decltype(T::value)>(number)};
  }
}

// clang-format off
void store(DType dtype, void* data, std::int64_t index, double number, double imaginary) {
  const auto set = [=]<class T>(T value) { static_cast<T*>(data)[index] = value; };
  switch (dtype) {
    case DType::f32: return set(rounded<float>(number));
    case DType::f64: return set(number);
    case DType::i32: return set(rounded<std::int32_t>(number));
    case DType::u8: return set(rounded<std::uint8_t>(number));
    case DType::i16: return set(rounded<std::int16_t>(number));
    case DType::i8: return set(rounded<std::int8_t>(number));
    case DType::c64: return set(std::complex<float>(std::complex<double>(number, imaginary)));
    case DType::i64: return set(rounded<std::int64_t>(number));
    case DType::boolean: return set(rounded<bool>(number));
    case DType::qi8: return set(rounded<qint8>(number));
    case DType::qu8: return set(rounded<quint8>(number));
    case DType::qi32: return set(rounded<qint32>(number));
    case DType::bf16: return set(rounded<bfloat16>(number));
    case DType::qi16: return set(rounded<qint16>(number));
    case DType::qu16: return set(rounded<quint16>(number));
    case DType::u16: return set(rounded<std::uint16_t>(number));
    case DType::c128: return set(std::complex<double>(number, imaginary));
    case DType::f16: return set(rounded<half>(number));
    case DType::u32: return set(rounded<std::uint32_t>(number));
    case DType::u64: return set(rounded<std::uint64_t>(number));
    default:
      raise(Code::kInvalidArgument, "No numbers of type ", dtype);
  }
}
// clang-format on

// SplitMix64: tiny, well mixed, and the same everywhere.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : state_(seed) {}
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

}  // namespace

Tensor values(DType dtype, Shape shape, std::initializer_list<double> numbers) {
  Tensor t(dtype, std::move(shape));
  require(static_cast<std::int64_t>(numbers.size()) == t.element_count(), numbers.size(),
          " values given for shape ", t.shape());
  std::int64_t i = 0;
  for (const double number : numbers) store(dtype, t.raw_data(), i++, number, 0);
  return t;
}

Tensor sequence(DType dtype, Shape shape, double start, double step) {
  Tensor t(dtype, std::move(shape));
  for (std::int64_t i = 0; i < t.element_count(); ++i)
    store(dtype, t.raw_data(), i, start + step * static_cast<double>(i), 0);
  return t;
}

Tensor filled(DType dtype, Shape shape, double number) {
  return sequence(dtype, std::move(shape), number, 0);
}

Tensor random(DType dtype, Shape shape, std::uint64_t seed, double low, double high) {
  if (dtype == DType::boolean) low = -1, high = 1;
  Tensor t(dtype, std::move(shape));
  Generator generator(seed);
  const auto draw = [&] { return low + (high - low) * generator.unit(); };
  for (std::int64_t i = 0; i < t.element_count(); ++i) {
    const double real = dtype == DType::boolean ? draw() > 0 : draw();
    store(dtype, t.raw_data(), i, real, kComplexTypes.contains(dtype) ? draw() : 0);
  }
  return t;
}

Tensor strings(Shape shape, std::initializer_list<const char*> items) {
  Tensor t(DType::string, std::move(shape));
  require(static_cast<std::int64_t>(items.size()) == t.element_count(), items.size(),
          " strings given for shape ", t.shape());
  std::copy(items.begin(), items.end(), t.data<std::string>());
  return t;
}

}  // namespace rill
