// Kernels that could use files, the network or foreign code belong to ops that state it. Found in
// the sources: which kernel file sees, through any chain of headers and helpers, a header that
// reaches out of the process.
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "rill/base/text.h"
#include "rill/ops/register.h"

namespace rill {
namespace {

using Sources = std::map<std::string, std::string>;  // path to text

std::vector<std::string> matches(const std::string& text, const std::regex& pattern) {
  std::vector<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it)
    found.push_back((*it)[1]);
  return found;
}

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/')); }
std::string name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }
std::string without(std::string path, std::string_view ending) {
  if (path.ends_with(ending)) path.resize(path.size() - ending.size());
  return path;
}

bool has_word(const std::string& text, const std::string& word) {
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_part(text[at - 1])) && (end == text.size() || !is_part(text[end])))
      return true;
  }
  return false;
}

// Headers of rill/base and rill/io that touch nothing but memory and threads. What is not here
// counts as reaching out, new ones too.
bool is_harmless(const std::string& header) {
  static const std::set<std::string> kHarmless{
      "background.h",   "blocking.h",    "bmp.h",
      "clock.h",        "coding.h",      "crc32c.h",
      "error.h",        "farmhash.h",    "flush_denormals.h",
      "function_ref.h", "gif.h",         "glob.h",
      "hash64.h",       "inflate.h",     "jpeg.h",
      "json.h",         "keyed_hash.h",  "log.h",
      "md5.h",          "memory.h",      "philox.h",
      "picture.h",      "png.h",         "process_figures.h",
      "subscript.h",    "swap_bytes.h",  "text.h",
      "thread_limit.h", "thread_pool.h", "tile_permission.h",
      "utf8.h",         "wav.h"};
  return kHarmless.contains(name_of(header));
}

