#pragma once

#include <string_view>

// The layers of the Inception networks. A row is an end point: a layer, or after a colon branches
// between bars, whose outputs are joined; a branch is layers one after another. A layer is its
// scope, whose last part is the size of the window unless "kN" says otherwise, the number of
// channels, "/N" for a stride, "V" or "S" for a padding, "*" and "**" for initial weights of
// deviation 0.09 and 0.1. "+" joins the outputs of two layers of one input.
namespace rill::contrib::slim::nets {

inline constexpr std::string_view kInceptionV1 = R"(
Conv2d_1a_7x7 64 /2
MaxPool_2a_3x3 /2
Conv2d_2b_1x1 64
Conv2d_2c_3x3 192
MaxPool_3a_3x3 /2
Mixed_3b: Conv2d_0a_1x1 64 | Conv2d_0a_1x1 96, Conv2d_0b_3x3 128 |
    Conv2d_0a_1x1 16, Conv2d_0b_3x3 32 | MaxPool_0a_3x3, Conv2d_0b_1x1 32
Mixed_3c: Conv2d_0a_1x1 128 | Conv2d_0a_1x1 128, Conv2d_0b_3x3 192 |
    Conv2d_0a_1x1 32, Conv2d_0b_3x3 96 | MaxPool_0a_3x3, Conv2d_0b_1x1 64
MaxPool_4a_3x3 /2
Mixed_4b: Conv2d_0a_1x1 192 | Conv2d_0a_1x1 96, Conv2d_0b_3x3 208 |
    Conv2d_0a_1x1 16, Conv2d_0b_3x3 48 | MaxPool_0a_3x3, Conv2d_0b_1x1 64
Mixed_4c: Conv2d_0a_1x1 160 | Conv2d_0a_1x1 112, Conv2d_0b_3x3 224 |
    Conv2d_0a_1x1 24, Conv2d_0b_3x3 64 | MaxPool_0a_3x3, Conv2d_0b_1x1 64
Mixed_4d: Conv2d_0a_1x1 128 | Conv2d_0a_1x1 128, Conv2d_0b_3x3 256 |
    Conv2d_0a_1x1 24, Conv2d_0b_3x3 64 | MaxPool_0a_3x3, Conv2d_0b_1x1 64
Mixed_4e: Conv2d_0a_1x1 112 | Conv2d_0a_1x1 144, Conv2d_0b_3x3 288 |
    Conv2d_0a_1x1 32, Conv2d_0b_3x3 64 | MaxPool_0a_3x3, Conv2d_0b_1x1 64
Mixed_4f: Conv2d_0a_1x1 256 | Conv2d_0a_1x1 160, Conv2d_0b_3x3 320 |
    Conv2d_0a_1x1 32, Conv2d_0b_3x3 128 | MaxPool_0a_3x3, Conv2d_0b_1x1 128
MaxPool_5a_2x2 /2
Mixed_5b: Conv2d_0a_1x1 256 | Conv2d_0a_1x1 160, Conv2d_0b_3x3 320 |
    Conv2d_0a_1x1 32, Conv2d_0a_3x3 128 | MaxPool_0a_3x3, Conv2d_0b_1x1 128
Mixed_5c: Conv2d_0a_1x1 384 | Conv2d_0a_1x1 192, Conv2d_0b_3x3 384 |
    Conv2d_0a_1x1 48, Conv2d_0b_3x3 128 | MaxPool_0a_3x3, Conv2d_0b_1x1 128
)";

inline constexpr std::string_view kInceptionV2 = R"(
Conv2d_1a_7x7 64 /2 *
MaxPool_2a_3x3 /2
Conv2d_2b_1x1 64 **
Conv2d_2c_3x3 192
MaxPool_3a_3x3 /2
Mixed_3b: Conv2d_0a_1x1 64 | Conv2d_0a_1x1 64 *, Conv2d_0b_3x3 64 |
    Conv2d_0a_1x1 64 *, Conv2d_0b_3x3 96, Conv2d_0c_3x3 96 | AvgPool_0a_3x3, Conv2d_0b_1x1 32 **
