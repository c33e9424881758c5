#ifndef TENSORFLOW_CORE_LIB_RANDOM_RANDOM_DISTRIBUTIONS_H_
#define TENSORFLOW_CORE_LIB_RANDOM_RANDOM_DISTRIBUTIONS_H_

#include <cmath>
#include <cstring>

#include "tensorflow/core/lib/random/philox_random.h"

namespace tensorflow {
namespace random {

// From 0 to 1, without 1: the bits are those behind the point.
inline float Uint32ToFloat(uint32 x) {
  const uint32 bits = uint32{127} << 23 | (x & 0x7fffffu);
  float result;
  std::memcpy(&result, &bits, sizeof bits);
  return result - 1.0f;
}
inline double Uint64ToDouble(uint32 x0, uint32 x1) {
  const uint64 bits = uint64{1023} << 52 | static_cast<uint64>(x0 & 0xfffffu) << 32 | x1;
  double result;
  std::memcpy(&result, &bits, sizeof bits);
  return result - 1.0;
}

template <class Generator, typename RealType>
class UniformDistribution;

template <class Generator>
class UniformDistribution<Generator, float> {
 public:
  static constexpr int kResultElementCount = Generator::kResultElementCount;
  static constexpr int kElementCost = 3;
  static constexpr bool kVariableSamplesPerOutput = false;
  typedef Array<float, kResultElementCount> ResultType;
  typedef float ResultElementType;

  ResultType operator()(Generator* gen) {
    const typename Generator::ResultType sample = (*gen)();
    ResultType result;
    for (int i = 0; i < kResultElementCount; ++i) result[i] = Uint32ToFloat(sample[i]);
    return result;
  }
};

template <class Generator>
class UniformDistribution<Generator, double> {
 public:
  static constexpr int kResultElementCount = Generator::kResultElementCount / 2;
  static constexpr int kElementCost = 3;
  static constexpr bool kVariableSamplesPerOutput = false;
  typedef Array<double, kResultElementCount> ResultType;
  typedef double ResultElementType;

  ResultType operator()(Generator* gen) {
    const typename Generator::ResultType sample = (*gen)();
    ResultType result;
    for (int i = 0; i < kResultElementCount; ++i)
      result[i] = Uint64ToDouble(sample[2 * i], sample[2 * i + 1]);
    return result;
  }
};

// From lo to hi, without hi, which must be greater.
template <class Generator>
class UniformDistribution<Generator, int32> {
 public:
  static constexpr int kResultElementCount = Generator::kResultElementCount;
  static constexpr int kElementCost = 3;
  static constexpr bool kVariableSamplesPerOutput = false;
  typedef Array<int32, kResultElementCount> ResultType;
  typedef int32 ResultElementType;

  UniformDistribution(int32 lo, int32 hi)
      : lo_(lo), range_(static_cast<uint32>(hi) - static_cast<uint32>(lo)) {}
  ResultType operator()(Generator* gen) {
    const typename Generator::ResultType sample = (*gen)();
    ResultType result;
    for (int i = 0; i < kResultElementCount; ++i)
      result[i] = static_cast<int32>(static_cast<uint32>(lo_) + sample[i] % range_);
    return result;
  }

 private:
  int32 lo_;
  uint32 range_;
};

// Two normal numbers of two uniform ones.
inline void BoxMullerFloat(uint32 x0, uint32 x1, float* f0, float* f1) {
  const float epsilon = 1.0e-7f, turn = 6.2831853f;
  const float u0 = Uint32ToFloat(x0), u1 = turn * Uint32ToFloat(x1);
  const float radius = std::sqrt(-2.0f * std::log(u0 < epsilon ? epsilon : u0));
  *f0 = radius * std::sin(u1);
  *f1 = radius * std::cos(u1);
}

template <class Generator, typename RealType>
class NormalDistribution;

template <class Generator>
class NormalDistribution<Generator, float> {
 public:
  static constexpr int kResultElementCount = Generator::kResultElementCount;
  static constexpr int kElementCost = 70;
  static constexpr bool kVariableSamplesPerOutput = false;
  typedef Array<float, kResultElementCount> ResultType;
  typedef float ResultElementType;

  ResultType operator()(Generator* gen) {
    const typename Generator::ResultType sample = (*gen)();
    ResultType result;
    for (int i = 0; i < kResultElementCount; i += 2)
      BoxMullerFloat(sample[i], sample[i + 1], &result[i], &result[i + 1]);
    return result;
  }
};

}  // namespace random
}  // namespace tensorflow

#endif
