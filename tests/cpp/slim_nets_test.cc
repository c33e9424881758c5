#include <gtest/gtest.h>

#include "rill/api/array/shapes.h"
#include "rill/api/slim/nets.h"
#include "rill/api/variables/variable_lists.h"

namespace rill {
namespace {

namespace slim = contrib::slim;

TEST(SlimNets, calls_win_over_scopes_and_inner_scopes_over_outer_ones) {
  const AsDefault graph(make_graph());
  const Output x = zeros(ShapeInput({1, 8, 8, 3}));
  const slim::ArgScope outer({slim::LayerKind::kConv2d, slim::LayerKind::kMaxPool2d},
                             {.stride = 2, .padding = "VALID"});
  EXPECT_EQ(slim::conv2d(x, 4, {3, 3}).shape(), PartialShape({1, 3, 3, 4}));
  const slim::ArgScope inner({slim::LayerKind::kConv2d}, {.padding = "SAME"});
  EXPECT_EQ(slim::conv2d(x, 4, {3, 3}).shape(), PartialShape({1, 4, 4, 4}));
  EXPECT_EQ(slim::conv2d(x, 4, {3, 3}, {.stride = 1}).shape(), PartialShape({1, 8, 8, 4}));
  EXPECT_EQ(slim::max_pool2d(x, {3, 3}).shape(), PartialShape({1, 3, 3, 3}));
}

TEST(SlimNets, a_network_stands_in_its_arg_scope) {
  const AsDefault graph(make_graph());
  const Output images = zeros(ShapeInput({2, 224, 224, 3}));
  const slim::ArgScope defaults(slim::nets::resnet_arg_scope());
  const auto [net, end_points] =
      slim::nets::resnet_v1_50(images, {.num_classes = 10, .is_training = false});
  EXPECT_EQ(net.shape(), PartialShape({2, 1, 1, 10}));
  EXPECT_EQ(end_points.at("resnet_v1_50/block2").shape(), PartialShape({2, 14, 14, 512}));
  EXPECT_EQ(end_points.at("predictions").shape(), PartialShape({2, 1, 1, 10}));
  EXPECT_EQ(global_variables().size(), 267U);
  EXPECT_THROW(end_points.at("block9"), Error);
}

TEST(SlimNets, inception_ends_where_it_is_told) {
  const AsDefault graph(make_graph());
  const auto made = slim::nets::inception_v3_base(zeros(ShapeInput({1, 299, 299, 3})),
                                                  {.final_endpoint = "Mixed_6a"});
  EXPECT_EQ(made.net.shape(), PartialShape({1, 17, 17, 768}));
  EXPECT_THROW(
      slim::nets::inception_v1_base(zeros(ShapeInput({1, 224, 224, 3})), {.final_endpoint = "x"}),
      Error);
}

}  // namespace
}  // namespace rill
