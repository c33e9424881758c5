#include "tests/optest/op_case.h"

namespace rill {
namespace {

using Numbers = std::vector<std::int64_t>;

struct PaddedConvCase {
  Shape images, filter;
  std::initializer_list<std::int32_t> paddings, size;
  const char* mode = "REFLECT";
  const char* padding = "VALID";
  Numbers strides = {1, 1, 1, 1};
  bool align_corners = false;
};

const PaddedConvCase kPaddedConvRows[] = {
    {{1, 5, 6, 2}, {3, 3, 2, 4}, {0, 0, 1, 2, 2, 1, 0, 0}, {8, 9}},
    {{1, 5, 6, 2}, {3, 2, 2, 3}, {0, 0, 4, 3, 5, 0, 0, 0}, {7, 6}, "SYMMETRIC", "SAME"},
    {{1, 4, 4, 3},
     {2, 2, 3, 1},
     {0, 0, 1, 0, 0, 1, 0, 0},
     {3, 11},
     "REFLECT",
     "SAME",
     {1, 2, 2, 1}},
    {{1, 4, 7, 1},
     {2, 2, 1, 2},
     {0, 0, 1, 1, 1, 1, 0, 0},
     {9, 4},
     "SYMMETRIC",
     "VALID",
     {1, 2, 3, 1},
     true},
    {{1, 3, 3, 1},
     {1, 1, 1, 1},
     {0, 0, 0, 0, 0, 0, 0, 0},
     {1, 1},
     "REFLECT",
     "VALID",
     {1, 1, 1, 1},
     true},
    {{1, 32, 32, 8}, {3, 3, 8, 16}, {0, 0, 1, 1, 1, 1, 0, 0}, {48, 48}}};

OpCase plain(const PaddedConvCase& conv, DType type, const char* error = "") {
  return {.op = "FusedPadConv2D",
          .in = {random(type, conv.images, 1), tensor<std::int32_t>({4, 2}, conv.paddings),
                 random(type, conv.filter, 2)},
          .attrs = {{"mode", std::string(conv.mode)},
                    {"padding", std::string(conv.padding)},
                    {"strides", conv.strides}},
          .atol = type == DType::f16 ? 3e-2 : 1e-5,
          .error = error};
}

OpCase resized(const PaddedConvCase& conv, DType type, const char* error = "") {
  OpCase row = plain(conv, type, error);
  row.op = "FusedResizeAndPadConv2D";
  row.in.insert(row.in.begin() + 1, tensor<std::int32_t>({2}, conv.size));
  row.attrs.emplace("resize_align_corners", conv.align_corners);
  return row;
}

// TensorFlow 2.15 gives every image the result of the first one.
void add_batch(std::vector<OpCase>& cases) {
  OpCase row = plain({{2, 1, 2, 1}, {1, 1, 1, 1}, {0, 0, 0, 0, 1, 0, 0, 0}, {2, 2}, "SYMMETRIC"},
                     DType::f32);
  row.in[0] = tensor<float>({2, 1, 2, 1}, {1, 2, 3, 4});
  row.in[2] = tensor<float>({1, 1, 1, 1}, {10});
  row.name = "batch";
  row.want = {tensor<float>({2, 1, 3, 1}, {10, 10, 20, 30, 30, 40})};
  cases.push_back(row);
  row.op = "FusedResizeAndPadConv2D";
  row.in.insert(row.in.begin() + 1, tensor<std::int32_t>({2}, {1, 4}));
  row.name = "resized_batch";
  row.want = {tensor<float>({2, 1, 5, 1}, {10, 10, 15, 20, 20, 30, 30, 35, 40, 40})};
  cases.push_back(row);
}

void add_padded_conv_errors(std::vector<OpCase>& cases) {
  const Shape x{1, 4, 5, 2}, w{2, 2, 2, 1};
  const auto refuse = [&](PaddedConvCase conv, const char* error) {
    cases.push_back(plain(conv, DType::f32, error));
  };
  refuse({x, w, {0, 0, 4, 0, 0, 0, 0, 0}, {}}, "paddings must be less than the dimension size: 4");
  refuse({x, w, {0, 0, 5, 0, 0, 0, 0, 0}, {}, "SYMMETRIC"},
         "paddings must be no greater than the dimension size: 5");
  refuse({x, w, {0, 0, -1, 0, 0, 0, 0, 0}, {}}, "non-negative");
  refuse({x, {2, 2, 3, 1}, {0, 0, 0, 0, 0, 0, 0, 0}, {}}, "2 and 3|filter depth");
  refuse({x, {20, 2, 2, 1}, {0, 0, 0, 0, 0, 0, 0, 0}, {}}, "Negative dimension");
  refuse({x, w, {0, 0, 0, 0, 0, 0, 0, 0}, {}, "REFLECT", "VALID", {1, 1, 1}}, "4 values");
  refuse({x, w, {0, 0, 0, 0, 0, 0, 0, 0}, {}, "REFLECT", "VALID", {2, 1, 1, 1}}, "batch and depth");
  refuse({{3, 4, 5, 2}, w, {1, 0, 0, 0, 0, 0, 0, 0}, {}, "SYMMETRIC"}, "not batches");
  refuse({x, {2, 2, 3, 1}, {0, 0, 0, 0, 0, 0, 0, 1}, {}, "SYMMETRIC"}, "not channels");
  refuse({{4, 5, 2}, w, {0, 0, 0, 0, 0, 0, 0, 0}, {}}, "rank");
  cases.push_back(resized({x, w, {0, 0, 0, 0, 0, 0, 0, 0}, {0, 4}}, DType::f32,
                          "must be positive|Negative dimension"));
}

}  // namespace

extern const OpCases kPaddedConvCases{
    "padded_conv", [] {
      std::vector<OpCase> cases;
      for (const PaddedConvCase& conv : kPaddedConvRows)
        for (const DType type : {DType::f32, DType::f64, DType::f16}) {
          cases.push_back(plain(conv, type));
          cases.push_back(resized(conv, type));
        }
      add_batch(cases);
      add_padded_conv_errors(cases);
      return cases;
    }};

}  // namespace rill
