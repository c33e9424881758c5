#include "rill/api/replicas/shared_variables.h"

#include <cctype>

#include "rill/base/error.h"
#include "rill/base/text.h"

namespace rill::distribute {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// "dense_1/kernel_2" is "dense/kernel".
std::string without_numbers(const std::string& name) {
  if (name.empty()) return "Variable";
  std::string plain;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '_' && i + 1 < name.size() && is_digit(name[i + 1])) {
      std::size_t end = i + 1;
      while (end < name.size() && is_digit(name[end])) ++end;
      if (end == name.size()) break;
      if (name[end] == '/') {
        i = end - 1;
        continue;
      }
    }
    plain += name[i];
  }
  return plain;
}

}  // namespace

VariableCreator SharedVariables::creator_of(int replica, const std::string& device) {
  if (replica == 0)
    return [this](const MakeVariable& next, const InitialValue& value,
                  const VariableOptions& options) {
      const Variable made = next(value, options);
      made_[without_numbers(options.name)].push_back(made);
      return made;
    };
  return [this, replica, device](const MakeVariable&, const InitialValue&,
                                 const VariableOptions& options) {
    const std::string name = without_numbers(options.name);
    const auto found = made_.find(name);
    const std::size_t next = taken_[{replica, name}]++;
    if (found == made_.end() || next >= found->second.size())
      raise(Code::kFailedPrecondition, "Tried to create variable ", name,
            " with mismatching name on device ", device);
    return found->second[next];
  };
}

}  // namespace rill::distribute
