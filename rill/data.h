#pragma once

// Tf.data, tf.io and tf.parse_example: a part of rill/rill.h, for programs that compile faster with
// less.

#include "rill/api/data/csv_columns.h"
#include "rill/api/data/iterator.h"
#include "rill/api/data/multi_device_iterator.h"
#include "rill/api/data/readers.h"
#include "rill/api/io/gfile.h"
#include "rill/api/io/readers.h"
#include "rill/api/io/tf_record.h"
#include "rill/api/parsing/features.h"
#include "rill/core.h"
