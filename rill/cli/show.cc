#include <cstdio>

#include "rill/api/describe/describe.h"
#include "rill/api/picture/picture.h"
#include "rill/api/saver/saved_model_loader.h"
#include "rill/base/files.h"
#include "rill/base/text.h"
#include "rill/cli/command.h"

namespace rill::cli {
namespace {

struct PictureWish {
  std::optional<std::string> svg, png;
  picture::Options options;
};

PictureWish picture_wish(Options& given) {
  PictureWish wish{.svg = given.value("--svg"), .png = given.value("--png"), .options = {}};
  if (const auto scope = given.value("--scope")) wish.options.scope = *scope;
  if (const auto boxes = given.value("--boxes")) {
    long long count = 0;
    if (!parse_int(*boxes, &count) || count < 1 || count > 100000)
      throw UsageError("--boxes needs a number");
    wish.options.boxes = static_cast<int>(count);
  }
  return wish;
}

void draw(PictureWish wish, const std::string& path, const std::string& tag_set) {
  wish.options.title = path;
  const picture::Drawing drawing = picture::draw(describe::graph_in(path, tag_set), wish.options);
  if (wish.svg) write_file(*wish.svg, picture::to_svg(drawing));
  if (wish.png) write_file(*wish.png, picture::to_png(drawing));
}

int show(std::span<const std::string> arguments) {
  Options given(arguments);
  describe::Options options{.all = given.flag("--all")};
  if (const auto tags = given.value("--tag_set")) options.tag_set = *tags;
  if (const auto key = given.value("--signature_def")) options.signature_def = *key;
  if (const auto name = given.value("--tensor")) options.tensor = *name;
  const bool scan = given.flag("--scan"), tag_sets = given.flag("--tag_sets");
  const PictureWish wish = picture_wish(given);
  const std::vector<std::string> paths = given.positional();
  if (paths.empty()) throw UsageError("show needs a file, a directory or a checkpoint");
  const bool draws = wish.svg || wish.png;
  if (draws && paths.size() > 1) throw UsageError("a picture shows one graph");
  for (const std::string& path : paths) {
    if (draws) {
      draw(wish, path, options.tag_set);
      continue;
    }
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
                    "  --tensor NAME        the values of one tensor of a checkpoint\n"
                    "  --svg FILE           a picture of the graph; --png FILE the same in pixels\n"
                    "  --scope NAME         only what is below this name scope\n"
                    "  --boxes COUNT        about so many boxes, 80 if left out",
                    show};

}  // namespace rill::cli
