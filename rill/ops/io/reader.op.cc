#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

void check_handle(const ShapeCtx& c, int i) { (void)c.scalar(i); }

Shapes one_record(const ShapeCtx& c) {
  check_handle(c, 0);
  check_handle(c, 1);
  return {PartialShape::scalar(), PartialShape::scalar()};
}
Shapes some_records(const ShapeCtx& c) {
  check_handle(c, 0);
  check_handle(c, 1);
  (void)c.scalar(2);
  return {PartialShape{-1}, PartialShape{-1}};
}
Shapes one_scalar(const ShapeCtx& c) {
  check_handle(c, 0);
  return {PartialShape::scalar()};
}
Shapes restored(const ShapeCtx& c) {
  check_handle(c, 0);
  (void)c.scalar(1);
  return {};
}
Shapes nothing(const ShapeCtx& c) {
  check_handle(c, 0);
  return {};
}

}  // namespace

extern constexpr OpDecl kReaderReadV2{
    .name = "ReaderReadV2",
    .doc = "The next record of a reader; works are taken from the queue when one is done.",
    .inputs = {"reader_handle: resource", "queue_handle: resource"},
    .outputs = {"key: string", "value: string"},
    .traits = kStateful | kUsesOpened,
    .shape = one_record,
    .grad = no_gradient,
};
static_assert(well_formed(kReaderReadV2));

extern constexpr OpDecl kReaderReadUpToV2{
    .name = "ReaderReadUpToV2",
    .doc = "Up to `num_records` records of one work; at least one unless none is asked for.",
    .inputs = {"reader_handle: resource", "queue_handle: resource", "num_records: int64"},
    .outputs = {"keys: string", "values: string"},
    .traits = kStateful | kDataDependentShape | kUsesOpened,
    .shape = some_records,
    .grad = no_gradient,
};
static_assert(well_formed(kReaderReadUpToV2));

extern constexpr OpDecl kReaderNumRecordsProducedV2{
    .name = "ReaderNumRecordsProducedV2",
    .doc = "How many records a reader has made.",
    .inputs = {"reader_handle: resource"},
    .outputs = {"records_produced: int64"},
    .traits = kStateful | kUsesOpened,
    .shape = one_scalar,
    .grad = no_gradient,
};
static_assert(well_formed(kReaderNumRecordsProducedV2));

extern constexpr OpDecl kReaderNumWorkUnitsCompletedV2{
    .name = "ReaderNumWorkUnitsCompletedV2",
    .doc = "How many works a reader has brought to their end.",
    .inputs = {"reader_handle: resource"},
    .outputs = {"units_completed: int64"},
    .traits = kStateful | kUsesOpened,
    .shape = one_scalar,
    .grad = no_gradient,
};
static_assert(well_formed(kReaderNumWorkUnitsCompletedV2));

extern constexpr OpDecl kReaderSerializeStateV2{
    .name = "ReaderSerializeStateV2",
    .doc = "What a reader must know to go on, as bytes.",
    .inputs = {"reader_handle: resource"},
    .outputs = {"state: string"},
    .traits = kStateful | kUsesOpened,
    .shape = one_scalar,
    .grad = no_gradient,
};
static_assert(well_formed(kReaderSerializeStateV2));

extern constexpr OpDecl kReaderRestoreStateV2{
    .name = "ReaderRestoreStateV2",
    .doc = "Lets a reader go on from what ReaderSerializeState gave.",
    .inputs = {"reader_handle: resource", "state: string"},
    .traits = kStateful | kUsesOpened,
    .shape = restored,
    .grad = no_gradient,
};
static_assert(well_formed(kReaderRestoreStateV2));

extern constexpr OpDecl kReaderResetV2{
    .name = "ReaderResetV2",
    .doc = "Lets a reader begin anew.",
    .inputs = {"reader_handle: resource"},
    .traits = kStateful | kUsesOpened,
    .shape = nothing,
    .grad = no_gradient,
};
static_assert(well_formed(kReaderResetV2));

}  // namespace rill
