#pragma once

#include <set>
#include <string>

#include "rill/proto/messages_fwd.h"

// The directory of a SavedModel; rill/runtime/session/saved_model.h runs what is in it.
namespace rill::saved_model {

bool contains_saved_model(const std::string& export_dir);

// The file of the model, binary or text. Throws NotFound when there is none, InvalidArgument when
// it is damaged or holds what no graph can be made of.
tensorflow::SavedModel read_saved_model(const std::string& export_dir);
// The only graph with exactly these tags. Throws NotFound naming those that there are.
const tensorflow::MetaGraphDef& meta_graph_with(const tensorflow::SavedModel& model,
                                                const std::set<std::string>& tags);

// A file of the model itself; throws InvalidArgument for what lies elsewhere.
std::string asset_path(const std::string& export_dir, const std::string& filename);
std::string variables_path(const std::string& export_dir);  // the checkpoint

std::set<std::string> split_tag_set(const std::string& tag_set);  // "a,b"

}  // namespace rill::saved_model
