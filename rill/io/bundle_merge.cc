#include "rill/base/durable_files.h"
#include "rill/base/error.h"
#include "rill/base/file_system.h"
#include "rill/base/files.h"
#include "rill/base/function_ref.h"
#include "rill/io/bundle_format.h"
#include "rill/io/bundle_publish.h"
#include "rill/io/bundle_writer.h"

namespace rill {
namespace {

// The merged index, and the new shard number of every old data file.
struct Merged {
  BundleIndex index;
  bool is_first = true;
  std::map<std::string, int> shards;

  void add(const std::string& prefix);
  void add_entry(const std::string& prefix, const std::string& key,
                 tensorflow::BundleEntryProto entry);
};

void Merged::add(const std::string& prefix) {
  const BundleIndex more = read_bundle_index(prefix);
  if (std::exchange(is_first, false)) index.header = more.header;
  require(index.header.endianness() == more.header.endianness(),
          "Merging bundles with conflicting endianness; inputs corrupted? ", prefix);
  require(index.header.version().SerializeAsString() == more.header.version().SerializeAsString(),
          "Merging bundles with different format versions: merged ",
          index.header.version().ShortDebugString(), " vs. curr ",
          more.header.version().ShortDebugString(), ", of ", prefix);
  for (const auto& [key, entry] : more.entries) {
    const std::string data = bundle_data_path(prefix, entry.shard_id(), more.header.num_shards());
    tensorflow::BundleEntryProto moved = entry;
    moved.set_shard_id(shards.try_emplace(data, static_cast<int>(shards.size())).first->second);
    add_entry(prefix, key, std::move(moved));
  }
}

void Merged::add_entry(const std::string& prefix, const std::string& key,
                       tensorflow::BundleEntryProto entry) {
  const auto [found, is_new] = index.entries.try_emplace(key, entry);
  if (is_new) return;
  tensorflow::BundleEntryProto& known = found->second;
  const bool both_are_partitioned = known.slices_size() > 0 && entry.slices_size() > 0;
  require(both_are_partitioned && known.dtype() == entry.dtype() &&
              known.shape().SerializeAsString() == entry.shape().SerializeAsString(),
          "Duplicate tensor keyed by ", key, " encountered, when merging prefix: ", prefix);
  known.mutable_slices()->MergeFrom(entry.slices());
}

void ignoring_errors(FunctionRef<void()> action) {
  try {
    action();
  } catch (const Error&) {  // what is left over does no harm
  }
}

}  // namespace

void merge_bundles(std::span<const std::string> prefixes, const std::string& merged_prefix,
                   const MergeOptions& options) {
  require(!prefixes.empty(), "there are no checkpoints to merge into ", merged_prefix);
  Merged merged;
  for (const std::string& prefix : prefixes) merged.add(prefix);
  make_durable_directories(parent_path(merged_prefix));
  const auto lock = lock_checkpoint(merged_prefix);
  std::vector<std::string> data(merged.shards.size());
  for (const auto& [path, shard] : merged.shards) data[static_cast<std::size_t>(shard)] = path;
  publish_bundle(merged_prefix, std::move(merged.index), data);

  for (const std::string& prefix : prefixes) {
    if (prefix == merged_prefix) continue;
    FileSystem& files = file_system_of(prefix);
    ignoring_errors([&] { files.remove_file(bundle_index_path(prefix)); });
    const std::string directory = parent_path(prefix);
    if (options.delete_old_directories && directory != parent_path(merged_prefix))
      ignoring_errors([&] { files.remove_directory(directory); });
  }
}

}  // namespace rill
