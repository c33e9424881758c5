#include "tests/optest/op_case.h"

namespace rill {
namespace {

// The ops of maps with keys in any order, or in order.
void add_map_rows(std::vector<OpCase>& rows, const std::string& map,
                  std::initializer_list<const char*> ops) {
  const char* const* op = ops.begin();
  const std::string area = "dtypes=[float int32], shared_name=\"area\"";
  const std::string filled = map + "Stage(7, [0 1], (1.5, [1 2]), " + area + ")\n" +  //
                             map + "Stage(8, [1], ([3 4]), " + area + ")\n";
  const std::string sizes =
      "fetch " + map + "Size(" + area + "), " + map + "IncompleteSize(" + area + ")\n";
  // Stage: the other half of an element.
  add_graphs(rows, {op[0]},
             filled + "case = $OP(8, [0], (2.5), " + area + ")\n" + sizes +  //
                 "got = " + map + "Unstage(8, [0 1], " + area + ")\nfetch got, got:1");
  add_graphs(rows, {op[0]}, filled + "case = $OP(8, [1], ([5 6]), " + area + ")",
             "already initialized");
  for (const int peek_or_unstage : {1, 2})
    add_graphs(rows, {op[peek_or_unstage]},
               filled + "case = $OP(7, [0 1], " + area + ")\nfetch case, case:1\n" + sizes);
  add_graphs(rows, {op[3]},
             filled + "case = $OP([0 1], " + area + ")\nfetch case, case:1, case:2\n" + sizes);
  for (const int size : {4, 5}) add_graphs(rows, {op[size]}, filled + "case = $OP(" + area + ")");
  add_graphs(rows, {op[6]}, filled + "case = $OP(" + area + ")\n" + sizes);
}

}  // namespace

extern const OpCases kMapStageCases{
    "map_stage", [] {
      std::vector<OpCase> rows;
      add_map_rows(rows, "Map",
                   {"MapStage", "MapPeek", "MapUnstage", "MapUnstageNoKey", "MapSize",
                    "MapIncompleteSize", "MapClear"});
      add_map_rows(
          rows, "OrderedMap",
          {"OrderedMapStage", "OrderedMapPeek", "OrderedMapUnstage", "OrderedMapUnstageNoKey",
           "OrderedMapSize", "OrderedMapIncompleteSize", "OrderedMapClear"});
      return rows;
    }};

}  // namespace rill
