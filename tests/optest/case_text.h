#pragma once

#include <string>
#include <vector>

#include "tensorflow/core/framework/graph.pb.h"
#include "tests/optest/op_case.h"

namespace rill {

// The graph of a row that needs more than one node, as text. A line is a statement:
//
//   q = FIFOQueueV2(component_types=[float])
//   QueueEnqueueManyV2(q, ([1.0 2.0]))
//   case = QueueDequeueV2(q, component_types=[float])
//   fetch case, QueueSizeV2(q)
//
//   NAME = Op(argument, ..., attribute=value) [after NODE ...]     NAME = may be left out
//   fetch EXPRESSION, ...        what is compared; without it, the outputs of the case
//   elements DATASET N           compares N elements of a dataset, and whether there are more
//   function F(x: TYPE, ...) -> TYPE, ... = EXPRESSION, ...
//
// All statements run, those behind the last fetch too. Arguments and values are written as in tests/script. $OP is the op of the row and $V the version
// that its name ends in, "V2" or nothing; $TMP is a directory, empty when the row runs. A statement
// runs after the one above it, unless it is control flow or reads from control flow. Attributes
// that arguments determine may be left out, and so may output_types and output_shapes where they
// are those of the dataset that is the first argument.
struct CaseText {
  tensorflow::GraphDef def;  // all nodes but the case, and the functions
  // Of the case. Attributes that the values among its inputs determine are left out.
  std::vector<CaseInput> in;
  AttrMap attrs;
  std::vector<std::string> after;
  std::string last;  // the last statement that others can wait for; "": none
  struct Fetch {
    std::string tensor;
    DType dtype;
    std::string after;  // "": behind control flow
  };
  std::vector<Fetch> fetches;
};

// Throws InvalidArgument on text that does not follow the rules, and when the case is of another op
// than the row's.
CaseText parse_case_text(const OpCase& row);
CaseText parse_plain_text(const OpCase& row);

}  // namespace rill
