#include "origin.h"

#include <frameobject.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace rill::python {
namespace {

namespace nb = nanobind;

constexpr int kMaxFrames = 100;
constexpr std::size_t kMaxKnownPlaces = 20000;

// A place in a program: code objects are held, so an address never means another one.
struct Place {
  PyCodeObject* code;
  int instruction;
  friend bool operator==(const Place&, const Place&) = default;
};
struct PlaceHash {
  std::size_t operator()(const Place& p) const {
    return std::hash<void*>()(p.code) * 31 + static_cast<std::size_t>(p.instruction);
  }
};
struct KnownPlace {
  bool is_own = false;  // inside the package
  Frame frame;
};

// Everything here is guarded by the GIL.
struct OriginState {
  std::vector<std::string> own_directories;
  std::unordered_map<Place, KnownPlace, PlaceHash> places;
  std::vector<Place> last_places;
  OriginRef last;
};

OriginState& state() {
  static auto& instance = *new OriginState;
  return instance;
}

std::string_view code_text(PyObject* str) {
  Py_ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(str, &size);
  if (text != nullptr) return {text, static_cast<std::size_t>(size)};
  PyErr_Clear();
  return "?";
}

bool is_own_file(std::string_view file) {
  for (const std::string& directory : state().own_directories)
    if (file.starts_with(directory)) return true;
  return false;
}

void forget_places() {
  for (const auto& [place, known] : state().places) Py_DECREF(place.code);
  state().places.clear();
  state().last_places.clear();
  state().last = nullptr;
}

const KnownPlace& known_place(const Place& place, PyFrameObject* frame) {
  auto& places = state().places;
  if (const auto found = places.find(place); found != places.end()) return found->second;
  KnownPlace known;
  known.frame.file = code_text(place.code->co_filename);
  known.frame.function = code_text(place.code->co_name);
  known.frame.line = PyFrame_GetLineNumber(frame);
  known.is_own = is_own_file(known.frame.file);
  Py_INCREF(place.code);
  return places.emplace(place, std::move(known)).first->second;
}

int instruction_of(PyFrameObject* frame) {
#if PY_VERSION_HEX >= 0x030B0000
  return PyFrame_GetLasti(frame);
#else
  return PyFrame_GetLineNumber(frame);
#endif
}

// Calls use(place, known) for every frame, innermost first.
template <class F>
void walk_stack(F use) {
  PyFrameObject* frame = PyEval_GetFrame();
  Py_XINCREF(frame);
  for (int depth = 0; frame != nullptr && depth < kMaxFrames; ++depth) {
    PyCodeObject* code = PyFrame_GetCode(frame);
    const Place place{code, instruction_of(frame)};
    use(place, known_place(place, frame));
    Py_DECREF(code);
    PyFrameObject* outer = PyFrame_GetBack(frame);
    Py_DECREF(frame);
    frame = outer;
  }
  Py_XDECREF(frame);
}

}  // namespace

OriginRef capture_origin() {
  OriginState& s = state();
  if (s.places.size() > kMaxKnownPlaces) forget_places();
  thread_local std::vector<Place> places;
  thread_local std::vector<const Frame*> frames;
  places.clear();
  frames.clear();
  walk_stack([&](const Place& place, const KnownPlace& known) {
    if (known.is_own) return;
    places.push_back(place);
    frames.push_back(&known.frame);
  });
  if (s.last && places == s.last_places) return s.last;
  auto origin = std::make_shared<Origin>();
  for (const Frame* frame : frames) origin->frames.push_back(*frame);
  s.last_places = places;
  s.last = std::move(origin);
  return s.last;
}

void bind_origin(nb::module_& m) {
  m.def("set_own_directories", [](std::vector<std::string> directories) {
    state().own_directories = std::move(directories);
    forget_places();
  });
}

}  // namespace rill::python
