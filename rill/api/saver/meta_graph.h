#pragma once

#include <functional>
#include <map>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include "rill/api/core/collections.h"
#include "rill/api/variables/variable.h"
#include "rill/proto/boxed_message.h"
#include "rill/proto/messages_fwd.h"

namespace google::protobuf {
class Any;
}  // namespace google::protobuf

// Graphs with what belongs to them: collections, how they are saved, which ops they need.
namespace rill::train {

struct ExportMetaGraphOptions {
  std::string filename = {};  // empty: no file
  BoxedMessage<tensorflow::MetaGraphDef_MetaInfoDef> meta_info_def = {};
  BoxedMessage<tensorflow::GraphDef> graph_def = {};  // none: the graph's
  BoxedMessage<tensorflow::SaverDef> saver_def = {};
  std::optional<std::vector<std::string>> collection_list = {};  // none: all
  bool as_text = false;
  Graph* graph = nullptr;         // the default one
  std::string export_scope = {};  // only what is below it, without that prefix
  bool clear_devices = false;
  bool clear_extraneous_savers = false;  // leave out the nodes of other Savers
  bool strip_default_attrs = false;
  // The collection that gets the names of inputs that come from outside of the scope; empty: such
  // an input is an error.
  std::string unbound_inputs_col_name = "unbound_inputs";
};
tensorflow::MetaGraphDef export_meta_graph(const ExportMetaGraphOptions& options = {});

struct ImportMetaGraphOptions {
  bool clear_devices = false;
  std::string import_scope = {};
  std::map<std::string, Output> input_map = {};
  std::string unbound_inputs_col_name = "unbound_inputs";
  std::function<bool(const std::string& collection)> restore_collections;  // none: all
  std::optional<std::vector<std::string>> return_elements = {};
};
struct ImportedMetaGraph {
  std::string scope = {};                          // where the nodes are; "" at the top
  std::map<std::string, Variable> variables = {};  // by their names below the scope
  std::vector<Output> returned = {};
  // The nodes that save and restore it, by their names here; none: it was exported without.
  BoxedMessage<tensorflow::SaverDef> saver_def = {};
};
// Adds nodes and collections to the default graph. Throws InvalidArgument when it needs inputs that
// nobody gave, or what is there does not fit.
ImportedMetaGraph import_meta_graph(const tensorflow::MetaGraphDef& def,
                                    const ImportMetaGraphOptions& options = {},
                                    std::source_location at = std::source_location::current());

// The names of a Saver's nodes after an import below `scope`.
tensorflow::SaverDef in_scope(tensorflow::SaverDef def, const std::string& scope);

// From a file, binary or text. Throws NotFound ("File ... does not exist."), InvalidArgument when
// it is neither.
tensorflow::MetaGraphDef read_meta_graph_file(const std::string& path);

// The ops that a graph and its functions use, by name, without documentation.
tensorflow::OpList ops_used_by(const tensorflow::GraphDef& graph, const Registry& registry);
// Leaves out attributes that have their op's default value.
void strip_default_attrs(tensorflow::GraphDef& graph, const Registry& registry);

// A message of any type in a collection.
struct AnyItem : Collectable {
  BoxedMessage<google::protobuf::Any> message = {};
};

// How the objects in one collection are written as messages, and read.
struct CollectionProto {
  // Nothing for what is outside of the scope.
  std::function<std::optional<std::string>(const Collectable& object,
                                           std::string_view export_scope)>
      write;
  std::function<CollectionItem(const std::string& bytes, std::string_view import_scope)> read;
};
void register_collection_proto(const std::string& collection, CollectionProto proto);
const CollectionProto* collection_proto(const std::string& collection);  // nullptr: none

// Objects of another language that stand for plain values: a number, a text, or the name of a node
// or tensor (an Output or Node*). Nothing for all others.
using PlainValue = std::function<std::optional<CollectionItem>(const Collectable& object)>;
void set_plain_values(PlainValue plain);

// For one collection; an empty message where nothing of it can be written.
tensorflow::CollectionDef write_collection(Graph& graph, const std::string& name,
                                           const std::string& export_scope);
void read_collections(const tensorflow::MetaGraphDef& def, const ImportMetaGraphOptions& options,
                      ImportedMetaGraph& imported);

}  // namespace rill::train
