#include <cmath>

#include "tests/optest/op_case.h"

namespace rill {
namespace {

using I = std::int64_t;
using N = std::int32_t;

// Every number of a result is a sum of all, so errors are measured against the size of sums.
double tolerance(DType type, const Shape& shape) {
  const double sum = std::sqrt(static_cast<double>(shape.element_count()) + 1);
  return (type == DType::c128 ? 1e-15 : 5e-7) * 4 * sum;
}

OpCase transform(const char* op, DType type, Shape shape) {
  const double atol = tolerance(type, shape);
  return {.op = op, .in = {random(type, std::move(shape), 5)}, .atol = atol};
}

// A real transform from `input`, or back. The numeric check of gradients is made in double, which
// these ops do not take; tests/cpp/fft_test.cc has another.
OpCase real(const char* op, Tensor input, std::initializer_list<N> lengths) {
  const double atol = tolerance(DType::c64, input.shape());
  return {.op = op,
          .in = {std::move(input), tensor<N>({static_cast<I>(lengths.size())}, lengths)},
          .atol = atol,
          .grad = false};
}

void add_lengths(std::vector<OpCase>& cases) {
  for (const DType type : {DType::c64, DType::c128}) {
    for (const I n : {1,  2,  3,  4,  5,  6,  7,   8,   9,   11,  13,  16,  17,   20,
                      26, 32, 49, 60, 64, 97, 128, 210, 256, 289, 360, 512, 1009, 4096})
      cases.push_back(transform("FFT", type, {n}));
    for (const I n : {1, 2, 3, 8, 12, 35, 37, 256, 1000}) {
      cases.push_back(transform("IFFT", type, {n}));
      cases.push_back(transform("FFT", type, {5, n}));
      cases.push_back(transform("IFFT", type, {37, n}));
    }
    // The largest primes without a convolution, and above; side by side as many as vectors take,
    // and as they do not.
    for (const I n : {31, 61, 62, 67}) {
      cases.push_back(transform("FFT", type, {21, n}));
      cases.push_back(transform("IFFT", type, {3, n}));
      cases.push_back(transform("FFT2D", type, {n, 18}));
    }
    cases.push_back(transform("FFT", type, {2, 0, 4}));
    cases.push_back(transform("FFT", type, {3, 0}));
    for (const char* op : {"FFT2D", "IFFT2D"})
      for (const Shape& shape : {Shape({1, 1}), Shape({4, 6}), Shape({3, 5, 7}),
                                 Shape({2, 300, 17}), Shape({64, 33}), Shape({0, 2, 3})})
        cases.push_back(transform(op, type, shape));
    for (const char* op : {"FFT3D", "IFFT3D"})
      for (const Shape& shape : {Shape({1, 2, 3}), Shape({2, 4, 5, 6}), Shape({16, 8, 20})})
        cases.push_back(transform(op, type, shape));
  }
}

void add_real(std::vector<OpCase>& cases) {
  const auto floats = [](Shape shape) { return random(DType::f32, std::move(shape), 6); };
  const auto complex = [](Shape shape) { return random(DType::c64, std::move(shape), 7); };
  for (const N n : {1, 2, 3, 4, 7, 8, 15, 16, 60, 61, 128, 257, 512, 1000}) {
    for (const I rows : {1, 2, 35}) {
      cases.push_back(real("RFFT", floats({rows, n}), {n}));
      cases.push_back(real("IRFFT", complex({rows, n / 2 + 1}), {n}));
    }
  }
  cases.push_back(real("RFFT", floats({9}), {6}));
  cases.push_back(real("RFFT", floats({3, 2, 9}), {1}));
  cases.push_back(real("RFFT", floats({0, 9}), {6}));
  cases.push_back(real("RFFT", floats({0}), {0}));
  cases.push_back(real("IRFFT", complex({9}), {6}));
  cases.push_back(real("IRFFT", complex({2, 9}), {7}));
  cases.push_back(real("IRFFT", complex({2, 0, 9}), {7}));
  cases.push_back(real("RFFT2D", floats({4, 6}), {4, 6}));
  cases.push_back(real("RFFT2D", floats({3, 5, 7}), {5, 7}));
  cases.push_back(real("RFFT2D", floats({3, 5, 7}), {4, 5}));
  cases.push_back(real("RFFT2D", floats({20, 300}), {20, 300}));
  cases.push_back(real("IRFFT2D", complex({4, 4}), {4, 6}));
  cases.push_back(real("IRFFT2D", complex({3, 5, 4}), {5, 7}));
  cases.push_back(real("IRFFT2D", complex({3, 6, 5}), {5, 7}));
  cases.push_back(real("RFFT3D", floats({2, 3, 4, 5}), {3, 4, 5}));
  cases.push_back(real("RFFT3D", floats({4, 5, 6}), {3, 2, 6}));
  cases.push_back(real("IRFFT3D", complex({2, 3, 4, 3}), {3, 4, 5}));
  cases.push_back(real("IRFFT3D", complex({4, 5, 4}), {3, 2, 6}));
}

// TensorFlow has these for GPUs alone.
void add_batch(std::vector<OpCase>& cases) {
  const auto both = [&](const char* forward, const char* back, Tensor x, Tensor y) {
    cases.push_back({.op = forward, .in = {x}, .want = {y}});
    cases.push_back({.op = back, .in = {y}, .want = {x}});
  };
  both("BatchFFT", "BatchIFFT", values(DType::c64, {2, 2}, {1, 2, 3, 5}),
       values(DType::c64, {2, 2}, {3, -1, 8, -2}));
  both("BatchFFT2D", "BatchIFFT2D", values(DType::c64, {2, 2}, {1, 2, 3, 4}),
       values(DType::c64, {2, 2}, {10, -2, -4, 0}));
  both("BatchFFT3D", "BatchIFFT3D", values(DType::c64, {2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}),
       values(DType::c64, {2, 2, 2}, {36, -4, -8, 0, -16, 0, 0, 0}));
}

void add_errors(std::vector<OpCase>& cases) {
  const auto fails = [&](OpCase c, const char* error) {
    c.error = error;
    cases.push_back(std::move(c));
  };
  for (const char* op : {"FFT", "IFFT"})
    fails(transform(op, DType::c64, {}), "(at least rank 1|rank of at least 1)");
  for (const char* op : {"FFT2D", "IFFT2D"})
    fails(transform(op, DType::c64, {3}), "(at least rank 2|rank of at least 2)");
  for (const char* op : {"FFT3D", "IFFT3D"})
    fails(transform(op, DType::c64, {3, 4}), "(at least rank 3|rank of at least 3)");
  const Tensor x = random(DType::f32, {6}, 6), z = random(DType::c64, {6}, 6);
  fails(real("RFFT", x, {8}), "must have length of at least 8 but got: 6");
  fails(real("RFFT", x, {-1}), "fft_length\\[0\\] must >= 0, but got: -1");
  fails(real("RFFT", x, {4, 4}), "Dimension must be 1 but is 2|fft_length must have shape \\[1\\]");
  fails(real("RFFT2D", x, {4, 4}), "(at least rank 2|rank of at least 2)");
  fails(real("IRFFT", z, {12}), "must have length of at least 7 but got: 6");
  fails(real("IRFFT", z, {-3}), "fft_length\\[0\\] must >= 0, but got: -3");
  fails(real("IRFFT2D", random(DType::c64, {2, 3}, 6), {3, 4}),
        "must have length of at least 3 but got: 2");
}

// Rows of lengths that vectors divide, with factors of all kinds behind them.
void add_row_lengths(std::vector<OpCase>& cases) {
  for (const DType type : {DType::c64, DType::c128}) {
    cases.push_back(transform("FFT", type, {3, 192}));
    cases.push_back(transform("IFFT", type, {2, 320}));
    cases.push_back(transform("FFT", type, {1024}));
    cases.push_back(transform("IFFT2D", type, {128, 9}));
  }
  cases.push_back(real("RFFT", random(DType::f32, {3, 384}, 6), {384}));
  cases.push_back(real("IRFFT", random(DType::c64, {3, 321}, 7), {640}));
  cases.push_back(real("RFFT2D", random(DType::f32, {64, 128}, 6), {64, 128}));
}

}  // namespace

extern const OpCases kFftCases{"fft", [] {
                                 std::vector<OpCase> cases;
                                 add_lengths(cases);
                                 add_real(cases);
                                 add_batch(cases);
                                 add_errors(cases);
                                 add_row_lengths(cases);
                                 return cases;
                               }};

}  // namespace rill
