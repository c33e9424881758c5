#include "rill/api/io/gfile.h"

#include <algorithm>
#include <array>

#include "rill/base/error.h"
#include "rill/base/files.h"

namespace rill::gfile {
namespace {

constexpr std::size_t kReadBuffer = std::size_t{512} << 10;

}  // namespace

bool Exists(const std::string& filename) { return file_exists(filename); }
bool IsDirectory(const std::string& dirname) { return is_directory(dirname); }
void Remove(const std::string& filename) { file_system_of(filename).remove_file(filename); }
void MkDir(const std::string& dirname) {
  try {
    file_system_of(dirname).make_directory(dirname);
  } catch (const Error& error) {
    if (error.code() != Code::kAlreadyExists) throw;
  }
}
void MakeDirs(const std::string& dirname) { make_directories(dirname); }
void DeleteRecursively(const std::string& dirname) { remove_tree(dirname); }

void Copy(const std::string& oldpath, const std::string& newpath, bool overwrite) {
  copy_file(oldpath, newpath, overwrite);
}

void Rename(const std::string& oldname, const std::string& newname, bool overwrite) {
  rename_file(oldname, newname, overwrite);
}

std::vector<std::string> Glob(const std::string& filename) { return matching_paths(filename); }

std::vector<std::string> ListDirectory(const std::string& dirname) {
  if (!is_directory(dirname)) raise(Code::kNotFound, "Could not find directory ", dirname);
  return file_system_of(dirname).list(dirname);
}

FileFacts Stat(const std::string& filename) { return file_system_of(filename).facts(filename); }

WalkedDirectory walk_one(const std::string& top) {
  WalkedDirectory walked{top, {}, {}};
  if (!is_directory(top)) raise(Code::kNotFound, "Could not find directory ", top);
  FileSystem& files = file_system_of(top);
  for (NamedFacts& found : files.list_with_facts(top))
    (found.facts.is_directory ? walked.directories : walked.files).push_back(std::move(found.name));
  return walked;
}

std::vector<WalkedDirectory> Walk(const std::string& top, bool in_order) {
  std::vector<WalkedDirectory> all;
  const std::function<void(const std::string&)> visit = [&](const std::string& path) {
    if (!is_directory(path)) return;
    WalkedDirectory walked = walk_one(path);
    if (in_order) all.push_back(walked);
    for (const std::string& name : walked.directories) visit(join_path(path, name));
    if (!in_order) all.push_back(std::move(walked));
  };
  visit(top);
  return all;
}

GFile::GFile(std::string name, std::string mode) : name_(std::move(name)), mode_(std::move(mode)) {
  std::string plain = mode_;
  std::erase(plain, 'b');
  constexpr std::array<std::string_view, 6> kModes{"r", "w", "a", "r+", "w+", "a+"};
  require(std::ranges::find(kModes, plain) != kModes.end(),
          "mode is not 'r' or 'w' or 'a' or 'r+' or 'w+' or 'a+'");
  const bool both = plain.ends_with('+');
  can_read_ = both || plain == "r";
  can_write_ = both || plain != "r";
}

GFile::~GFile() = default;

std::uint64_t GFile::size() const { return Stat(name_).size; }

FileInput& GFile::input() {
  if (input_ == nullptr) {
    if (!can_read_) raise(Code::kPermissionDenied, "File isn't open for reading");
    input_ = std::make_unique<FileInput>(file_system_of(name_).open(name_), kReadBuffer);
  }
  return *input_;
}

WritableFile& GFile::output() {
  if (output_ == nullptr) {
    if (!can_write_) raise(Code::kPermissionDenied, "File isn't open for writing");
    const bool appends = mode_.find('a') != mode_.npos;
    written_to_ = appends && file_exists(name_) ? size() : 0;
    output_ =
        file_system_of(name_).create(name_, appends ? WriteMode::append : WriteMode::truncate);
  }
  return *output_;
}

std::string GFile::read(std::optional<std::size_t> count) {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  FileInput& from = input();
  std::string bytes;
  const std::size_t wanted = count.value_or(std::string::npos);
  while (bytes.size() < wanted) {  // piece by piece: a count is no promise of so many bytes
    const std::size_t piece = std::min(wanted - bytes.size(), kPiece), before = bytes.size();
    bytes.resize(before + piece);
    const std::size_t got = from.read(std::span(bytes).subspan(before));
    bytes.resize(before + got);
    if (got < piece) break;
  }
  return bytes;
}

std::string GFile::readline() {
  FileInput& from = input();
  std::string line;
  std::array<char, 1> next;
  while (from.read(next) == 1) {
    if (next[0] != '\r') line.push_back(next[0]);  // as TensorFlow's lines are
    if (next[0] == '\n') break;
  }
  return line;
}

std::vector<std::string> GFile::readlines() {
  std::vector<std::string> lines;
  while (true) {
    std::string line = readline();
    if (line.empty()) return lines;
    lines.push_back(std::move(line));
  }
}

void GFile::seek(std::int64_t offset, int whence) {
  FileInput& from = input();
  require(whence >= 0 && whence <= 2, "Invalid whence argument: ", whence,
          ". Valid values are 0, 1, or 2.");
  const std::uint64_t base = whence == 0 ? 0 : whence == 1 ? from.position() : size();
  if (offset < 0 && base < std::uint64_t{0} - static_cast<std::uint64_t>(offset))
    raise(Code::kInvalidArgument, "trying to seek position before the start of the file: ", name_);
  const std::uint64_t target = base + static_cast<std::uint64_t>(offset), end = size();
  from.seek(std::min(target, end));
  if (target > end) raise(Code::kOutOfRange, "reached end of file");
}

std::uint64_t GFile::tell() {
  if (can_read_) return input().position();
  output();
  return written_to_;
}

void GFile::write(std::string_view bytes) {
  output().append(bytes);
  written_to_ += bytes.size();
}

void GFile::flush() {
  if (output_ != nullptr) output_->flush();
}

void GFile::close() {
  input_.reset();
  if (output_ == nullptr) return;
  const std::unique_ptr<WritableFile> closing = std::move(output_);
  closing->close();
}

}  // namespace rill::gfile
