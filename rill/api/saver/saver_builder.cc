// The nodes that save and restore: TensorFlow's, so that its graphs and ours are interchangeable.
#include "rill/api/array/array_parts.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/shape_input.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/io.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/string.h"
#include "rill/api/saver/saver.h"
#include "rill/api/saver/saver_nodes.h"
#include "rill/base/error.h"
#include "rill/graph/device_name.h"
#include "tensorflow/core/protobuf/saver.pb.h"

namespace rill::train {
namespace {

using Saveables = std::vector<SaveableRef>;
using tensorflow::SaverDef;

struct Group {
  std::string device;
  Saveables saveables;
};

// By device, in the order of the devices' names.
std::vector<Group> by_device(const Saveables& saveables) {
  std::map<std::string, Saveables> groups;
  for (const SaveableRef& saveable : saveables)
    groups[to_text(DeviceName::parse(saveable->device()))].push_back(saveable);
  std::vector<Group> list;
  for (auto& [device, members] : groups) list.push_back({device, std::move(members)});
  return list;
}

std::string on_its_cpu(const std::string& device) {
  DeviceName name = DeviceName::parse(device);
  name.type = "CPU";
  name.id = 0;
  return to_text(name);
}

struct Columns {
  std::vector<std::string> names, slices;
  std::vector<Input> tensors;
  std::vector<DType> dtypes;
};

Tensor vector_of(const std::vector<std::string>& texts) {
  return Tensor::of<std::string>(Shape{static_cast<std::int64_t>(texts.size())}, texts);
}

Columns columns_of(const Saveables& saveables) {
  Columns columns;
  for (const SaveableRef& saveable : saveables)
    for (const SaveSpec& spec : saveable->specs()) {
      columns.names.push_back(spec.name);
      columns.slices.push_back(spec.slice_spec);
      columns.tensors.emplace_back(spec.tensor);
      columns.dtypes.push_back(spec.dtype);
    }
  return columns;
}

Node& save_op(Output filename, const Saveables& saveables,
              SaverDef::CheckpointFormatVersion version) {
  const Columns c = columns_of(saveables);
  if (version == SaverDef::V1)
    return raw::SaveSlices(filename, vector_of(c.names), vector_of(c.slices), c.tensors,
                           {.name = "save"});
  require(version == SaverDef::V2, "Unexpected write_version: ", static_cast<int>(version));
  return raw::SaveV2(filename, vector_of(c.names), vector_of(c.slices), c.tensors);
}

Output add_save(Output filename, const Saveables& saveables,
                SaverDef::CheckpointFormatVersion version) {
  return with_dependencies({&save_op(filename, saveables, version)}, filename);
}

// What a scalar shard number is called: a constant beside its file name.
Output sharded_filename(Output prefix, int shard, Output num_shards) {
  return raw::ShardedFilename(prefix, shard, num_shards);
}

std::vector<Node*> nodes_of(const std::vector<Output>& tensors) {
  std::vector<Node*> nodes;
  for (const Output& tensor : tensors) nodes.push_back(tensor.node);
  return nodes;
}

// Shards get names of their own first; then they become one checkpoint at once.
Output add_sharded_save_v2(Output prefix, const std::vector<Group>& groups) {
  const Output temporary = [&] {
    const DeviceScope on("CPU");
    const Output is_s3 = raw::StaticRegexFullMatch(prefix, "^s3://.*");
    const Output plain = as_tensor(".part"), hidden = as_tensor("_temp/part");
    return raw::StringJoin({prefix, raw::Select(is_s3, plain, hidden)});
  }();
  const Output num_shards = as_tensor(static_cast<int>(groups.size()), "num_shards");
  std::vector<Output> prefixes, saves;
  for (const Group& group : groups) {
    const DeviceScope on(on_its_cpu(group.device));
    const Output filename =
        sharded_filename(temporary, static_cast<int>(prefixes.size()), num_shards);
    prefixes.push_back(filename);
    saves.push_back(add_save(filename, group.saveables, SaverDef::V2));
  }
  const std::vector<Node*> saved = nodes_of(saves);
  const DeviceScope on(on_its_cpu(groups.back().device));
  const ControlDependencies after(saved);
  Node& merge = raw::MergeV2Checkpoints(parts::list_of({prefixes.begin(), prefixes.end()}), prefix);
  Node* const merged[] = {&merge};
  const ControlDependencies then(merged);
  return raw::Identity(prefix);
}

Output add_sharded_save_v1(Output filename, const std::vector<Group>& groups) {
  const Output num_shards = as_tensor(static_cast<int>(groups.size()), "num_shards");
  std::vector<Output> saves;
  for (const Group& group : groups) {
    const DeviceScope on(group.device);
    const Output shard = sharded_filename(filename, static_cast<int>(saves.size()), num_shards);
    saves.push_back(add_save(shard, group.saveables, SaverDef::V1));
  }
  const std::vector<Node*> saved = nodes_of(saves);
  const ControlDependencies after(saved);
  return raw::ShardedFilespec(filename, num_shards);
}

std::vector<Input> shapes_of(const Saveable& saveable) {
  std::vector<Input> shapes;
  for (const SaveSpec& spec : saveable.specs()) {
    const PartialShape shape = spec.tensor.shape();
    if (!shape.is_full()) {
      shapes.emplace_back(raw::Shape(spec.tensor));
      continue;
    }
    shapes.push_back(ShapeInput(shape.full()));
  }
  return shapes;
}

std::vector<Node*> restore_each(Output filename, const Saveables& saveables, bool reshape) {
  const Columns c = columns_of(saveables);
  const std::vector<Output> tensors = [&] {
    const DeviceScope on("cpu:0");
    return raw::RestoreV2(filename, vector_of(c.names), vector_of(c.slices), c.dtypes);
  }();
  std::vector<Node*> assigns;
  std::size_t next = 0;
  for (const SaveableRef& saveable : saveables) {
    const std::size_t count = saveable->specs().size();
    const std::vector<Output> own(tensors.begin() + static_cast<std::ptrdiff_t>(next),
                                  tensors.begin() + static_cast<std::ptrdiff_t>(next + count));
    next += count;
    assigns.push_back(
        &saveable->restore(own, reshape ? shapes_of(*saveable) : std::vector<Input>()));
  }
  return assigns;
}

Node& add_restore(Output filename, const Saveables& saveables, bool reshape,
                  const std::string& name) {
  return group(restore_each(filename, saveables, reshape), name);
}

Node& add_sharded_restore(Output filename, const std::vector<Group>& groups, bool reshape) {
  std::vector<Node*> shards;
  for (const Group& part : groups) {
    const DeviceScope on(part.device);
    shards.push_back(&add_restore(filename, part.saveables, reshape, "restore_shard"));
  }
  return group(shards, "restore_all");
}

}  // namespace

Output save_nodes(Output prefix, const Saveables& saveables) {
  std::map<std::string, Saveables> by_host;  // devices of one machine write one part
  for (const SaveableRef& saveable : saveables)
    by_host[on_its_cpu(saveable->device())].push_back(saveable);
  std::vector<Group> groups;
  for (auto& [device, members] : by_host) groups.push_back({device, std::move(members)});
  return add_sharded_save_v2(prefix, groups);
}

std::vector<Node*> restore_nodes(Output prefix, const Saveables& saveables) {
  return restore_each(prefix, saveables, false);
}

SaverDef build_saver(const Saveables& saveables, const SaverOptions& options,
                     std::source_location at) {
  const Block in(options.name, "save", at);
  const Output given = raw::PlaceholderWithDefault(
      options.filename.empty() ? "model" : options.filename, Shape{}, {.name = "filename"});
  const Output filename = raw::PlaceholderWithDefault(given, Shape{}, {.name = "Const"});
  const bool v1 = options.write_version == SaverDef::V1;
  SaverDef def;
  Output saved;
  Node* restored = nullptr;
  if (options.sharded) {
    const std::vector<Group> groups = by_device(saveables);
    saved = v1 ? add_sharded_save_v1(filename, groups) : add_sharded_save_v2(filename, groups);
    restored = &add_sharded_restore(filename, groups, options.reshape);
  } else {
    saved = add_save(filename, saveables, options.write_version);
    restored = &add_restore(filename, saveables, options.reshape, "restore_all");
  }
  def.set_filename_tensor_name(filename.name());
  def.set_save_tensor_name(saved.name());
  def.set_restore_op_name(restored->name());
  def.set_max_to_keep(options.max_to_keep);
  def.set_sharded(options.sharded);
  def.set_keep_checkpoint_every_n_hours(static_cast<float>(options.keep_checkpoint_every_n_hours));
  def.set_version(options.write_version);
  return def;
}

}  // namespace rill::train
