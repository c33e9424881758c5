#include <cmath>

#include "tests/optest/op_case.h"

namespace rill {
namespace {

struct BatchNorm {
  Shape images;
  std::int64_t channels;
  const char* format = "NHWC";
};

const std::vector<BatchNorm> kBatchNorms = {{{2, 3, 4, 5}, 5},          {{2, 5, 3, 4}, 5, "NCHW"},
                                            {{3, 1, 1, 70}, 70},        {{2, 9, 11, 1}, 1},
                                            {{2, 1, 9, 11}, 1, "NCHW"}, {{1, 1, 1, 3}, 3}};

AttrMap attrs_of(const BatchNorm& norm, bool training) {
  return {{"data_format", std::string(norm.format)}, {"is_training", training}};
}
double tolerance(DType type) {
  return type == DType::f16 ? 4e-3 : type == DType::bf16 ? 3e-2 : 1e-5;
}

template <class T>
void convert(const Tensor& from, const Tensor& to) {
  for (std::int64_t i = 0; i < from.element_count(); ++i) {
    if (to.dtype() == DType::f64)
      to.data<double>()[i] = static_cast<double>(static_cast<float>(from.data<T>()[i]));
    else
      to.data<T>()[i] = T(static_cast<float>(from.data<double>()[i]));
  }
}
// Between double and the type of images.
Tensor converted(const Tensor& from, DType type) {
  Tensor to(type, from.shape());
  const DType narrow = type == DType::f64 ? from.dtype() : type;
  narrow == DType::f32   ? convert<float>(from, to)
  : narrow == DType::f16 ? convert<half>(from, to)
                         : convert<bfloat16>(from, to);
  return to;
}

// What given statistics make of images, as plainly as it can be said.
Tensor normalized(const BatchNorm& norm, const std::vector<CaseInput>& in) {
  const auto at = [&](int input, std::int64_t c) {
    return static_cast<double>(in[static_cast<std::size_t>(input)].values[0].data<float>()[c]);
  };
  const Tensor x = converted(in[0].values[0], DType::f64);
  Tensor y(DType::f64, x.shape());
  const bool last = norm.format == std::string_view("NHWC");
  const std::int64_t space = last ? 1 : x.dim(2) * x.dim(3);
  for (std::int64_t i = 0; i < x.element_count(); ++i) {
    const std::int64_t c = i / space % norm.channels;
    y.data<double>()[i] =
        (x.data<double>()[i] - at(3, c)) / std::sqrt(at(4, c) + 1e-4) * at(1, c) + at(2, c);
  }
  return converted(y, in[0].values[0].dtype());
}

// Statistics leave together with what is normalised, so that differences of all outputs say nothing
// about the gradient: tests/cpp/batch_norm_test.cc takes them.
void add_training(std::vector<OpCase>& cases, const char* op, const BatchNorm& norm, DType type) {
  const Shape vector{norm.channels};
  cases.push_back(
      {.op = op,
       .in = {random(type, norm.images, 1, -1, 3), random<float>(vector, 2),
              random<float>(vector, 3), Tensor(DType::f32, {0}), Tensor(DType::f32, {0})},
       .attrs = attrs_of(norm, true),
       .atol = tolerance(type),
       .grad = false});
}

// TensorFlow leaves the outputs for the gradient as it finds them, when not training.
void add_inference(std::vector<OpCase>& cases, const char* op, const BatchNorm& norm, DType type) {
  const Shape vector{norm.channels};
  OpCase row{.op = op,
             .in = {random(type, norm.images, 1, -1, 3), random<float>(vector, 2),
                    random<float>(vector, 3), random<float>(vector, 4, 0.5, 2),
                    random<float>(vector, 5, 0.5, 2)},
             .attrs = attrs_of(norm, false),
             .atol = tolerance(type),
             .grad = false};
  const Tensor mean = row.in[3].values[0], variance = row.in[4].values[0];
  row.want = {normalized(norm, row.in), mean, variance, mean, variance};
  if (std::string_view(op).ends_with("V3")) row.want.push_back(scalar<float>(0));
  cases.push_back(std::move(row));
}

void add_backward(std::vector<OpCase>& cases, const char* op, const BatchNorm& norm, DType type,
                  bool training) {
  const Shape vector{norm.channels};
  std::vector<CaseInput> in{random(type, norm.images, 1), random(type, norm.images, 2, -1, 3),
                            random<float>(vector, 3), random<float>(vector, 4),
                            random<float>(vector, 5, 0.5, 2)};
  if (std::string_view(op).ends_with("V3")) in.emplace_back(Tensor(DType::f32, {0}));
  cases.push_back({.op = op,
                   .in = std::move(in),
                   .attrs = attrs_of(norm, training),
                   .atol = norm.images.element_count() > 1000 ? 1e-3 : tolerance(type),
                   .grad = false});
}

void add_batch_norm(std::vector<OpCase>& cases, const BatchNorm& norm, DType type) {
  const bool last = norm.format == std::string_view("NHWC");
  for (const char* op : {"FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3"}) {
    if (type != DType::f32 && op == std::string_view("FusedBatchNorm")) continue;
    add_training(cases, op, norm, type);
    add_inference(cases, op, norm, type);
  }
  for (const char* op : {"FusedBatchNormGrad", "FusedBatchNormGradV2", "FusedBatchNormGradV3"}) {
    if (type != DType::f32 && op == std::string_view("FusedBatchNormGrad")) continue;
    add_backward(cases, op, norm, type, true);
    if (last) add_backward(cases, op, norm, type, false);
  }
}

// TensorFlow's CPU goes back through given statistics with channels last only: the same channels,
// turned, have the same gradients.
void add_batch_norm_channels_first(std::vector<OpCase>& cases) {
  cases.push_back(
      {.op = "FusedBatchNormGradV3",
       .in = {tensor<float>({1, 2, 1, 2}, {1, 2, 3, 4}), tensor<float>({1, 2, 1, 2}, {5, 7, 2, 2}),
              tensor<float>({2}, {2, 3}), tensor<float>({2}, {5, 1}), tensor<float>({2}, {4, 1}),
              Tensor(DType::f32, {0})},
       .attrs = {{"data_format", std::string("NCHW")}, {"is_training", false}, {"epsilon", 0.0F}},
       .name = "channels_first",
       .grad = false,
       .want = {tensor<float>({1, 2, 1, 2}, {1, 2, 9, 12}), tensor<float>({2}, {2, 7}),
                tensor<float>({2}, {3, 7}), Tensor(DType::f32, {0}), Tensor(DType::f32, {0})}});
}

void add_empty_batch_norm(std::vector<OpCase>& cases) {
  const Tensor none(DType::f32, {0, 2, 3, 2}), empty(DType::f32, {0}),
      two = tensor<float>({2}, {1, 2}), nan = filled<float>({2}, NAN), zero = filled<float>({2}, 0);
  // TensorFlow leaves what is kept for the gradient as it finds it.
  cases.push_back({.op = "FusedBatchNormV3",
                   .in = {none, two, two, empty, empty},
                   .name = "empty",
                   .grad = false,
                   .want = {none, nan, nan, zero, zero, scalar<float>(0)}});
  for (const bool training : {true, false})
    cases.push_back({.op = "FusedBatchNormGradV3",
                     .in = {none, none, two, two, two, empty},
                     .attrs = {{"is_training", training}},
                     .grad = false});
}

// A mean far from zero does not hide the variance.
void add_far(std::vector<OpCase>& cases) {
  Tensor x(DType::f32, {2, 8, 8, 2});
  for (std::int64_t i = 0; i < x.element_count(); ++i)
    x.data<float>()[i] = (i % 4 < 2 ? 10001.0F : 9999.0F);
  const Tensor empty(DType::f32, {0});
  cases.push_back({.op = "FusedBatchNormV3",
                   .in = {x, filled<float>({2}, 1), filled<float>({2}, 0), empty, empty},
                   .grad = false});
}

// Rewriting makes it, TensorFlow's CPU does not run it.
void add_activated(std::vector<OpCase>& cases) {
  const Tensor x = tensor<float>({1, 2, 1, 2}, {1, 2, 3, 6}), one = filled<float>({2}, 1),
               zero = filled<float>({2}, 0);
  cases.push_back({.op = "_FusedBatchNormEx",
                   .in = {x, one, zero, filled<float>({2}, 2), one,
                          list({tensor<float>({1, 2, 1, 2}, {0.5, 1, -2, -1})})},
                   .attrs = {{"activation_mode", std::string("Relu")},
                             {"is_training", false},
                             {"epsilon", 0.0F}},
                   .name = "activated",
                   .want = {tensor<float>({1, 2, 1, 2}, {0, 1, 0, 3}), filled<float>({2}, 2), one,
                            filled<float>({2}, 2), one, scalar<float>(0)}});
  cases.push_back({.op = "_FusedBatchNormEx",
                   .in = {x, one, zero, filled<float>({2}, 2), one, list({})},
                   .attrs = {{"is_training", false}, {"epsilon", 0.0F}},
                   .name = "plain",
                   .want = {tensor<float>({1, 2, 1, 2}, {-1, 0, 1, 4}), filled<float>({2}, 2), one,
                            filled<float>({2}, 2), one, scalar<float>(0)}});
}

void add_batch_norm_errors(std::vector<OpCase>& cases) {
  const Tensor x = random<float>({1, 2, 2, 3}, 1), three = filled<float>({3}, 1),
               two = filled<float>({2}, 1), empty(DType::f32, {0});
  const auto refuse = [&](std::vector<CaseInput> in, bool training, const char* error) {
    cases.push_back({.op = in.size() == 6 ? "FusedBatchNormGradV3" : "FusedBatchNormV3",
                     .in = std::move(in),
                     .attrs = {{"is_training", training}},
                     .error = error});
  };
  refuse({random<float>({2, 2, 3}, 1), three, three, empty, empty}, true, "rank 4");
  refuse({x, two, three, empty, empty}, true, "3 and 2");
  refuse({x, three, two, empty, empty}, true, "3 and 2");
  refuse({x, three, three, empty, empty}, false, "3 and 0");
  refuse({x, random<float>({2, 2, 2, 3}, 1), three, three, three, empty}, true,
         "must have same shape");
  refuse({x, x, three, two, three, empty}, true, "3 and 2");
}

void add_global(std::vector<OpCase>& cases) {
  for (const DType type : {DType::f32, DType::f64, DType::f16})
    for (const bool scales : {true, false}) {
      const Tensor x = random(type, {2, 3, 4, 3}, 1), m = random(type, {3}, 2),
                   v = random(type, {3}, 3, 0.5, 2), beta = random(type, {3}, 4),
                   gamma = random(type, {3}, 5);
      const AttrMap attrs{{"variance_epsilon", 0.001F}, {"scale_after_normalization", scales}};
      cases.push_back({.op = "BatchNormWithGlobalNormalization",
                       .in = {x, m, v, beta, gamma},
                       .attrs = attrs,
                       .atol = type == DType::f16 ? 8e-3 : 1e-5});
      cases.push_back({.op = "BatchNormWithGlobalNormalizationGrad",
                       .in = {x, m, v, gamma, random(type, {2, 3, 4, 3}, 6)},
                       .attrs = attrs,
                       .atol = type == DType::f16 ? 4e-2 : 1e-5});
    }
  cases.push_back({.op = "BatchNormWithGlobalNormalization",
                   .in = {random<float>({1, 2, 2, 3}, 1), filled<float>({3}, 1),
                          filled<float>({3, 1}, 1), filled<float>({3}, 1), filled<float>({3}, 1)},
                   .attrs = {{"variance_epsilon", 0.001F}, {"scale_after_normalization", true}},
                   .error = "rank 1|1-dimensional"});
}

}  // namespace

extern const OpCases kBatchNormCases{
    "batch_norm", [] {
      std::vector<OpCase> cases;
      for (const BatchNorm& norm : kBatchNorms)
        for (const DType type : {DType::f32, DType::f16, DType::bf16})
          add_batch_norm(cases, norm, type);
      add_batch_norm(cases, {{8, 56, 56, 64}, 64}, DType::f32);
      add_batch_norm_channels_first(cases);
      add_empty_batch_norm(cases);
      add_far(cases);
      add_activated(cases);
      add_batch_norm_errors(cases);
      add_global(cases);
      return cases;
    }};

}  // namespace rill
