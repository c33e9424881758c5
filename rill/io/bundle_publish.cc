#include "rill/io/bundle_publish.h"

#include <algorithm>

#include "rill/base/durable_files.h"
#include "rill/base/error.h"
#include "rill/base/file_system.h"
#include "rill/base/files.h"
#include "rill/base/function_ref.h"
#include "rill/base/glob.h"
#include "rill/base/log.h"
#include "rill/base/no_answer.h"
#include "rill/io/bundle_format.h"

namespace rill {
namespace {

void logging_errors(FunctionRef<void()> action) {
  try {
    action();
  } catch (const Error& error) {  // what is left over does no harm
    log(LogLevel::kWarning, "Ignoring: ", error.message());
  }
}

// How many shards the checkpoint that is there says it has; 0 when none can be read.
int shard_count_of(const std::string& prefix) {
  if (!file_exists(bundle_index_path(prefix))) return 0;
  try {
    return read_bundle_index(prefix).header.num_shards();
  } catch (const Error& error) {  // nothing to lose
    if (is_no_answer(error, prefix)) throw;
    return 0;
  }
}

std::vector<std::string> shard_paths(const std::string& prefix, std::size_t files, int count) {
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < files; ++i)
    paths.push_back(bundle_data_path(prefix, static_cast<int>(i), count));
  return paths;
}

// From here on `prefix` means these shards.
void switch_to(const std::string& prefix, BundleIndex& index, int count) {
  index.header.set_num_shards(count);
  write_bundle_index(prefix, index);
}

// In two pieces: together they would be a trigraph.
const std::string kShardPattern = std::string(".data-?????") + "-of-?????";

bool is_temporary(std::string_view rest) {
  return matches_glob(kShardPattern + ".tempstate*", rest) ||
         matches_glob(".index.tempstate*", rest) || matches_glob(".tempstate*", rest);
}

void remove_all(std::span<const std::string> paths) {
  for (const std::string& path : paths)
    if (file_exists(path)) logging_errors([&] { file_system_of(path).remove_file(path); });
}

void rename_all(std::span<const std::string> from, std::span<const std::string> to) {
  for (std::size_t i = 0; i < from.size(); ++i) rename_file(from[i], to[i], /*overwrite=*/true);
}

bool link_all(std::span<const std::string> from, std::span<const std::string> to) {
  for (std::size_t i = 0; i < from.size(); ++i)
    if (!replace_by_link(from[i], to[i])) return false;
  return true;
}

// The checkpoint is there, under odd names, which it keeps should this fail. False when a disk may
// have either index, so that nothing can be removed.
bool take_proper_names(const std::string& prefix, BundleIndex& index, int count,
                       std::span<const std::string> spare, std::span<const std::string> proper) {
  bool is_certain = true;
  logging_errors([&] {
    if (!link_all(spare, proper)) return;
    sync_parent(prefix);
    switch_to(prefix, index, count);
    is_certain = false;
    sync_parent(prefix);
    is_certain = true;
  });
  return is_certain;
}

}  // namespace

std::shared_ptr<LockFile> lock_checkpoint(const std::string& prefix) {
  const std::string path =
      join_path(parent_path(prefix), str_cat(".", base_name(prefix), ".save.lock"));
  const bool was_killed = file_exists(path);
  auto lock = LockFile::take(path, str_cat("checkpoint ", prefix, " is being written"));
  if (was_killed) remove_left_over(prefix);
  return lock;
}

void publish_bundle(const std::string& prefix, BundleIndex index,
                    std::span<const std::string> data) {
  const int count = std::max(1, static_cast<int>(data.size()));
  const int earlier = shard_count_of(prefix);
  const auto proper = shard_paths(prefix, data.size(), count);
  const auto spare = shard_paths(prefix, data.size(), count + 1);
  // An index can be replaced in one step, an index and its shards cannot. So the new shards come
  // under names that the old ones do not have; when the index speaks of those, the old ones make
  // room for the proper names.
  const bool names_are_taken = earlier == count;
  try {
    rename_all(data, names_are_taken ? spare : proper);
    // No disk may know the new index and not its shards while there is an old one to lose.
    if (earlier > 0) sync_parent(prefix);
    switch_to(prefix, index, names_are_taken ? count + 1 : count);
  } catch (const Error&) {
    if (earlier == 0) remove_all(proper);
    remove_left_over(prefix);
    throw;
  }
  sync_parent(prefix);  // nothing of the old one goes before the new one is there for good
  if (names_are_taken && !take_proper_names(prefix, index, count, spare, proper)) return;
  if (earlier > 0) remove_left_over(prefix);
}

void remove_left_over(const std::string& prefix) {
  const int count = shard_count_of(prefix);
  const std::string directory = parent_path(prefix);
  const std::string_view base = base_name(prefix);
  const std::string any = bundle_data_path("", 0, count),
                    stated_count = any.substr(any.find("-of-"));
  logging_errors([&] {
    for (const std::string& name :
         file_system_of(prefix).list(directory.empty() ? "." : directory)) {
      if (!name.starts_with(base)) continue;
      const std::string_view rest = std::string_view(name).substr(base.size());
      const bool is_shard = matches_glob(kShardPattern, rest);
      const bool is_spoken_of = count == 0 || rest.ends_with(stated_count);
      const std::string path = join_path(directory, name);
      if ((is_shard && !is_spoken_of) || is_temporary(rest)) remove_all({&path, 1});
    }
  });
}

}  // namespace rill
