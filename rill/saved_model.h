#pragma once

// Tf.saved_model: a part of rill/rill.h, for programs that compile faster with less.

#include "rill/api/saver/saved_model_builder.h"
#include "rill/api/saver/saved_model_loader.h"
#include "rill/api/saver/signatures.h"
#include "rill/core.h"
