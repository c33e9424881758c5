#pragma once

#include "rill/api/feature_column/features_layer.h"
#include "rill/api/keras/layers.h"

// Layers of feature columns, under the names that tf.keras has for them.
namespace rill::keras::layers {
using feature_column::DenseFeatures;
}  // namespace rill::keras::layers
namespace rill::keras::experimental {
using feature_column::SequenceFeatures;
}  // namespace rill::keras::experimental
