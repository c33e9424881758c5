#pragma once

// Tf.linalg and tf.signal: a part of rill/rill.h, for programs that compile faster with less.

#include "rill/api/linalg/least_squares.h"
#include "rill/api/linalg/linalg.h"
#include "rill/api/linalg/matrix_functions.h"
#include "rill/api/linalg/operators.h"
#include "rill/api/linalg/tridiagonal.h"
#include "rill/api/signal/signal.h"
#include "rill/core.h"
