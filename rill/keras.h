#pragma once

// tf.keras: everything of it, under TensorFlow's names. rill/rill.h holds what most programs need.

#include "rill/api/keras/backend_labels.h"
#include "rill/api/keras/backend_names.h"
#include "rill/api/keras/callbacks.h"
#include "rill/api/keras/datasets.h"
#include "rill/api/keras/layer_config.h"
#include "rill/api/keras/layer_kinds.h"
#include "rill/api/keras/model.h"
#include "rill/api/keras/model_files.h"
#include "rill/api/keras/names.h"
#include "rill/api/keras/premade.h"
#include "rill/api/keras/schedules.h"
#include "rill/api/keras/stacked_cells.h"
#include "rill/api/keras/training_config.h"
#include "rill/api/keras/utils.h"
#include "rill/api/names/small.h"
// Behind all others.
#include "rill/api/keras/input_name.h"
