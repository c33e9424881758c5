#include "rill/base/files.h"

#include <algorithm>

#include "rill/base/durable_files.h"
#include "rill/base/error.h"
#include "rill/base/file_system.h"
#include "rill/base/glob.h"
#include "rill/base/no_answer.h"

namespace rill {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;

// Where the path proper begins: behind "scheme://".
std::size_t path_start(std::string_view path) {
  const auto scheme = scheme_of(path);
  return scheme.empty() ? 0 : scheme.size() + 3;
}

void check_free(const std::string& path, bool overwrite) {
  if (!overwrite && file_exists(path)) raise(Code::kAlreadyExists, path, "; file already exists");
}

bool try_facts(const std::string& path, FileFacts* facts) {
  if (path.empty()) return false;
  FileSystem& files = file_system_of(path);
  try {
    *facts = files.facts(path);
    return true;
  } catch (const Error& error) {
    if (is_no_answer(error, path)) throw;
    return false;
  }
}

}  // namespace

bool file_exists(const std::string& path) {
  FileFacts facts;
  return try_facts(path, &facts);
}

bool is_directory(const std::string& path) {
  FileFacts facts;
  return try_facts(path, &facts) && facts.is_directory;
}

std::string parent_path(std::string_view path) {
  const std::size_t start = path_start(path);
  const auto slash = path.rfind('/');
  if (slash == std::string_view::npos || slash < start) return std::string(path.substr(0, start));
  return std::string(path.substr(0, slash == start ? slash + 1 : slash));
}

std::string_view base_name(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string join_path(std::string_view directory, std::string_view name) {
  const bool glued = directory.empty() || directory.back() == '/';
  return str_cat(directory, glued ? "" : "/", name);
}

std::string read_file(const std::string& path) {
  const auto file = file_system_of(path).open(path);
  std::string bytes;
  for (std::size_t got = kPiece; got == kPiece;) {  // files of /proc do not tell their size
    const std::size_t before = bytes.size();
    bytes.resize(before + kPiece);
    got = file->read(before, {bytes.data() + before, kPiece});
    bytes.resize(before + got);
  }
  return bytes;
}

void write_file(const std::string& path, std::string_view bytes) {
  replace_file(path, bytes, /*durable=*/false);
}

void copy_file(const std::string& from, const std::string& to, bool overwrite) {
  FileSystem& files = file_system_of(from);
  const auto source = files.open(from);
  check_free(to, overwrite);
  if (&files == &file_system_of(to) && files.copy_within(from, to)) return;
  const auto target = file_system_of(to).create(to, WriteMode::truncate);
  std::string piece(kPiece, '\0');
  std::uint64_t offset = 0;
  for (std::size_t got = kPiece; got == kPiece; offset += got) {
    got = source->read(offset, {piece.data(), kPiece});
    target->append({piece.data(), got});
  }
  target->close();
}

void copy_tree(const std::string& from, const std::string& to) {
  FileSystem& files = file_system_of(from);
  if (!files.facts(from).is_directory) return copy_file(from, to, /*overwrite=*/true);
  // A list instead of recursion: directories may be nested deeper than the stack.
  std::vector<std::string> below{""};
  for (std::size_t i = 0; i < below.size(); ++i) {
    const auto path_in = [&](const std::string& top) {
      return below[i].empty() ? top : join_path(top, below[i]);
    };
    make_directories(path_in(to));
    for (const NamedFacts& found : files.list_with_facts(path_in(from))) {
      std::string rest = below[i].empty() ? found.name : join_path(below[i], found.name);
      if (found.facts.is_directory)
        below.push_back(std::move(rest));
      else
        copy_file(join_path(from, rest), join_path(to, rest), /*overwrite=*/true);
    }
  }
}

void rename_file(const std::string& from, const std::string& to, bool overwrite) {
  FileSystem& files = file_system_of(from);
  if (&files != &file_system_of(to))
    raise(Code::kUnimplemented, "Renaming ", from, " to ", to, " not implemented");
  (void)files.facts(from);  // what is missing is said before what is in the way
  check_free(to, overwrite);
  files.rename(from, to);
}

void make_directories(const std::string& path) {
  std::vector<std::string> missing;
  std::string at = path;
  while (at.size() > path_start(at) + 1 && at.back() == '/') at.pop_back();
  for (FileFacts facts; at.size() > path_start(at); at = parent_path(at)) {
    if (try_facts(at, &facts)) {
      if (!facts.is_directory) raise(Code::kFailedPrecondition, at, "; Not a directory");
      break;
    }
    missing.push_back(at);
  }
  for (auto directory = missing.rbegin(); directory != missing.rend(); ++directory) {
    try {
      file_system_of(*directory).make_directory(*directory);
    } catch (const Error& error) {  // another process may have been quicker
      if (error.code() != Code::kAlreadyExists || !is_directory(*directory)) throw;
    }
  }
}

void remove_tree(const std::string& path) {
  FileSystem& files = file_system_of(path);
  if (!files.facts(path).is_directory) return files.remove_file(path);
  if (files.remove_below(path)) return;
  // A list instead of recursion: directories may be nested deeper than the stack.
  std::vector<std::string> directories{path};
  for (std::size_t i = 0; i < directories.size(); ++i) {
    for (const std::string& name : files.list(directories[i])) {
      const std::string child = join_path(directories[i], name);
      try {
        files.remove_file(child);  // first, so that links to directories are not followed
      } catch (const Error& error) {
        if (!is_directory(child)) throw;
        directories.push_back(child);
      }
    }
  }
  for (auto at = directories.rbegin(); at != directories.rend(); ++at) {
    try {
      files.remove_directory(*at);
    } catch (const Error& error) {  // where nobody made it, it went with its last file
      if (error.code() != Code::kNotFound) throw;
    }
  }
}

std::vector<std::string> matching_paths(const std::string& pattern) {
  FileSystem& files = file_system_of(pattern);
  if (&files == &http_files() || !has_wildcard(pattern))
    return file_exists(pattern) ? std::vector{pattern} : std::vector<std::string>{};

  const auto first_wildcard = pattern.find_first_of("*?[\\");
  std::string start = parent_path(pattern.substr(0, first_wildcard));
  const std::size_t rest_at = start.size() + (pattern[start.size()] == '/' ? 1 : 0);
  if (start.empty()) start = ".";
  std::vector<std::string> found{start};
  const auto parts = split(std::string_view(pattern).substr(rest_at), '/');
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].empty()) continue;
    std::vector<std::string> next;
    for (const std::string& directory : found) {
      std::vector<std::string> names;
      try {
        names = files.list(directory);
      } catch (const Error& error) {  // no directory, or not ours to read
        if (is_no_answer(error, directory)) throw;
      }
      for (const std::string& name : names)
        if (matches_glob(parts[i], name)) next.push_back(join_path(directory, name));
    }
    found = std::move(next);
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::string> matching_paths(std::span<const std::string> patterns) {
  std::vector<std::string> found;
  for (const std::string& pattern : patterns) {
    auto more = matching_paths(pattern);
    found.insert(found.end(), std::make_move_iterator(more.begin()),
                 std::make_move_iterator(more.end()));
  }
  return found;
}

}  // namespace rill
