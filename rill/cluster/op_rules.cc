#include "rill/cluster/op_rules.h"

#include <cstdlib>
#include <map>
#include <set>

#include "rill/base/error.h"
#include "rill/ops/register.h"

namespace rill::cluster {
namespace {

std::uint64_t traits_of(std::string_view word) {
  static const std::map<std::string_view, std::uint64_t> kWords{
      {"read", kReadsFiles},     {"write", kWritesFiles},    {"files", kReadsFiles | kWritesFiles},
      {"network", kUsesNetwork}, {"code", kRunsForeignCode}, {"all", kReachesOut}};
  const auto found = kWords.find(word);
  return found == kWords.end() ? 0 : found->second;
}

std::string or_environment(const std::string& said, const char* name) {
  const char* const value = std::getenv(name);
  return said.empty() && value != nullptr ? value : said;
}

std::string known_op(std::string_view name) {
  require(standard_ops().find(name) != nullptr,
          "RILL_CLUSTER_REFUSE and RILL_CLUSTER_ALLOW: ", quoted(name),
          " is neither an op nor one of read, write, files, network, code, all");
  return std::string(name);
}

class RuleGuard final : public OpGuard {
 public:
  RuleGuard(const std::string& refuse, const std::string& allow) {
    for (const std::string_view word : split(refuse, ',')) {
      if (word.empty()) continue;
      const std::uint64_t traits = traits_of(word);
      traits_ |= traits;
      if (traits == 0) refused_.insert(known_op(word));
    }
    for (const std::string_view word : split(allow, ','))
      if (!word.empty()) allowed_.insert(known_op(word));
  }

  void check_op(const KernelNode& node) const override {
    if (allowed_.contains(node.op->name)) return;
    if (!refused_.contains(node.op->name) && !has_refused_trait(node)) return;
    raise(Code::kPermissionDenied, "This task does not run ", node.op->name, " (node ", node.name,
          "): RILL_CLUSTER_ALLOW=", node.op->name, " at its server would allow it");
  }
  // Which ops read files has been decided.
  void check_path(const KernelNode&, const std::string&) const override {}

 private:
  bool has_refused_trait(const KernelNode& node) const {
    if (node.op->has(traits_)) return true;
    const FileAttr& file = node.op->file_attr;
    if (file.names_file == nullptr || (traits_ & kReadsFiles) == 0) return false;
    const auto found = node.attrs.find(file.name);
    const auto* text = found == node.attrs.end() ? nullptr : found->second.get_if<std::string>();
    return text != nullptr && file.names_file(*text);
  }

  std::uint64_t traits_ = 0;
  std::set<std::string, std::less<>> refused_, allowed_;
};

}  // namespace

std::shared_ptr<const OpGuard> op_guard(const OpRules& rules) {
  const std::string refuse = or_environment(rules.refuse, "RILL_CLUSTER_REFUSE");
  const std::string allow = or_environment(rules.allow, "RILL_CLUSTER_ALLOW");
  if (refuse.empty()) return nullptr;
  return std::make_shared<const RuleGuard>(refuse, allow);
}

}  // namespace rill::cluster
