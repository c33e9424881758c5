#pragma once

#include <cstdint>
#include <string>

namespace rill {

// Serialized Event messages of this moment; these throw DataLoss when what they take is no message
// of its kind.
std::string summary_event(std::int64_t step, const std::string& summary);
std::string graph_event(std::int64_t step, const std::string& graph_def);
void check_event(const std::string& event);

}  // namespace rill
