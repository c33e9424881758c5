#pragma once

// tf.layers: layers as classes, and as functions that make one and call it.

#include "rill/api/layers/convolution_layers.h"
#include "rill/api/layers/core_layers.h"
#include "rill/api/layers/layer.h"
#include "rill/api/layers/normalization_layers.h"
#include "rill/api/layers/pooling_layers.h"
