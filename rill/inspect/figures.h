#pragma once

#include <string>

// How figures are written.
namespace rill::inspect {

std::string fixed(double value, int decimals);  // "12.3"
std::string digits(double value);               // as JSON has numbers, "1.25e-05"
std::string time_text(double seconds);          // "1.23 ms"

}  // namespace rill::inspect
