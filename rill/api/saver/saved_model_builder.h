#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rill/api/saver/saver.h"
#include "rill/api/saver/signatures.h"

namespace rill::saved_model {

struct MetaGraphOptions {
  std::map<std::string, BoxedSignatureDef> signature_def_map = {};
  std::vector<Output> assets = {};  // constants that name files, which are copied into the model
  Node* main_op = nullptr;          // runs when the model has been loaded
  bool clear_devices = false;
  bool strip_default_attrs = false;
  std::shared_ptr<train::Saver> saver = {};  // none: one for everything
};

// Writes a model: graphs under tags, signatures, assets and the values of the variables.
//
//   tf::saved_model::Builder builder("/tmp/model/1");
//   builder.add_meta_graph_and_variables(session, {"serve"}, {.signature_def_map = {...}});
//   builder.save();
class Builder {
 public:
  // Throws FailedPrecondition when the directory is there and not empty.
  explicit Builder(std::string export_dir);

  // The default graph must be the session's. Throws FailedPrecondition unless it is the first.
  void add_meta_graph_and_variables(Session& session, const std::vector<std::string>& tags,
                                    const MetaGraphOptions& options = {});
  // The default graph once more, as it is now; throws FailedPrecondition before the first one.
  void add_meta_graph(const std::vector<std::string>& tags, const MetaGraphOptions& options = {});
  // The default graph with the objects of a program, for whoever writes the variables' values into
  // the directory, which is made. Throws FailedPrecondition unless it is the first graph.
  void add_objects(const std::vector<std::string>& tags, const MetaGraphOptions& options,
                   tensorflow::SavedObjectGraph objects);
  // Throws as these would, before anything is made.
  void check_next(bool with_variables) const;
  std::string save(bool as_text = false);  // the path of the file

  // For whoever runs steps in another way.
  void add_meta_graph_and_variables_with(const train::Saver::RunStep& run,
                                         const std::vector<std::string>& tags,
                                         const MetaGraphOptions& options);

 private:
  std::shared_ptr<train::Saver> prepare(const MetaGraphOptions& options);
  tensorflow::AssetFileDef save_asset(Output path);
  void add(const train::Saver& saver, const std::vector<std::string>& tags,
           const MetaGraphOptions& options);

  std::string export_dir_;
  std::shared_ptr<tensorflow::SavedModel> model_;
  std::vector<BoxedMessage<tensorflow::AssetFileDef>> assets_;  // of the graph prepared last
  bool has_variables_ = false;
};

struct SimpleSaveOptions {
  Node* legacy_init_op = nullptr;
};
// One graph for serving with one signature.
void simple_save(Session& session, const std::string& export_dir,
                 const std::map<std::string, Output>& inputs,
                 const std::map<std::string, Output>& outputs,
                 const SimpleSaveOptions& options = {});

}  // namespace rill::saved_model
