#pragma once

// TensorFlow's messages, in full: for programs that make one or look into one (a GraphDef, a
// ConfigProto, an Example, a Summary). The other headers only know their names, because these cost
// every program that includes them half a second of compiling.

#include "rill/api/io/messages.h"
#include "rill/api/names/messages.h"
#include "rill/runtime/session/config.h"
#include "tensorflow/contrib/tensorboard/plugins/projector/projector_config.pb.h"
#include "tensorflow/core/example/example.pb.h"
#include "tensorflow/core/example/feature.pb.h"
#include "tensorflow/core/framework/attr_value.pb.h"
#include "tensorflow/core/framework/graph.pb.h"
#include "tensorflow/core/framework/op_def.pb.h"
#include "tensorflow/core/framework/summary.pb.h"
#include "tensorflow/core/framework/tensor.pb.h"
#include "tensorflow/core/protobuf/cluster.pb.h"
#include "tensorflow/core/protobuf/config.pb.h"
#include "tensorflow/core/protobuf/meta_graph.pb.h"
#include "tensorflow/core/protobuf/saved_model.pb.h"
#include "tensorflow/core/protobuf/saver.pb.h"
#include "tensorflow/core/protobuf/struct.pb.h"
#include "tensorflow/core/protobuf/tensorflow_server.pb.h"
#include "tensorflow/core/protobuf/trackable_object_graph.pb.h"
#include "tensorflow/core/util/event.pb.h"
#include "tensorflow/python/training/checkpoint_state.pb.h"
