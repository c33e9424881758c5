#pragma once

// Tf.image: a part of rill/rill.h, for programs that compile faster with less.

#include "rill/api/image/image.h"
#include "rill/api/image/transforms.h"
#include "rill/core.h"
