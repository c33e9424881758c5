#pragma once

#include "rill/graph/gradient_parts.h"

namespace rill {

// A convolution and its gradients with respect to images and filter, by name. They take turns: each
// is linear in two of the three, and its gradients are the other two.
struct ConvNames {
  const char *forward, *to_images, *to_filter;
};

// The attributes that a convolution and its gradients have in common.
inline AttrMap conv_attrs(GradCtx& g) {
  AttrMap attrs;
  for (const char* name :
       {"strides", "padding", "explicit_paddings", "use_cudnn_on_gpu", "data_format", "dilations"})
    if (const auto it = g.node().attrs().find(name); it != g.node().attrs().end())
      attrs.emplace(name, it->second);
  return attrs;
}

template <const ConvNames& names>
void conv_back_to_images_grad(GradCtx& g) {
  const Output filter_shape = shape_of(g, g.input(1));
  g.set(1, g.add(names.to_filter, {g.dy(), filter_shape, g.input(2)}, conv_attrs(g)));
  g.set(2, g.add(names.forward, {g.dy(), g.input(1)}, conv_attrs(g)));
}

template <const ConvNames& names>
void conv_back_to_filter_grad(GradCtx& g) {
  const Output image_shape = shape_of(g, g.input(0));
  g.set(0, g.add(names.to_images, {image_shape, g.dy(), g.input(2)}, conv_attrs(g)));
  g.set(2, g.add(names.forward, {g.input(0), g.dy()}, conv_attrs(g)));
}

}  // namespace rill