// What a source uses by which it could reach out; empty when there is nothing.
std::string way_out(const std::string& text) {
  static const std::regex kOurs(R"re(#include "(rill/(?:base|io)/[^"]+)")re");
  static const std::regex kForeignCode(
      R"re(#include "(rill/kernel/(?:\w+/)?host_functions\.h)")re");
  static const std::regex kSystem(
      R"re(#include <((?:fstream|filesystem|unistd|fcntl|spawn|netdb|dlfcn|sqlite3|sys/|grpc|curl/)[^>]*)>)re");
  static const std::regex kCalls(
      R"re(\b((?:(?:fopen|popen|dlopen|system|_exit|quick_exit) ?\()|abort ?\(\)))re");
  for (const std::string& header : matches(text, kOurs))
    if (!is_harmless(header)) return header;
  for (const std::regex* pattern : {&kForeignCode, &kSystem, &kCalls})
    if (const auto found = matches(text, *pattern); !found.empty()) return found[0];
  return {};
}

class AccessScan {
 public:
  explicit AccessScan(const Sources& sources) : sources_(sources) {
    static const std::regex kInclude(R"re(#include "(rill/ops/[^"]+)")re");
    for (const auto& [path, text] : sources) {
      if (is_declaration(path)) find_ops(text);
      leads_to_[path] = matches(text, kInclude);
      if (!is_declaration(path)) way_out_[path] = way_out(text);
    }
    for (const auto& [path, text] : sources)
      if (path.ends_with(".cc") && !is_kernel(path) && !is_declaration(path)) add_helper(path);
  }

  // "rill/ops/io/files.cpu.cc sees rill/base/files.h: kReadFile states no access", for each op.
  std::vector<std::string> complaints(const std::function<bool(const std::string&)>& states) const {
    std::vector<std::string> all;
    std::set<std::string> reached;
    for (const auto& [path, text] : sources_) {
      if (!is_kernel(path)) continue;
      const std::string why = way_out_of(path, reached);
      if (why.empty()) continue;
      for (const auto& [op, variable] : ops_)
        if (has_kernel(text, op) && !states(op))
          all.push_back(str_cat(path, " sees ", why, ": ", op, " states no access"));
    }
    // Rewrites run when a step is compiled; what a model says reaches only kernels.
    for (const auto& [path, way] : way_out_)
      if (!reached.contains(path) && !way.empty() && !path.starts_with("rill/ops/fusion/"))
        all.push_back(str_cat(path, " sees ", way, ", and no kernel leads there"));
    return all;
  }
  std::size_t op_count() const { return ops_.size(); }

  // The texts of the files with kernels of an op.
  std::vector<std::string> kernels_of(const std::string& op) const {
    std::vector<std::string> texts;
    for (const auto& [path, text] : sources_)
      if (is_kernel(path) && has_kernel(text, op)) texts.push_back(text);
    return texts;
  }

 private:
  static bool is_declaration(const std::string& path) { return path.ends_with(".op.cc"); }
  bool is_kernel(const std::string& path) const {
    return sources_.at(path).find("extern const KernelTable k") != std::string::npos;
  }

  bool has_kernel(const std::string& text, const std::string& op) const {
    return has_word(text, ops_.at(op));
  }

  void find_ops(const std::string& text) {
    static const std::regex kDeclared(R"re(OpDecl (k\w+)\{\s*\.name = "(\w+)")re");
    static const std::regex kTwin(R"re(OpDecl (k\w+) =\s*experimental_twin\(k\w+, "(\w+)"\))re");
    static const std::regex kOlder(R"re(OpDecl (k\w+) =\s*\w+<[^<>]*>\(\s*\{\.name = "(\w+)")re");
    for (const std::regex* pattern : {&kDeclared, &kTwin, &kOlder})
      for (std::sregex_iterator it(text.begin(), text.end(), *pattern), end; it != end; ++it)
        ops_[(*it)[2]] = (*it)[1];
  }

  // A helper implements its own header, or headers of its folder where it has none: whoever sees
  // the header can call into it.
  void add_helper(const std::string& path) {
    const std::string own = without(without(path, ".cc"), ".cpu") + ".h";
    for (const std::string& header : std::vector<std::string>(leads_to_[path]))
      if (sources_.contains(own) ? header == own : folder_of(header) == folder_of(path))
        leads_to_[header].push_back(path);
  }

  std::string way_out_of(const std::string& kernel, std::set<std::string>& reached) const {
    std::string why;
    std::set<std::string> seen{kernel};
    std::vector<std::string> open{kernel};
    while (!open.empty()) {
      const std::string path = open.back();
      open.pop_back();
      if (!way_out_.contains(path)) continue;
      if (const std::string& found = way_out_.at(path); !found.empty()) {
        reached.insert(path);
        why = path == kernel ? found : str_cat(found, " through ", path);
      }
      for (const std::string& next : leads_to_.at(path))
        if (seen.insert(next).second) open.push_back(next);
    }
    return why;
  }

  const Sources& sources_;
  std::map<std::string, std::string> ops_;  // wire name to variable
  std::map<std::string, std::vector<std::string>> leads_to_;
  std::map<std::string, std::string> way_out_;  // of sources that are no declarations
};

Sources sources_of_ops() {
  Sources sources;
  static const std::regex kNoPart(R"re((_test|_fuzz|_bench|\.cases|\.gen)\.cc$)re");
  for (const auto& entry : std::filesystem::recursive_directory_iterator("rill/ops")) {
    const std::string path = entry.path().generic_string();
    if (!path.ends_with(".h") && !path.ends_with(".cc")) continue;
    if (std::regex_search(path, kNoPart)) continue;
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    sources[path] = text.str();
  }
  return sources;
}

bool states_access(const std::string& name) {
  const Op& op = standard_ops().at(name);
  return op.has(kReachesOut | kUsesOpened | kNoAccess) || op.file_attr.names_file != nullptr;
}

TEST(OpAccess, kernels_that_could_reach_out_belong_to_ops_that_say_so) {
  const Sources sources = sources_of_ops();
  const AccessScan scan(sources);
  ASSERT_GT(scan.op_count(), 1100u);
  for (const std::string& complaint : scan.complaints(states_access)) ADD_FAILURE() << complaint;
}

// A model runs these while it is loaded, on files whose names are in its graph.
TEST(OpAccess, ops_for_loading_ask_whether_a_path_is_allowed) {
  const Sources sources = sources_of_ops();
  const AccessScan scan(sources);
  int count = 0;
  for (const Op* op : standard_ops().all()) {
    if (!op->has(kForLoading)) continue;
    const std::vector<std::string> kernels = scan.kernels_of(op->name);
    EXPECT_FALSE(kernels.empty()) << op->name;
    for (const std::string& text : kernels)
      EXPECT_NE(text.find("check_path(call, "), std::string::npos) << op->name;
    ++count;
  }
  EXPECT_EQ(count, 5);
}

TEST(OpAccess, the_scan_sees_what_is_planted) {
  const Sources sources{
      {"rill/ops/x/reads.op.cc", "constexpr OpDecl kReads{\n  .name = \"Reads\""},
      {"rill/ops/x/old.op.cc", "OpDecl kOldReads =\n experimental_twin(kReads, \"OldReads\");"},
      {"rill/ops/x/older.op.cc",
       "OpDecl kOlderReads = string_handle_user<kReads>(\n    {.name = \"OlderReads\"});"},
      {"rill/ops/x/adds.op.cc", "constexpr OpDecl kAdds{\n  .name = \"Adds\""},
      {"rill/ops/x/reads.cpu.cc",
       "#include \"rill/ops/x/lines_of.h\"\n"
       "{.op = &kReads}, {.op = &kOldReads}, {.op = &kOlderReads}\n"
       "extern const KernelTable kReadsCpu{kEntries};"},
      {"rill/ops/x/adds.cpu.cc",
       "#include \"rill/base/error.h\"\n&kAdds\nextern const KernelTable kAddsCpu{kEntries};"},
      {"rill/ops/x/lines_of.h", ""},
      {"rill/ops/x/lines_of_text.cc",  // without a header of its own
       "#include \"rill/base/text.h\"\n#include \"rill/ops/x/lines_of.h\"\n#include <fstream>"},
      {"rill/ops/x/lost.cc", "#include \"rill/io/anything_new.h\""},
  };
  const AccessScan scan(sources);
  const auto nobody = [](const std::string&) { return false; };
  const std::vector<std::string> found = scan.complaints(nobody);
  ASSERT_EQ(found.size(), 4u) << join(found, "\n");
  const char* const through = "rill/ops/x/reads.cpu.cc sees fstream through ";
  EXPECT_EQ(found[0], str_cat(through, "rill/ops/x/lines_of_text.cc: OldReads states no access"));
  EXPECT_EQ(found[1], str_cat(through, "rill/ops/x/lines_of_text.cc: OlderReads states no access"));
  EXPECT_EQ(found[2], str_cat(through, "rill/ops/x/lines_of_text.cc: Reads states no access"));
  EXPECT_EQ(found[3], "rill/ops/x/lost.cc sees rill/io/anything_new.h, and no kernel leads there");
  EXPECT_EQ(scan.complaints([](const std::string&) { return true; }).size(), 1u);
}

}  // namespace
}  // namespace rill
