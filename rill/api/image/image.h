#pragma once

// tf.image in one header.

// IWYU pragma: begin_exports
#include "rill/api/gen/plain_image.h"
#include "rill/api/image/adjust.h"
#include "rill/api/image/boxes.h"
#include "rill/api/image/colors.h"
#include "rill/api/image/crops.h"
#include "rill/api/image/decoding.h"
#include "rill/api/image/differences.h"
#include "rill/api/image/flips.h"
#include "rill/api/image/quality.h"
#include "rill/api/image/resize.h"
// IWYU pragma: end_exports
