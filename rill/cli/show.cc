#include <cstdio>

#include "rill/api/describe/describe.h"
#include "rill/api/saver/saved_model_loader.h"
#include "rill/cli/command.h"

namespace rill::cli {
namespace {

int show(std::span<const std::string> arguments) {
  Options given(arguments);
  describe::Options options{.all = given.flag("--all")};
  if (const auto tags = given.value("--tag_set")) options.tag_set = *tags;
  if (const auto key = given.value("--signature_def")) options.signature_def = *key;
  if (const auto name = given.value("--tensor")) options.tensor = *name;
  const bool scan = given.flag("--scan"), tag_sets = given.flag("--tag_sets");
  const std::vector<std::string> paths = given.positional();
  if (paths.empty()) throw UsageError("show needs a file, a directory or a checkpoint");
  for (const std::string& path : paths) {
    std::string text;
    if (scan)
      text = describe::denied_ops(saved_model::read_saved_model(path), options.tag_set);
    else if (tag_sets)
      text = describe::tag_sets(saved_model::read_saved_model(path));
    else
      text = describe::describe(path, options);
    std::fputs(text.c_str(), stdout);
  }
  return 0;
}

}  // namespace

const Command kShow{"show", "say what is in a model, checkpoint, graph, event or record file",
                    "show [OPTION...] PATH...\n\n"
                    "  --tag_set TAGS       the graph of a SavedModel with these tags (a,b)\n"
                    "  --signature_def KEY  one signature of it\n"
                    "  --all                everything there is to say\n"
                    "  --tag_sets           the tags of a SavedModel's graphs alone\n"
                    "  --scan               ops of a SavedModel that reach for files\n"
                    "  --tensor NAME        the values of one tensor of a checkpoint",
                    show};

}  // namespace rill::cli
