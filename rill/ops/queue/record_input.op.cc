#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kRecordInput{
    .name = "RecordInput",
    .doc =
        "A batch of records of TFRecord files, in random order, without end: each record comes "
        "once before any comes again.",
    .outputs = {"records: string"},
    .attrs = {"file_pattern: string", "file_random_seed: int = 301",
              "file_shuffle_shift_ratio: float = 0", "file_buffer_size: int = 10000",
              "file_parallelism: int = 16", "batch_size: int = 32",
              "compression_type: string = ''"},
    .traits = kStateful | kReadsFiles,
    .shape = unknown_outputs,
    .grad = no_gradient,
};
static_assert(well_formed(kRecordInput));

}  // namespace rill
