// rill ls, cp and cat: files wherever they are.
#include <cstdio>
#include <ctime>

#include "rill/base/error.h"
#include "rill/base/file_system.h"
#include "rill/base/files.h"
#include "rill/base/text.h"
#include "rill/cli/command.h"

namespace rill::cli {
namespace {

constexpr std::size_t kCatPiece = std::size_t{1} << 20;

void print_entry(const std::string& name, const FileFacts& facts, bool is_long) {
  const std::string shown = str_cat(name, facts.is_directory ? "/" : "");
  if (!is_long) {
    std::printf("%s\n", shown.c_str());
    return;
  }
  const std::time_t seconds = facts.modified_nanos / 1'000'000'000;
  std::tm utc{};
  ::gmtime_r(&seconds, &utc);
  char time[32] = "-";
  if (facts.modified_nanos != 0) std::strftime(time, sizeof time, "%Y-%m-%dT%H:%M:%SZ", &utc);
  std::printf("%12llu  %20s  %s\n", static_cast<unsigned long long>(facts.size), time,
              shown.c_str());
}

// A directory's name is followed by those in it; a pattern stands for what fits it.
void list_path(const std::string& path, bool is_long) {
  FileSystem& files = file_system_of(path);
  const std::vector<std::string> matching =
      file_exists(path) ? std::vector{path} : matching_paths(path);
  if (matching.empty()) (void)files.facts(path);  // throws what is wrong
  for (const std::string& found : matching) {
    const FileFacts facts = files.facts(found);
    if (!facts.is_directory || matching.size() > 1) {
      print_entry(found, facts, is_long);
      continue;
    }
    for (const NamedFacts& entry : files.list_with_facts(found))
      print_entry(entry.name, entry.facts, is_long);
  }
}

int ls(std::span<const std::string> arguments) {
  Options given(arguments);
  const bool is_long = given.flag("-l") || given.flag("--long");
  const auto paths = given.positional();
  if (paths.empty()) throw UsageError("ls needs a path");
  for (const std::string& path : paths) list_path(path, is_long);
  return 0;
}

int cp(std::span<const std::string> arguments) {
  Options given(arguments);
  const bool is_tree = given.flag("-r") || given.flag("--recursive");
  std::vector<std::string> paths = given.positional();
  if (paths.size() < 2) throw UsageError("cp needs what to copy, and where to");
  const std::string target = paths.back();
  paths.pop_back();
  const bool goes_into = is_directory(target);
  if (paths.size() > 1 && !goes_into) throw UsageError(target + " is no directory");
  for (std::string from : paths) {
    while (from.size() > 1 && from.ends_with('/')) from.pop_back();
    const std::string to = goes_into ? join_path(target, base_name(from)) : target;
    if (!is_tree && is_directory(from)) throw UsageError(from + " is a directory: cp -r");
    is_tree ? copy_tree(from, to) : copy_file(from, to, /*overwrite=*/true);
  }
  return 0;
}

int cat(std::span<const std::string> arguments) {
  const auto paths = Options(arguments).positional();
  if (paths.empty()) throw UsageError("cat needs a path");
  for (const std::string& path : paths) {
    const auto file = file_system_of(path).open(path);
    std::string piece(kCatPiece, '\0');
    std::uint64_t offset = 0;
    for (std::size_t got = kCatPiece; got == kCatPiece; offset += got) {
      got = file->read(offset, piece);
      if (std::fwrite(piece.data(), 1, got, stdout) != got)
        raise(Code::kUnavailable, "standard output is closed");
    }
  }
  return 0;
}

}  // namespace

const Command kLs{"ls", "list files: local ones, s3://, gs://, hdfs://, webhdfs://, http://",
                  "ls PATH... [-l]\n\n"
                  "  -l   with sizes and times\n",
                  ls};
const Command kCp{"cp", "copy files from and to any of these",
                  "cp FROM... TO [-r]\n\n"
                  "  -r   directories with all below them\n",
                  cp};
const Command kCat{"cat", "print files that are anywhere", "cat PATH...\n", cat};

}  // namespace rill::cli
