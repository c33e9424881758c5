#pragma once

// Tf.estimator and tf.feature_column: a part of rill/rill.h, for programs that compile faster with
// less.

#include "rill/api/estimator/canned/boosted_trees.h"
#include "rill/api/estimator/canned/canned.h"
#include "rill/api/estimator/canned/kmeans.h"
#include "rill/api/estimator/canned/rnn.h"
#include "rill/api/estimator/core/add_metrics.h"
#include "rill/api/estimator/export/export_output.h"
#include "rill/api/estimator/heads/head.h"
#include "rill/api/estimator/input/numpy_input.h"
#include "rill/api/estimator/schedule/early_stopping.h"
#include "rill/api/estimator/schedule/train_and_evaluate.h"
#include "rill/api/feature_column/columns.h"
#include "rill/api/feature_column/input_layer.h"
#include "rill/api/feature_column/parse_spec.h"
#include "rill/core.h"
