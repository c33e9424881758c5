#pragma once

// tf.train's ready-made hooks.
#include "rill/api/training/checkpoint_saver_hook.h"
#include "rill/api/training/evaluation_hooks.h"
#include "rill/api/training/logging_tensor_hook.h"
#include "rill/api/training/profiler_hook.h"
#include "rill/api/training/step_hooks.h"
#include "rill/api/training/summary_saver_hook.h"
#include "rill/api/training/sync_replicas_hook.h"
#include "rill/api/training/value_hooks.h"
