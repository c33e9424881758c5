#include <cstdio>
#include <iostream>
#include <memory>

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/base/text.h"
#include "rill/cli/command.h"
#include "rill/inspect/profiler/profile_shell.h"
#include "rill/inspect/profiler/report.h"
#include "rill/io/checkpoint_reader.h"
#include "tensorflow/core/framework/graph.pb.h"
#include "tensorflow/core/profiler/tfprof_log.pb.h"
#include "tensorflow/core/protobuf/config.pb.h"

namespace rill::cli {
namespace {

template <class Proto>
Proto read_message(const std::string& path) {
  Proto proto;
  require(proto.ParseFromString(read_file(path)), path, " is no ", proto.GetTypeName());
  return proto;
}

profiler::ProfiledModel model_of(Options& given) {
  const auto profile = given.value("--profile_path"), graph = given.value("--graph_path");
  const auto runs = comma_list(given.value("--run_meta_path"));
  const auto log = given.value("--op_log_path"), checkpoint = given.value("--checkpoint_path");
  profiler::ProfiledModel model;
  if (profile)
    model = profiler::ProfiledModel::from_proto(
        read_message<tensorflow::tfprof::ProfileProto>(*profile));
  else if (graph)
    model.add_graph(read_message<tensorflow::GraphDef>(*graph));
  else
    throw UsageError("profile needs --profile_path or --graph_path");
  if (log) model.add_op_log(read_message<tensorflow::tfprof::OpLogProto>(*log));
  for (std::size_t i = 0; i < runs.size(); ++i)
    model.add_step(static_cast<std::int64_t>(i), read_message<tensorflow::RunMetadata>(runs[i]));
  if (checkpoint) model.add_checkpoint(CheckpointReader::open(*checkpoint));
  return model;
}

int profile(std::span<const std::string> arguments) {
  // What begins with one dash is an option of a view, and its value follows.
  std::vector<std::string> files, words;
  for (const std::string& argument : arguments)
    (argument.starts_with("--") && words.empty() ? files : words).push_back(argument);
  Options given(files);
  const profiler::ProfiledModel model = model_of(given);
  given.positional();
  profiler::ProfileShell shell(model, [](const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  });
  if (!words.empty()) {
    shell.run(words);
    return 0;
  }
  std::string line;
  for (std::printf("tfprof> "), std::fflush(stdout); std::getline(std::cin, line);
       std::printf("tfprof> "), std::fflush(stdout))
    if (!shell.run_line(line)) break;
  return 0;
}

}  // namespace

const Command kProfile{
    "profile", "what a traced model's time, memory and parameters go into",
    "profile --graph_path=FILE [--run_meta_path=FILE,...] [--op_log_path=FILE]\n"
    "                    [--checkpoint_path=PREFIX] [VIEW -OPTION VALUE...]\n"
    "       rill profile --profile_path=FILE [VIEW -OPTION VALUE...]\n\n"
    "VIEW is scope, graph, op, code or advise; without one, commands are read from standard\n"
    "input as TensorFlow's tfprof reads them (an empty line shows the options).",
    profile};

}  // namespace rill::cli