Mixed_3c: Conv2d_0a_1x1 64 | Conv2d_0a_1x1 64 *, Conv2d_0b_3x3 96 |
    Conv2d_0a_1x1 64 *, Conv2d_0b_3x3 96, Conv2d_0c_3x3 96 | AvgPool_0a_3x3, Conv2d_0b_1x1 64 **
Mixed_4a: Conv2d_0a_1x1 128 *, Conv2d_1a_3x3 160 /2 |
    Conv2d_0a_1x1 64 *, Conv2d_0b_3x3 96, Conv2d_1a_3x3 96 /2 | MaxPool_1a_3x3 /2
Mixed_4b: Conv2d_0a_1x1 224 | Conv2d_0a_1x1 64 *, Conv2d_0b_3x3 96 |
    Conv2d_0a_1x1 96 *, Conv2d_0b_3x3 128, Conv2d_0c_3x3 128 | AvgPool_0a_3x3, Conv2d_0b_1x1 128 **
Mixed_4c: Conv2d_0a_1x1 192 | Conv2d_0a_1x1 96 *, Conv2d_0b_3x3 128 |
    Conv2d_0a_1x1 96 *, Conv2d_0b_3x3 128, Conv2d_0c_3x3 128 | AvgPool_0a_3x3, Conv2d_0b_1x1 128 **
Mixed_4d: Conv2d_0a_1x1 160 | Conv2d_0a_1x1 128 *, Conv2d_0b_3x3 160 |
    Conv2d_0a_1x1 128 *, Conv2d_0b_3x3 160, Conv2d_0c_3x3 160 | AvgPool_0a_3x3, Conv2d_0b_1x1 96 **
Mixed_4e: Conv2d_0a_1x1 96 | Conv2d_0a_1x1 128 *, Conv2d_0b_3x3 192 |
    Conv2d_0a_1x1 160 *, Conv2d_0b_3x3 192, Conv2d_0c_3x3 192 | AvgPool_0a_3x3, Conv2d_0b_1x1 96 **
Mixed_5a: Conv2d_0a_1x1 128 *, Conv2d_1a_3x3 192 /2 |
    Conv2d_0a_1x1 192 *, Conv2d_0b_3x3 256, Conv2d_1a_3x3 256 /2 | MaxPool_1a_3x3 /2
Mixed_5b: Conv2d_0a_1x1 352 | Conv2d_0a_1x1 192 *, Conv2d_0b_3x3 320 |
    Conv2d_0a_1x1 160 *, Conv2d_0b_3x3 224, Conv2d_0c_3x3 224 |
    AvgPool_0a_3x3, Conv2d_0b_1x1 128 **
Mixed_5c: Conv2d_0a_1x1 352 | Conv2d_0a_1x1 192 *, Conv2d_0b_3x3 320 |
    Conv2d_0a_1x1 192 *, Conv2d_0b_3x3 224, Conv2d_0c_3x3 224 |
    MaxPool_0a_3x3, Conv2d_0b_1x1 128 **
)";

inline constexpr std::string_view kInceptionV3 = R"(
Conv2d_1a_3x3 32 /2
Conv2d_2a_3x3 32
Conv2d_2b_3x3 64 S
MaxPool_3a_3x3 /2
Conv2d_3b_1x1 80
Conv2d_4a_3x3 192
MaxPool_5a_3x3 /2
Mixed_5b: Conv2d_0a_1x1 64 | Conv2d_0a_1x1 48, Conv2d_0b_5x5 64 |
    Conv2d_0a_1x1 64, Conv2d_0b_3x3 96, Conv2d_0c_3x3 96 | AvgPool_0a_3x3, Conv2d_0b_1x1 32
