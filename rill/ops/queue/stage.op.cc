#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kStage{
    .name = "Stage",
    .doc = "Puts values at the end of a staging area, when there is room.",
    .inputs = {"values: dtypes"},
    .attrs = {"capacity: int >= 0 = 0", "memory_limit: int >= 0 = 0", "dtypes: list(type) >= 1",
              "container: string = ''", "shared_name: string = ''"},
    .traits = kStateful,
    .grad = no_gradient,
};
static_assert(well_formed(kStage));

extern constexpr OpDecl kUnstage{
    .name = "Unstage",
    .doc = "Takes the values at the front of a staging area, when there are any.",
    .outputs = {"values: dtypes"},
    .attrs = {"capacity: int >= 0 = 0", "memory_limit: int >= 0 = 0", "dtypes: list(type) >= 1",
              "container: string = ''", "shared_name: string = ''"},
    .traits = kStateful,
    .shape = unknown_outputs,
    .grad = no_gradient,
};
static_assert(well_formed(kUnstage));

extern constexpr OpDecl kStagePeek{
    .name = "StagePeek",
    .doc = "The values at a place of a staging area, which stay there; waits for them.",
    .inputs = {"index: int32"},
    .outputs = {"values: dtypes"},
    .attrs = {"capacity: int >= 0 = 0", "memory_limit: int >= 0 = 0", "dtypes: list(type) >= 1",
              "container: string = ''", "shared_name: string = ''"},
    .traits = kStateful,
    .shape = unknown_outputs,
    .grad = no_gradient,
};
static_assert(well_formed(kStagePeek));

extern constexpr OpDecl kStageSize{
    .name = "StageSize",
    .doc = "How many elements are in a staging area.",
    .outputs = {"size: int32"},
    .attrs = {"capacity: int >= 0 = 0", "memory_limit: int >= 0 = 0", "dtypes: list(type)",
              "container: string = ''", "shared_name: string = ''"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kStageSize));

extern constexpr OpDecl kStageClear{
    .name = "StageClear",
    .doc = "Empties a staging area.",
    .attrs = {"capacity: int >= 0 = 0", "memory_limit: int >= 0 = 0", "dtypes: list(type)",
              "container: string = ''", "shared_name: string = ''"},
    .traits = kStateful,
    .grad = no_gradient,
};
static_assert(well_formed(kStageClear));

}  // namespace rill
