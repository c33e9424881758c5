#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes read_file_shape(const ShapeCtx& c) { return {c.scalar(0)}; }

Shapes write_file_shape(const ShapeCtx& c) {
  (void)c.scalar(0);
  (void)c.scalar(1);
  return {};
}

Shapes matching_files_shape(const ShapeCtx& c) {
  const PartialShape& patterns = c.input(0);
  require(!patterns.has_rank() || patterns.rank() <= 1, "Shape must be at most rank 1 but is rank ",
          patterns.has_rank() ? patterns.rank() : 0);
  return {PartialShape{-1}};
}

Shapes all_scalars(const ShapeCtx& c) {
  for (int i = 0; i < c.input_count(); ++i) (void)c.scalar(i);
  return scalar_output(c);
}

}  // namespace

extern constexpr OpDecl kReadFile{
    .name = "ReadFile",
    .doc = "The whole content of a file.",
    .inputs = {"filename: string"},
    .outputs = {"contents: string"},
    .traits = kReadsFiles,
    .shape = read_file_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kReadFile));

extern constexpr OpDecl kWriteFile{
    .name = "WriteFile",
    .doc =
        "Makes a file of `contents`, and the directories above it; a file that is there is "
        "replaced.",
    .inputs = {"filename: string", "contents: string"},
    .traits = kStateful | kWritesFiles,
    .shape = write_file_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kWriteFile));

extern constexpr OpDecl kMatchingFiles{
    .name = "MatchingFiles",
    .doc = "The names of the files that fit one of the patterns, sorted.",
    .inputs = {"pattern: string"},
    .outputs = {"filenames: string"},
    .traits = kDataDependentShape | kReadsFiles,
    .shape = matching_files_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kMatchingFiles));

extern constexpr OpDecl kShardedFilename{
    .name = "ShardedFilename",
    .doc = "The name of one shard: basename-00003-of-00010.",
    .inputs = {"basename: string", "shard: int32", "num_shards: int32"},
    .outputs = {"filename: string"},
    .traits = kPure | kNoAccess,
    .shape = all_scalars,
    .grad = no_gradient,
};
static_assert(well_formed(kShardedFilename));

extern constexpr OpDecl kShardedFilespec{
    .name = "ShardedFilespec",
    .doc = "A pattern that fits all shards: basename-????\?-of-00010.",
    .inputs = {"basename: string", "num_shards: int32"},
    .outputs = {"filename: string"},
    .traits = kPure | kNoAccess,
    .shape = all_scalars,
    .grad = no_gradient,
};
static_assert(well_formed(kShardedFilespec));

}  // namespace rill
