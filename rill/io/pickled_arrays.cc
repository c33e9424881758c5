#include "rill/io/pickled_arrays.h"

#include "rill/base/error.h"
#include "rill/io/npy.h"

namespace rill {
namespace {

const Pickled& item(const Pickled& list, std::size_t i) {
  require(i < list.list().size(), "this is no pickled array");
  return list.list()[i];
}

}  // namespace

// Pickle's state is what an .npy file says: version, shape, type, order, bytes.
Tensor pickled_array(const Pickled& array) {
  const Pickled& state = array.object().state;
  std::string shape;
  for (const Pickled& size : item(state, 1).list()) shape += str_cat(size.number(), ",");
  const Pickled& type = item(state, 2);
  std::string name = item(type.object().arguments, 0).bytes();
  const std::string& order = item(type.object().state, 1).bytes();
  if (name.size() > 0 && name[0] >= 'a') name = order + name;
  const std::string header = str_cat(
      "{'descr': '", name, "', 'fortran_order': ", item(state, 3).number() != 0 ? "True" : "False",
      ", 'shape': (", shape, "), }\n");
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(header.size() & 0xFF);
  file += static_cast<char>(header.size() >> 8 & 0xFF);
  return parse_npy(file + header + item(state, 4).bytes());
}

Pickled::List parse_npy_objects(std::string_view bytes) {
  require(bytes.size() >= 12 && bytes.substr(1, 5) == "NUMPY", "this is no file of NumPy's");
  const bool is_first = bytes[6] == 1;  // whose headers are shorter
  std::size_t size = 0;
  for (std::size_t i = 0; i < (is_first ? 2U : 4U); ++i)
    size |= static_cast<std::size_t>(static_cast<unsigned char>(bytes[8 + i])) << (8 * i);
  const std::size_t begin = is_first ? 10 : 12;
  require(size <= bytes.size() - begin, "the header of the array is cut off");
  require(bytes.substr(begin, size).find("'|O'") != std::string_view::npos,
          "the elements of the array are no objects");
  return item(read_pickle(bytes.substr(begin + size)).object().state, 4).list();
}

}  // namespace rill
