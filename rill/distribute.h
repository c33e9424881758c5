#pragma once

// tf.distribute: strategies, cluster resolvers, collectives of processes: a part of rill/rill.h,
// for programs that compile faster with less.

#include "rill/api/distribute/cluster_resolver.h"
#include "rill/api/distribute/distributed_input.h"
#include "rill/api/distribute/process_group.h"
#include "rill/api/distribute/strategies.h"
#include "rill/train.h"
