#pragma once

// Tf.nn, tf.layers, tf.losses and recurrent cells: a part of rill/rill.h, for programs that compile
// faster with less.

#include "rill/api/layers/layers.h"
#include "rill/api/losses/losses.h"
#include "rill/api/nn/nn.h"
#include "rill/api/nn/softmax.h"
#include "rill/api/rnn/attention_cell.h"
#include "rill/api/rnn/cell_wrappers.h"
#include "rill/api/rnn/cells.h"
#include "rill/api/rnn/contrib_cells.h"
#include "rill/api/rnn/dynamic_rnn.h"
#include "rill/api/rnn/fused_lstm.h"
#include "rill/api/rnn/raw_rnn.h"
#include "rill/api/rnn/stacked_rnn.h"
#include "rill/api/rnn/static_rnn.h"
#include "rill/core.h"
