#pragma once

#include <cstdint>
#include <string>

#include "tensorflow/core/framework/graph.pb.h"
#include "tensorflow/core/protobuf/saved_model.pb.h"

namespace rill::describe {

enum class Kind { kSavedModel, kCheckpoint, kGraph, kMetaGraph, kEvents, kRecords, kSafetensors };
// What is at a path: a directory, a file, or the prefix of a checkpoint. Throws NotFound when
// nothing is there, InvalidArgument when it is none of these.
Kind kind_of(const std::string& path);
// A checkpoint's prefix, of whichever of its files; of anything else the path itself.
std::string checkpoint_prefix(const std::string& path);

struct Options {
  std::string tag_set = {};        // "serve,gpu": of one graph only
  std::string signature_def = {};  // one signature of it
  bool all = false;                // everything that there is to say
  std::string tensor = {};         // the values of one tensor of a checkpoint
  std::int64_t most = 20;          // entries of lists
};
// Whatever the path is, in lines.
std::string describe(const std::string& path, const Options& options = {});

// The graph in a SavedModel (of these tags), meta graph, graph file or event file. Throws
// InvalidArgument for anything else.
tensorflow::GraphDef graph_in(const std::string& path, const std::string& tag_set = {});

// --- one kind each -------------------------------------------------------------------------------

// The words of saved_model_cli.
std::string tag_sets(const tensorflow::SavedModel& model);
std::string signature_keys(const tensorflow::MetaGraphDef& graph);
std::string signature(const tensorflow::SignatureDef& signature, int indent = 0);
std::string all_signatures(const tensorflow::SavedModel& model);
// Which graphs hold ops that reach for files of the machine.
std::string denied_ops(const tensorflow::SavedModel& model, const std::string& tag_set = {});

std::string checkpoint(const std::string& prefix, const Options& options = {});
std::string safetensors(const std::string& path, const Options& options = {});
std::string graph(const tensorflow::GraphDef& graph, const Options& options = {});
std::string events(const std::string& path, const Options& options = {});
std::string records(const std::string& path, const Options& options = {});

}  // namespace rill::describe
