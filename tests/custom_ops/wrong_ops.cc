// A library of which one registration cannot be understood.
#include "tensorflow/core/framework/op.h"

REGISTER_OP("WrongOp").Input("x: T").Attr("T: nonsense");
REGISTER_OP("RightOp").Input("x: float");
