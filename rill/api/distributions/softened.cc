#include "rill/api/distributions/softened.h"

#include "rill/api/gen/nn.h"

namespace rill::distributions::contrib {

Softened::Softened(const char* type, const DistributionOptions& given,
                   const std::vector<std::pair<const char*, Input>>& parameters,
                   std::source_location at)
    : options(given) {
  const Block in(given.name, type, at);
  for (const auto& [name, value] : parameters)
    values.push_back(raw::Softplus(value, {.name = name}));
  options.name = current_scope().name() + "/";
}

}  // namespace rill::distributions::contrib
