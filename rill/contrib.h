#pragma once

// tf.contrib: everything of it, under TensorFlow's names. rill/rill.h holds what most programs
// need.

#include "rill/api/names/contrib.h"
#include "rill/api/names/contrib_more.h"
#include "rill/api/names/contrib_small.h"
#include "rill/api/names/framework.h"
#include "rill/api/names/small.h"
#include "rill/api/training/hparams.h"
