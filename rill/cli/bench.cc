#include <cstdio>

#include "rill/api/describe/describe.h"
#include "rill/base/files.h"
#include "rill/base/json.h"
#include "rill/base/text.h"
#include "rill/cli/command.h"
#include "rill/inspect/explain.h"
#include "rill/inspect/model_speed.h"
#include "rill/io/npz.h"
#include "rill/io/saved_model.h"

namespace rill::cli {
namespace {

using namespace rill::inspect;

std::int64_t number_text(Options& given, const char* name, std::int64_t otherwise,
                         std::int64_t least) {
  const auto text = given.value(name);
  if (!text) return otherwise;
  long long value = 0;
  if (!parse_int(*text, &value) || value < least || value > 1'000'000'000)
    throw UsageError(str_cat(name, " needs a number of at least ", least));
  return value;
}

// "name=2,3" as often as it stands there.
std::map<std::string, Shape> shapes(Options& given) {
  std::map<std::string, Shape> wanted;
  while (const auto text = given.value("--shape")) {
    const std::size_t equals = text->rfind('=');
    if (equals == text->npos) throw UsageError("--shape needs NAME=SIZE,SIZE,...");
    std::vector<std::int64_t> dims;
    for (const std::string& item : comma_list(text->substr(equals + 1))) {
      long long dim = 0;
      if (!parse_int(item, &dim) || dim < 0)
        throw UsageError(str_cat("--shape ", *text, ": ", item, " is no size"));
      dims.push_back(dim);
    }
    wanted[text->substr(0, equals)] = Shape(dims);
  }
  return wanted;
}

struct Wishes {
  ModelSource source;
  FeedWishes feeds;
  SpeedWishes speed;
  std::int64_t runs = 10, rows = 15;
  std::optional<std::string> json, graph, values;
  bool explains = false, peaks_alone = false;
};

Wishes wishes_of(Options& given) {
  Wishes w;
  w.explains = given.flag("--explain");
  w.peaks_alone = given.flag("--peaks");
  w.json = given.value("--json");
  w.graph = given.value("--graph");
  if (const auto tags = given.value("--tag_set")) w.source.tag_set = *tags;
  if (const auto key = given.value("--signature_def")) w.source.signature = *key;
  w.source.inputs = comma_list(given.value("--inputs"));
  w.source.outputs = comma_list(given.value("--outputs"));
  w.feeds.batch = number_text(given, "--batch", 1, 0);
  w.feeds.shapes = shapes(given);
  w.feeds.largest_integer = number_text(given, "--largest_integer", 9, 0);
  w.values = given.value("--feeds");
  const auto threads = static_cast<int>(number_text(given, "--threads", 0, 1));
  w.source.session.intra_op_threads = threads;
  w.speed.max_threads = threads;
  w.speed.seconds = static_cast<double>(number_text(given, "--millis", 1000, 1)) * 1e-3;
  w.runs = number_text(given, "--runs", 10, 1);
  w.rows = number_text(given, "--rows", 15, 1);
  return w;
}

BenchedModel opened(const std::string& path, const ModelSource& source) {
  if (saved_model::contains_saved_model(path)) return open_saved_model(path, source);
  return open_graph(describe::graph_in(path), source);
}

// To a file, or to standard output instead of the text.
void give_out(const Wishes& wishes, const std::string& text, const std::string& json) {
  if (wishes.json == "-") {
    std::printf("%s\n", json.c_str());
    return;
  }
  std::fputs(text.c_str(), stdout);
  if (wishes.json) write_file(*wishes.json, json + "\n");
}

void ask(const Wishes& wishes, const std::string& path) {
  const BenchedModel model = opened(path, wishes.source);
  FeedWishes wanted = wishes.feeds;
  if (wishes.values) wanted.values = read_npz(*wishes.values);
  const std::vector<Tensor> feeds = made_feeds(model, wanted);
  std::string text = str_cat(path, "\n"), json = str_cat("{\"model\": ", json_quoted(path));
  for (std::size_t i = 0; i < feeds.size(); ++i)
    text += str_cat("input          ", model.inputs[i].name, " ", feeds[i].dtype(),
                    feeds[i].shape(), "\n");
  if (wishes.explains) {
    const Explanation found =
        explain(model, feeds, measure_peaks(wishes.source.session.intra_op_threads),
                static_cast<int>(wishes.runs));
    text += str_cat("\n", to_text(found, static_cast<int>(wishes.rows)));
    json += str_cat(", \"explanation\": ", to_json(found));
  } else {
    const ModelSpeed speed = measure_speed(model, feeds, wishes.speed);
    text += to_text(speed);
    json += str_cat(", \"speed\": ", to_json(speed));
  }
  give_out(wishes, text, json + "}");
}

int bench(std::span<const std::string> arguments) {
  Options given(arguments);
  const Wishes wishes = wishes_of(given);
  std::vector<std::string> paths = given.positional();
  if (!paths.empty() && paths[0] == "model") paths.erase(paths.begin());
  if (wishes.peaks_alone) {
    if (!paths.empty()) throw UsageError("--peaks needs no model");
    const Peaks peaks = measure_peaks(wishes.source.session.intra_op_threads);
    give_out(wishes, to_text(peaks) + "\n", str_cat("{\"peaks\": ", to_json(peaks), "}"));
    return 0;
  }
  if (wishes.graph) paths.push_back(*wishes.graph);
  if (paths.size() != 1) throw UsageError("bench needs one model");
  ask(wishes, paths[0]);
  return 0;
}

}  // namespace

const Command kBench{
    "bench", "measure how fast a model answers, or say where its time goes",
    "bench model PATH [OPTION...]\n"
    "       rill bench --explain PATH [OPTION...]\n"
    "       rill bench --peaks\n\n"
    "PATH is a SavedModel or a graph in a file (--graph FILE says the same). Inputs are random.\n\n"
    "  --explain             which passes fired, how the time splits over kernels, and how far "
    "each\n"
    "                        is from what the machine can do at most\n"
    "  --peaks               what the machine can do at most\n"
    "  --batch N             examples in a question, 1 if left out\n"
    "  --shape NAME=N,N,...  the shape of an input whose shape is not known; may stand often\n"
    "  --feeds FILE.npz      arrays of NumPy to feed, by the names of inputs\n"
    "  --largest_integer N   random whole numbers are at most this, 9 if left out\n"
    "  --signature_def KEY   which signature of a SavedModel; --tag_set TAG,... which graph of it\n"
    "  --inputs, --outputs [NAME=]TENSOR,...  what is fed and asked for instead\n"
    "  --threads N           that run a question, and at most ask at once; all cores if left out\n"
    "  --millis N            of measuring for each figure, 1000 if left out\n"
    "  --runs N, --rows N    with --explain: of the model, and of each table\n"
    "  --json FILE           the figures as JSON too; - prints them instead of the text",
    bench};

}  // namespace rill::cli
