// Collections as meta graphs keep them.
#include <mutex>

#include "rill/api/saver/meta_graph.h"
#include "rill/api/saver/saver.h"
#include "rill/api/train/queue_runner.h"
#include "rill/api/variables/variable_def.h"
#include "rill/base/error.h"
#include "rill/base/log.h"
#include "rill/graph/flow_context.h"
#include "rill/graph/flow_context_def.h"
#include "tensorflow/core/protobuf/control_flow.pb.h"
#include "tensorflow/core/protobuf/meta_graph.pb.h"
#include "tensorflow/core/protobuf/queue_runner.pb.h"

namespace rill::train {
namespace {

using tensorflow::CollectionDef;

bool inside(std::string_view name, std::string_view scope) {
  return scope.empty() || name.starts_with(scope);
}

std::string name_in_scope(std::string_view name, std::string_view scope) {
  if (!scope.empty() && name.size() > scope.size() && name.starts_with(scope) &&
      name[scope.size()] == '/')
    name.remove_prefix(scope.size() + 1);
  return std::string(name);
}

std::string with_scope(const std::string& name, const std::string& scope) {
  return scope.empty() ? name : scope + "/" + name;
}

// --- kinds of objects ----------------------------------------------------------------------------

template <class Message>
Message parsed(const std::string& bytes) {
  Message message;
  require(message.ParseFromString(bytes), "A collection of the meta graph holds bytes that are no ",
          message.GetTypeName());
  return message;
}

std::optional<std::string> write_variable(const Collectable& object, std::string_view scope) {
  const auto* state = dynamic_cast<const VariableState*>(&object);
  if (state == nullptr) return std::nullopt;
  // to_variable_def only reads what the copies of the variable share.
  const Variable variable(
      std::shared_ptr<VariableState>(std::shared_ptr<void>(), const_cast<VariableState*>(state)));
  const auto def = to_variable_def(variable, scope);
  if (!def) return std::nullopt;
  return def->SerializeAsString();
}

CollectionItem read_variable(const std::string& bytes, std::string_view scope) {
  const auto variable = from_variable_def(parsed<tensorflow::VariableDef>(bytes), scope);
  return std::shared_ptr<Collectable>(variable.state());
}

std::optional<std::string> write_saver(const Collectable& object, std::string_view scope) {
  const auto* saver = dynamic_cast<const Saver*>(&object);
  if (saver == nullptr || !saver->saver_def()) return std::nullopt;
  if (!inside(saver->saver_def()->filename_tensor_name(), scope)) return std::nullopt;
  return saver->to_proto(std::string(scope)).SerializeAsString();
}

CollectionItem read_saver(const std::string& bytes, std::string_view scope) {
  SaverOptions options;
  options.saver_def = in_scope(parsed<tensorflow::SaverDef>(bytes), std::string(scope));
  return std::shared_ptr<Collectable>(std::make_shared<Saver>(options));
}

std::optional<std::string> write_queue_runner(const Collectable& object, std::string_view scope) {
  const auto* runner = dynamic_cast<const QueueRunner*>(&object);
  const auto def = runner ? runner->to_proto(scope) : std::nullopt;
  return def ? std::optional(def->SerializeAsString()) : std::nullopt;
}

CollectionItem read_queue_runner(const std::string& bytes, std::string_view scope) {
  return std::shared_ptr<Collectable>(
      std::make_shared<QueueRunner>(parsed<tensorflow::QueueRunnerDef>(bytes), scope));
}

struct Registered {
  std::mutex mutex;
  std::map<std::string, CollectionProto> protos;
  PlainValue plain;

