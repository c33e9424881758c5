#pragma once

#include <cstdint>

namespace rill {

// Numbers that tell whether a graph is still there, for what points into it. A number is given to
// one graph alone; 0 stands for graphs that are not watched, which count as alive.
std::uint32_t begin_graph_life();
void end_graph_life(std::uint32_t life);
bool is_graph_alive(std::uint32_t life);

// Ends with the object.
class GraphLife {
 public:
  GraphLife() : number_(begin_graph_life()) {}
  ~GraphLife() { end_graph_life(number_); }
  GraphLife(const GraphLife&) = delete;
  GraphLife& operator=(const GraphLife&) = delete;
  std::uint32_t number() const { return number_; }

 private:
  std::uint32_t number_;
};

}  // namespace rill
