#include "rill/ops/resource/handle_twin.h"

namespace rill {
namespace {

Shapes export_shapes(const ShapeCtx&) { return {PartialShape(), PartialShape()}; }

Shapes pairs_shape(const ShapeCtx& c) {
  (void)merge_shapes(c.input(1), c.input(2));
  return {};
}

// Values may be vectors: as many as there are keys.
Shapes rows_shape(const ShapeCtx& c) {
  const PartialShape keys = c.with_rank_at_least(1, 1), values = c.with_rank_at_least(2, 1);
  if (!keys.has_rank() || !values.has_rank()) return {};
  require(compatible(keys.dim(0), values.dim(0)), "Dimensions must be equal, but are ", keys.dim(0),
          " keys and ", values.dim(0), " values");
  return {};
}

}  // namespace

extern constexpr OpDecl kLookupTableFindV2{
    .name = "LookupTableFindV2",
    .doc = "The values of `keys`; `default_value` where a table has none.",
    .inputs = {"table_handle: resource", "keys: Tin", "default_value: Tout"},
    .outputs = {"values: Tout"},
    .attrs = {"Tin: type", "Tout: type"},
    .traits = kStateful | kDataDependentShape | kNoAccess | kNoLastingEffect,
    .shape = unknown_outputs,
    .grad = not_differentiable,
};
static_assert(well_formed(kLookupTableFindV2));

extern constexpr OpDecl kLookupTableFind =
    string_handle_user<kLookupTableFindV2>({.name = "LookupTableFind"});
static_assert(well_formed(kLookupTableFind));

extern constexpr OpDecl kLookupTableInsertV2{
    .name = "LookupTableInsertV2",
    .doc = "Gives keys values, whether they had any or not.",
    .inputs = {"table_handle: resource", "keys: Tin", "values: Tout"},
    .attrs = {"Tin: type", "Tout: type"},
    .traits = kStateful | kNoAccess,
    .grad = not_differentiable,
};
static_assert(well_formed(kLookupTableInsertV2));

extern constexpr OpDecl kLookupTableInsert =
    string_handle_user<kLookupTableInsertV2>({.name = "LookupTableInsert"});
static_assert(well_formed(kLookupTableInsert));

extern constexpr OpDecl kLookupTableRemoveV2{
    .name = "LookupTableRemoveV2",
    .doc = "Takes keys out of a table; those that are not there do not matter.",
    .inputs = {"table_handle: resource", "keys: Tin"},
    .attrs = {"Tin: type"},
    .traits = kStateful | kNoAccess,
    .grad = no_gradient,
};
static_assert(well_formed(kLookupTableRemoveV2));

extern constexpr OpDecl kLookupTableSizeV2{
    .name = "LookupTableSizeV2",
    .doc = "How many keys a table has.",
    .inputs = {"table_handle: resource"},
    .outputs = {"size: int64"},
    .traits = kStateful | kNoAccess | kNoLastingEffect,
    .shape = scalar_output,
    .grad = not_differentiable,
};
static_assert(well_formed(kLookupTableSizeV2));

extern constexpr OpDecl kLookupTableSize =
    string_handle_user<kLookupTableSizeV2>({.name = "LookupTableSize"});
static_assert(well_formed(kLookupTableSize));

extern constexpr OpDecl kLookupTableExportV2{
    .name = "LookupTableExportV2",
    .doc = "All keys and values of a table.",
    .inputs = {"table_handle: resource"},
    .outputs = {"keys: Tkeys", "values: Tvalues"},
    .attrs = {"Tkeys: type", "Tvalues: type"},
    .traits = kStateful | kDataDependentShape | kNoAccess,
    .shape = export_shapes,
    .grad = no_gradient,
};
static_assert(well_formed(kLookupTableExportV2));

extern constexpr OpDecl kLookupTableExport =
    string_handle_user<kLookupTableExportV2>({.name = "LookupTableExport"});
static_assert(well_formed(kLookupTableExport));

extern constexpr OpDecl kLookupTableImportV2{
    .name = "LookupTableImportV2",
    .doc = "Replaces all that is in a table.",
    .inputs = {"table_handle: resource", "keys: Tin", "values: Tout"},
    .attrs = {"Tin: type", "Tout: type"},
    .traits = kStateful | kNoAccess,
    .shape = rows_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kLookupTableImportV2));

extern constexpr OpDecl kLookupTableImport =
    string_handle_user<kLookupTableImportV2>({.name = "LookupTableImport"});
static_assert(well_formed(kLookupTableImport));

extern constexpr OpDecl kInitializeTableV2{
    .name = "InitializeTableV2",
    .doc = "Fills a table that is filled once.",
    .inputs = {"table_handle: resource", "keys: Tkey", "values: Tval"},
    .attrs = {"Tkey: type", "Tval: type"},
    .traits = kStateful | kNoAccess,
    .shape = pairs_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kInitializeTableV2));

extern constexpr OpDecl kInitializeTable =
    string_handle_user<kInitializeTableV2>({.name = "InitializeTable"});
static_assert(well_formed(kInitializeTable));

extern constexpr OpDecl kInitializeTableFromTextFileV2{
    .name = "InitializeTableFromTextFileV2",
    .doc = "Fills a table from the lines of a file: columns, whole lines (-2), line numbers (-1).",
    .inputs = {"table_handle: resource", "filename: string"},
    .attrs = {"key_index: int >= -2", "value_index: int >= -2", "vocab_size: int >= -1 = -1",
              "delimiter: string = '\\t'"},
    .traits = kStateful | kReadsFiles | kForLoading,
    .grad = not_differentiable,
};
static_assert(well_formed(kInitializeTableFromTextFileV2));

extern constexpr OpDecl kInitializeTableFromTextFile =
    string_handle_user<kInitializeTableFromTextFileV2>({.name = "InitializeTableFromTextFile"});
static_assert(well_formed(kInitializeTableFromTextFile));

}  // namespace rill