Mixed_5c: Conv2d_0a_1x1 64 | Conv2d_0b_1x1 48, Conv_1_0c_5x5 64 |
    Conv2d_0a_1x1 64, Conv2d_0b_3x3 96, Conv2d_0c_3x3 96 | AvgPool_0a_3x3, Conv2d_0b_1x1 64
Mixed_5d: Conv2d_0a_1x1 64 | Conv2d_0a_1x1 48, Conv2d_0b_5x5 64 |
    Conv2d_0a_1x1 64, Conv2d_0b_3x3 96, Conv2d_0c_3x3 96 | AvgPool_0a_3x3, Conv2d_0b_1x1 64
Mixed_6a: Conv2d_1a_1x1 384 k3 /2 V | Conv2d_0a_1x1 64, Conv2d_0b_3x3 96, Conv2d_1a_1x1 96 k3 /2 V |
    MaxPool_1a_3x3 /2 V
Mixed_6b: Conv2d_0a_1x1 192 | Conv2d_0a_1x1 128, Conv2d_0b_1x7 128, Conv2d_0c_7x1 192 |
    Conv2d_0a_1x1 128, Conv2d_0b_7x1 128, Conv2d_0c_1x7 128, Conv2d_0d_7x1 128, Conv2d_0e_1x7 192 |
    AvgPool_0a_3x3, Conv2d_0b_1x1 192
Mixed_6c: Conv2d_0a_1x1 192 | Conv2d_0a_1x1 160, Conv2d_0b_1x7 160, Conv2d_0c_7x1 192 |
    Conv2d_0a_1x1 160, Conv2d_0b_7x1 160, Conv2d_0c_1x7 160, Conv2d_0d_7x1 160, Conv2d_0e_1x7 192 |
    AvgPool_0a_3x3, Conv2d_0b_1x1 192
Mixed_6d: Conv2d_0a_1x1 192 | Conv2d_0a_1x1 160, Conv2d_0b_1x7 160, Conv2d_0c_7x1 192 |
    Conv2d_0a_1x1 160, Conv2d_0b_7x1 160, Conv2d_0c_1x7 160, Conv2d_0d_7x1 160, Conv2d_0e_1x7 192 |
    AvgPool_0a_3x3, Conv2d_0b_1x1 192
Mixed_6e: Conv2d_0a_1x1 192 | Conv2d_0a_1x1 192, Conv2d_0b_1x7 192, Conv2d_0c_7x1 192 |
    Conv2d_0a_1x1 192, Conv2d_0b_7x1 192, Conv2d_0c_1x7 192, Conv2d_0d_7x1 192, Conv2d_0e_1x7 192 |
    AvgPool_0a_3x3, Conv2d_0b_1x1 192
Mixed_7a: Conv2d_0a_1x1 192, Conv2d_1a_3x3 320 /2 V |
    Conv2d_0a_1x1 192, Conv2d_0b_1x7 192, Conv2d_0c_7x1 192, Conv2d_1a_3x3 192 /2 V |
    MaxPool_1a_3x3 /2 V
Mixed_7b: Conv2d_0a_1x1 320 | Conv2d_0a_1x1 384, Conv2d_0b_1x3 384 + Conv2d_0b_3x1 384 |
    Conv2d_0a_1x1 448, Conv2d_0b_3x3 384, Conv2d_0c_1x3 384 + Conv2d_0d_3x1 384 |
    AvgPool_0a_3x3, Conv2d_0b_1x1 192
Mixed_7c: Conv2d_0a_1x1 320 | Conv2d_0a_1x1 384, Conv2d_0b_1x3 384 + Conv2d_0c_3x1 384 |
    Conv2d_0a_1x1 448, Conv2d_0b_3x3 384, Conv2d_0c_1x3 384 + Conv2d_0d_3x1 384 |
    AvgPool_0a_3x3, Conv2d_0b_1x1 192
)";

}  // namespace rill::contrib::slim::nets
