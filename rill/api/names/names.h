#pragma once

// All headers of this folder.

#include "rill/api/names/files.h"
#include "rill/api/names/initializers.h"
#include "rill/api/names/messages.h"
#include "rill/api/names/modules.h"
#include "rill/api/names/more.h"
#include "rill/api/names/one_op.h"
#include "rill/api/names/random.h"
#include "rill/api/names/sparse.h"
#include "rill/api/names/tf.h"
#include "rill/api/names/training.h"
