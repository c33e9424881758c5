#pragma once

// tf.signal and tf.spectral in one header.

// IWYU pragma: begin_exports
#include "rill/api/gen/plain_signal.h"
#include "rill/api/signal/frames.h"
#include "rill/api/signal/transforms.h"
#include "rill/api/signal/windows.h"
// IWYU pragma: end_exports
