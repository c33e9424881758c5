#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

struct NameAndDoc {
  const char* name;
  const char* doc;
};

// The op for maps whose keys are ordered, declared like the one for any map.
template <const OpDecl& op>
consteval OpDecl ordered_by_key(NameAndDoc own) {
  OpDecl twin = op;
  twin.name = own.name;
  twin.doc = own.doc;
  return twin;
}

}  // namespace

extern constexpr OpDecl kMapStage{
    .name = "MapStage",
    .doc =
        "Puts values under a key into a map; an element whose values come in parts is there once "
        "all have come.",
    .inputs = {"key: int64", "indices: int32", "values: fake_dtypes"},
    .attrs = {"capacity: int >= 0 = 0", "memory_limit: int >= 0 = 0", "dtypes: list(type)",
              "fake_dtypes: list(type) >= 1", "container: string = ''", "shared_name: string = ''"},
    .traits = kStateful,
    .grad = no_gradient,
};
static_assert(well_formed(kMapStage));

extern constexpr OpDecl kOrderedMapStage = ordered_by_key<kMapStage>(
    {.name = "OrderedMapStage",
     .doc =
         "Puts values under a key into a map that is ordered by key; an element whose values come "
         "in parts is there once all have come."});
static_assert(well_formed(kOrderedMapStage));

extern constexpr OpDecl kMapUnstage{
    .name = "MapUnstage",
    .doc = "Takes values under a key out of a map; waits for the key.",
    .inputs = {"key: int64", "indices: int32"},
    .outputs = {"values: dtypes"},
    .attrs = {"capacity: int >= 0 = 0", "memory_limit: int >= 0 = 0", "dtypes: list(type) >= 1",
              "container: string = ''", "shared_name: string = ''"},
    .traits = kStateful,
    .shape = unknown_outputs,
    .grad = no_gradient,
};
static_assert(well_formed(kMapUnstage));

extern constexpr OpDecl kOrderedMapUnstage = ordered_by_key<kMapUnstage>(
    {.name = "OrderedMapUnstage",
     .doc = "Takes values under a key out of a map that is ordered by key; waits for the key."});
static_assert(well_formed(kOrderedMapUnstage));

extern constexpr OpDecl kMapUnstageNoKey{
    .name = "MapUnstageNoKey",
    .doc = "Takes values under any key out of a map; waits for one.",
    .inputs = {"indices: int32"},
    .outputs = {"key: int64", "values: dtypes"},
    .attrs = {"capacity: int >= 0 = 0", "memory_limit: int >= 0 = 0", "dtypes: list(type) >= 1",
              "container: string = ''", "shared_name: string = ''"},
    .traits = kStateful,
    .shape = unknown_outputs,
    .grad = no_gradient,
};
static_assert(well_formed(kMapUnstageNoKey));

extern constexpr OpDecl kOrderedMapUnstageNoKey = ordered_by_key<kMapUnstageNoKey>(
    {.name = "OrderedMapUnstageNoKey",
     .doc =
         "Takes values under the lowest key out of a map that is ordered by key; waits for one."});
static_assert(well_formed(kOrderedMapUnstageNoKey));

extern constexpr OpDecl kMapPeek{
    .name = "MapPeek",
    .doc = "Values under a key of a map, which stay there; waits for the key.",
    .inputs = {"key: int64", "indices: int32"},
    .outputs = {"values: dtypes"},
    .attrs = {"capacity: int >= 0 = 0", "memory_limit: int >= 0 = 0", "dtypes: list(type) >= 1",
              "container: string = ''", "shared_name: string = ''"},
    .traits = kStateful,
    .shape = unknown_outputs,
    .grad = no_gradient,
};
static_assert(well_formed(kMapPeek));

extern constexpr OpDecl kOrderedMapPeek =
    ordered_by_key<kMapPeek>({.name = "OrderedMapPeek",
                              .doc = "Values under a key of a map that is ordered by key, which "
                                     "stay there; waits for the key."});
static_assert(well_formed(kOrderedMapPeek));

extern constexpr OpDecl kMapSize{
    .name = "MapSize",
    .doc = "How many complete elements are in a map.",
    .outputs = {"size: int32"},
    .attrs = {"capacity: int >= 0 = 0", "memory_limit: int >= 0 = 0", "dtypes: list(type)",
              "container: string = ''", "shared_name: string = ''"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kMapSize));

extern constexpr OpDecl kOrderedMapSize = ordered_by_key<kMapSize>(
    {.name = "OrderedMapSize",
     .doc = "How many complete elements are in a map that is ordered by key."});
static_assert(well_formed(kOrderedMapSize));

extern constexpr OpDecl kMapIncompleteSize{
    .name = "MapIncompleteSize",
    .doc = "How many incomplete elements are in a map.",
    .outputs = {"size: int32"},
    .attrs = {"capacity: int >= 0 = 0", "memory_limit: int >= 0 = 0", "dtypes: list(type)",
              "container: string = ''", "shared_name: string = ''"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kMapIncompleteSize));

extern constexpr OpDecl kOrderedMapIncompleteSize = ordered_by_key<kMapIncompleteSize>(
    {.name = "OrderedMapIncompleteSize",
     .doc = "How many incomplete elements are in a map that is ordered by key."});
static_assert(well_formed(kOrderedMapIncompleteSize));

extern constexpr OpDecl kMapClear{
    .name = "MapClear",
    .doc = "Empties a map.",
    .attrs = {"capacity: int >= 0 = 0", "memory_limit: int >= 0 = 0", "dtypes: list(type)",
              "container: string = ''", "shared_name: string = ''"},
    .traits = kStateful,
    .grad = no_gradient,
};
static_assert(well_formed(kMapClear));

extern constexpr OpDecl kOrderedMapClear = ordered_by_key<kMapClear>(
    {.name = "OrderedMapClear", .doc = "Empties a map that is ordered by key."});
static_assert(well_formed(kOrderedMapClear));

}  // namespace rill