  Registered() {
    for (const char* key :
         {GraphKeys::GLOBAL_VARIABLES, GraphKeys::TRAINABLE_VARIABLES, GraphKeys::LOCAL_VARIABLES,
          GraphKeys::MODEL_VARIABLES, GraphKeys::MOVING_AVERAGE_VARIABLES, GraphKeys::GLOBAL_STEP,
          GraphKeys::METRIC_VARIABLES, GraphKeys::TRAINABLE_RESOURCE_VARIABLES})
      protos[key] = {write_variable, read_variable};
    protos[GraphKeys::SAVERS] = {write_saver, read_saver};
    protos[GraphKeys::QUEUE_RUNNERS] = {write_queue_runner, read_queue_runner};
  }
};

Registered& registered() {
  static auto& all = *new Registered;
  return all;
}

// --- writing -------------------------------------------------------------------------------------

// Numbers and texts as they are; nodes, tensors and variables by name.
bool add_plain(const CollectionItem& item, const std::string& scope, CollectionDef& def,
               CollectionDef::KindCase kind) {
  const auto fits = [&](CollectionDef::KindCase wanted) {
    return kind == CollectionDef::KIND_NOT_SET || kind == wanted;
  };
  if (const auto* number = std::get_if<std::int64_t>(&item)) {
    if (!fits(CollectionDef::kInt64List)) return false;
    def.mutable_int64_list()->add_value(*number);
    return true;
  }
  if (const auto* number = std::get_if<double>(&item)) {
    if (!fits(CollectionDef::kFloatList)) return false;
    def.mutable_float_list()->add_value(static_cast<float>(*number));
    return true;
  }
  if (const auto* text = std::get_if<std::string>(&item)) {
    if (!fits(CollectionDef::kBytesList)) return false;
    if (inside(*text, scope)) def.mutable_bytes_list()->add_value(name_in_scope(*text, scope));
    return true;
  }
  std::string name;
  if (const auto* tensor = std::get_if<Output>(&item)) name = tensor->name();
  if (const auto* node = std::get_if<Node*>(&item)) name = (*node)->name();
  if (const auto* object = std::get_if<std::shared_ptr<Collectable>>(&item)) {
    if (const auto* any = dynamic_cast<const AnyItem*>(object->get())) {
      if (!fits(CollectionDef::kAnyList)) return false;
      *def.mutable_any_list()->add_value() = *any->message;
      return true;
    }
    if (const auto* lazy = dynamic_cast<const LazyTensor*>(object->get()))
      name = lazy->first().name();
    else if (dynamic_cast<const VariableState*>(object->get()))
      name = (*object)->collected_name();
    else {
      const PlainValue& plain = registered().plain;
      const auto value = plain ? plain(**object) : std::nullopt;
      return value && add_plain(*value, scope, def, kind);
    }
  }
  if (!fits(CollectionDef::kNodeList) || name.empty()) return false;
  if (inside(name, scope)) def.mutable_node_list()->add_value(name_in_scope(name, scope));
  return true;
}

// Only the outermost ones: the others are inside of them.
CollectionDef write_flows(Graph& graph, bool loops, const std::string& scope) {
  CollectionDef def;
  for (FlowContext* context : graph.flows()) {
    if (context->outer() != nullptr || context->is_loop() != loops) continue;
    if (!inside(context->name(), scope)) continue;
    if (loops) {
      tensorflow::WhileContextDef loop;
      export_flow(static_cast<const LoopContext&>(*context), &loop, scope);
      loop.SerializeToString(def.mutable_bytes_list()->add_value());
    } else {
      tensorflow::CondContextDef branch;
      export_flow(static_cast<const CondContext&>(*context), &branch, scope);
      branch.SerializeToString(def.mutable_bytes_list()->add_value());
    }
  }
  return def;
}

// --- reading -------------------------------------------------------------------------------------

void read_one(Graph& graph, const std::string& key, const CollectionDef& def,
              const std::string& scope, std::map<std::string, CollectionItem>& variables) {
  Collections& collections = collections_of(graph);
  const CollectionProto* proto = collection_proto(key);
  for (const std::string& bytes : def.bytes_list().value()) {
    if (key == GraphKeys::COND_CONTEXT) {
      import_flow(graph, parsed<tensorflow::CondContextDef>(bytes), scope);
    } else if (key == GraphKeys::WHILE_CONTEXT) {
      import_flow(graph, parsed<tensorflow::WhileContextDef>(bytes), scope);
    } else if (proto == nullptr || !proto->read) {
      collections.add(key, with_scope(bytes, scope));
    } else if (proto->read.target<decltype(&read_variable)>() != nullptr) {
      // One variable in several collections is one object.
      auto [found, is_new] = variables.try_emplace(bytes, Output());
      if (is_new) found->second = proto->read(bytes, scope);
      collections.add(key, found->second);
    } else {
      collections.add(key, proto->read(bytes, scope));
    }
  }
  for (const std::string& name : def.node_list().value()) {
    const std::string full = with_scope(name, scope);
    if (full.find(':') == std::string::npos) {
      collections.add(key, &graph.at(full));
    } else {
      const Output tensor = graph.tensor(full);
      collections.add(key, tensor);
    }
  }
  for (const std::int64_t number : def.int64_list().value()) collections.add(key, number);
  for (const google::protobuf::Any& message : def.any_list().value()) {
    auto item = std::make_shared<AnyItem>();
    item->message = message;
    collections.add(key, std::shared_ptr<Collectable>(std::move(item)));
  }
  for (const float number : def.float_list().value()) collections.add(key, double{number});
}

}  // namespace

void register_collection_proto(const std::string& collection, CollectionProto proto) {
  Registered& all = registered();
  const std::lock_guard lock(all.mutex);
  all.protos[collection] = std::move(proto);
}

const CollectionProto* collection_proto(const std::string& collection) {
  Registered& all = registered();
  const std::lock_guard lock(all.mutex);
  const auto found = all.protos.find(collection);
  return found == all.protos.end() ? nullptr : &found->second;
}

void set_plain_values(PlainValue plain) { registered().plain = std::move(plain); }

CollectionDef write_collection(Graph& graph, const std::string& name, const std::string& scope) {
  if (name == GraphKeys::COND_CONTEXT || name == GraphKeys::WHILE_CONTEXT)
    return write_flows(graph, name == GraphKeys::WHILE_CONTEXT, scope);
  const CollectionProto* proto = collection_proto(name);
  CollectionDef def;
  for (const CollectionItem& item : collections_of(graph).get(name)) {
    const auto* object = std::get_if<std::shared_ptr<Collectable>>(&item);
    if (proto != nullptr && proto->write && object != nullptr) {
      if (const auto bytes = proto->write(**object, scope))
        def.mutable_bytes_list()->add_value(*bytes);
      continue;
    }
    if (add_plain(item, scope, def, def.kind_case())) continue;
    log(LogLevel::kWarning, "Issue encountered when serializing ", name,
        ".\nType is unsupported, or the types of the items don't match field type in "
        "CollectionDef.");
    return {};
  }
  return def;
}

void read_collections(const tensorflow::MetaGraphDef& def, const ImportMetaGraphOptions& options,
                      ImportedMetaGraph& imported) {
  Graph& graph = *default_graph();
  std::vector<std::string> keys;
  for (const auto& [key, collection] : def.collection_def())
    if (key != options.unbound_inputs_col_name &&
        (!options.restore_collections || options.restore_collections(key)))
      keys.push_back(key);
  // Trainable variables first: older files tell in no other way which they are.
  std::sort(keys.begin(), keys.end(), [](const std::string& a, const std::string& b) {
    const auto rank = [](const std::string& key) { return key != GraphKeys::TRAINABLE_VARIABLES; };
    return std::pair(rank(a), a) < std::pair(rank(b), b);
  });
  std::map<std::string, CollectionItem> variables;
  for (const std::string& key : keys)
    read_one(graph, key, def.collection_def().at(key), imported.scope, variables);
}

}  // namespace rill::train
