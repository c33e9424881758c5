#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kSnapshotDataset{
    .name = "SnapshotDataset",
    .doc = "The input, from files that the first walk wrote.",
    .inputs = {"input_dataset: variant", "path: string"},
    .outputs = {"handle: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1",
              "compression: string = \"\"", "reader_path_prefix: string = \"\"",
              "writer_path_prefix: string = \"\"", "shard_size_bytes: int = 10737418240",
              "pending_snapshot_expiry_seconds: int = 86400", "num_reader_threads: int = 1",
              "reader_buffer_size: int = 1", "num_writer_threads: int = 1",
              "writer_buffer_size: int = 1"},
    .traits = kReadsFiles | kWritesFiles,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kSnapshotDataset));

}  // namespace rill
