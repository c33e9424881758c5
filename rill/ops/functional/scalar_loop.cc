#include "rill/ops/functional/scalar_loop.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "rill/base/error.h"

namespace rill {
namespace {

constexpr int kMostInstructions = 400, kMostDepth = 8;

// The place of a number; which of its types it has is known when the program is made.
union Cell {
  std::int64_t i64;
  std::int32_t i32;
  double f64;
  float f32;
  bool b;
};

struct Vector {
  const void* data = nullptr;
  std::int64_t size = 0;
};

struct State {
  Cell* cells;
  const Vector* vectors;
};

// False: the values do not suit.
struct Instruction;
using Run = bool (*)(const State& state, const Instruction& at);

struct Instruction {
  enum class Kind { kCompute, kJump, kJumpUnless };
  Kind kind = Kind::kCompute;
  Run run = nullptr;
  int to = 0, a = 0, b = 0, c = 0;  // cells; of jumps `to` is an instruction
};

template <class T>
T& cell(const State& s, int i) {
  Cell& c = s.cells[i];
  if constexpr (std::is_same_v<T, bool>) return c.b;
  if constexpr (std::is_same_v<T, std::int32_t>) return c.i32;
  if constexpr (std::is_same_v<T, std::int64_t>) return c.i64;
  if constexpr (std::is_same_v<T, float>) return c.f32;
  if constexpr (std::is_same_v<T, double>) return c.f64;
}

bool is_number(DType type) {
  return type == DType::boolean || type == DType::i32 || type == DType::i64 || type == DType::f32 ||
         type == DType::f64;
}

// --- operations --------------------------------------------------------------------------------

template <class T, class R, class F>
bool binary(const State& s, const Instruction& at) {
  return F::apply(cell<T>(s, at.a), cell<T>(s, at.b), cell<R>(s, at.to));
}
template <class T, class R, class F>
bool unary(const State& s, const Instruction& at) {
  return F::apply(cell<T>(s, at.a), cell<R>(s, at.to));
}

// Whole numbers wrap around, as those of kernels do.
template <class T, class F>
T wrapped(T a, T b, F f) {
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(f(static_cast<U>(a), static_cast<U>(b)));
  } else {
    return f(a, b);
  }
}

#define RILL_SCALAR_OP(Name, expression)               \
  struct Name {                                        \
    template <class T, class R>                        \
    static bool apply(const T& a, const T& b, R& to) { \
      to = static_cast<R>(expression);                 \
      return true;                                     \
    }                                                  \
  }
RILL_SCALAR_OP(AddOf, wrapped(a, b, [](auto x, auto y) { return x + y; }));
RILL_SCALAR_OP(SubOf, wrapped(a, b, [](auto x, auto y) { return x - y; }));
RILL_SCALAR_OP(MulOf, wrapped(a, b, [](auto x, auto y) { return x * y; }));
RILL_SCALAR_OP(RealDivOf, a / b);
RILL_SCALAR_OP(LessOf, a < b);
RILL_SCALAR_OP(LessEqualOf, a <= b);
RILL_SCALAR_OP(GreaterOf, a > b);
RILL_SCALAR_OP(GreaterEqualOf, a >= b);
RILL_SCALAR_OP(EqualOf, a == b);
RILL_SCALAR_OP(NotEqualOf, a != b);
RILL_SCALAR_OP(AndOf, a&& b);
RILL_SCALAR_OP(OrOf, a || b);
#undef RILL_SCALAR_OP

template <class T>
bool divides(T a, T b) {
  return b != 0 && !(b == -1 && a == std::numeric_limits<T>::min());
}

struct FloorDivOf {
  template <class T>
  static bool apply(T a, T b, T& to) {
    if (!divides(a, b)) return false;
    const T quotient = a / b;
    to = quotient - static_cast<T>(a % b != 0 && (a < 0) != (b < 0));
    return true;
  }
};
struct FloorModOf {
  template <class T>
  static bool apply(T a, T b, T& to) {
    if (!divides(a, b)) return false;
    const T rest = a % b;
    to = rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
    return true;
  }
};

struct NegOf {
  template <class T>
  static bool apply(T a, T& to) {
    to = wrapped(T{}, a, [](auto x, auto y) { return x - y; });
    if constexpr (std::is_floating_point_v<T>) to = -a;
    return true;
  }
};
struct SquareOf {
  template <class T>
  static bool apply(T a, T& to) {
    to = wrapped(a, a, [](auto x, auto y) { return x * y; });
    return true;
  }
};
struct SqrtOf {
  template <class T>
  static bool apply(T a, T& to) {
    to = std::sqrt(a);
    return true;
  }
};
struct NotOf {
  static bool apply(bool a, bool& to) {
    to = !a;
    return true;
  }
};
struct CastOf {
  template <class T, class R>
  static bool apply(T a, R& to) {
    if constexpr (std::is_floating_point_v<T> && std::is_integral_v<R> &&
                  !std::is_same_v<R, bool>) {
      const double value = std::trunc(static_cast<double>(a));
      if (!(std::abs(value) < 0x1p31)) return false;  // what comes out is the kernel's affair
      to = static_cast<R>(value);
    } else {
      to = static_cast<R>(a);
    }
    return true;
  }
};

bool move_cell(const State& s, const Instruction& at) {
  s.cells[at.to] = s.cells[at.a];
  return true;
}
bool select_cell(const State& s, const Instruction& at) {
  s.cells[at.to] = s.cells[s.cells[at.a].b ? at.b : at.c];
  return true;
}

// An element of a vector, which `a` names.
template <class T, class Index>
bool element(const State& s, const Instruction& at) {
  const Vector& vector = s.vectors[at.a];
  const auto index = static_cast<std::int64_t>(cell<Index>(s, at.b));
  if (index < 0 || index >= vector.size) return false;
  cell<T>(s, at.to) = static_cast<const T*>(vector.data)[index];
  return true;
}

// --- which operation -----------------------------------------------------------------------------

template <template <class> class Maker>
Run by_type(DType type) {
  switch (type) {
    case DType::boolean:
      return Maker<bool>::get();
    case DType::i32:
      return Maker<std::int32_t>::get();
    case DType::i64:
      return Maker<std::int64_t>::get();
    case DType::f32:
      return Maker<float>::get();
    case DType::f64:
      return Maker<double>::get();
    default:
      return nullptr;
  }
}

template <class T>
inline constexpr bool kIsFloat = std::is_floating_point_v<T>;
template <class T>
inline constexpr bool kIsBool = std::is_same_v<T, bool>;

template <class F>
struct Arithmetic {
  template <class T>
  struct Of {
    static Run get() {
      if constexpr (kIsBool<T>)
        return nullptr;
      else
        return binary<T, T, F>;
    }
  };
};
template <class F>
struct Floating {
  template <class T>
  struct Of {
    static Run get() {
      if constexpr (kIsFloat<T>)
        return binary<T, T, F>;
      else
        return nullptr;
    }
  };
};
template <class F>
struct Whole {
  template <class T>
  struct Of {
    static Run get() {
      if constexpr (kIsFloat<T> || kIsBool<T>)
        return nullptr;
      else
        return binary<T, T, F>;
    }
  };
};
template <class F>
struct Comparing {
  template <class T>
  struct Of {
    static Run get() { return binary<T, bool, F>; }
  };
};
template <class F>
struct Changing {
  template <class T>
  struct Of {
    static Run get() {
      if constexpr (kIsBool<T> || (std::is_same_v<F, SqrtOf> && !kIsFloat<T>))
        return nullptr;
      else
        return unary<T, T, F>;
    }
  };
};
template <class R>
struct CastTo {
  template <class T>
  struct Of {
    static Run get() { return unary<T, R, CastOf>; }
  };
};
template <class Index>
struct ElementBy {
  template <class T>
  struct Of {
    static Run get() { return element<T, Index>; }
  };
};

Run binary_of(const std::string& op, DType type) {
  using Choose = Run (*)(DType);
  static const auto& known = *new std::map<std::string, Choose>{
      {"Add", by_type<Arithmetic<AddOf>::Of>},
      {"AddV2", by_type<Arithmetic<AddOf>::Of>},
      {"Sub", by_type<Arithmetic<SubOf>::Of>},
      {"Mul", by_type<Arithmetic<MulOf>::Of>},
      {"RealDiv", by_type<Floating<RealDivOf>::Of>},
      {"FloorDiv", by_type<Whole<FloorDivOf>::Of>},
      {"FloorMod", by_type<Whole<FloorModOf>::Of>},
      {"Less", by_type<Comparing<LessOf>::Of>},
      {"LessEqual", by_type<Comparing<LessEqualOf>::Of>},
      {"Greater", by_type<Comparing<GreaterOf>::Of>},
      {"GreaterEqual", by_type<Comparing<GreaterEqualOf>::Of>},
      {"Equal", by_type<Comparing<EqualOf>::Of>},
      {"NotEqual", by_type<Comparing<NotEqualOf>::Of>},
  };
  if (type == DType::boolean) {
    if (op == "LogicalAnd") return binary<bool, bool, AndOf>;
    if (op == "LogicalOr") return binary<bool, bool, OrOf>;
  }
  const auto found = known.find(op);
  return found == known.end() ? nullptr : found->second(type);
}

Run cast_of(DType from, DType to) {
  switch (to) {
    case DType::boolean:
      return from == DType::boolean ? move_cell : by_type<CastTo<bool>::Of>(from);
    case DType::i32:
      return by_type<CastTo<std::int32_t>::Of>(from);
    case DType::i64:
      return by_type<CastTo<std::int64_t>::Of>(from);
    case DType::f32:
      return by_type<CastTo<float>::Of>(from);
    case DType::f64:
      return by_type<CastTo<double>::Of>(from);
    default:
      return nullptr;
  }
}

Run unary_of(const std::string& op, DType type) {
  if (op == "Neg") return by_type<Changing<NegOf>::Of>(type);
  if (op == "Square") return by_type<Changing<SquareOf>::Of>(type);
  if (op == "Sqrt") return by_type<Changing<SqrtOf>::Of>(type);
  if (op == "LogicalNot") return type == DType::boolean ? unary<bool, bool, NotOf> : nullptr;
  return nullptr;
}

// --- making the program --------------------------------------------------------------------------

// Where a tensor of a body is: in a cell, or a loop variable that stays as it is.
struct Place {
  bool is_cell = true;
  int number = 0;
};

struct Constant {
  int cell;
  Tensor value;
};

struct NotSimple {};  // thrown where a body does something else

class Compiler {
 public:
  std::vector<Instruction> code;
  std::vector<Constant> constants;
  int cells = 0;

  // The places of the body's results, computed by what is appended to the code.
  std::vector<Place> append(const FunctionBody& body, const std::vector<Place>& arguments,
                            int depth) {
    if (depth > kMostDepth || !body.side_effects().empty()) throw NotSimple();
    Scope inner{body, arguments, {}, depth};
    std::vector<Place> results;
    for (const Output& result : body.return_values()) results.push_back(place(inner, result));
    return results;
  }

  int new_cell() { return cells++; }
  void add(Instruction at) {
    if (code.size() >= kMostInstructions) throw NotSimple();
    code.push_back(at);
  }

 private:
  struct Scope {
    const FunctionBody& body;
    const std::vector<Place>& arguments;
    std::map<std::pair<const Node*, int>, Place> known;
    int depth;
  };

  Place place(Scope& in, const Output& tensor) {
    const std::pair<const Node*, int> key{tensor.node, tensor.index};
    if (const auto found = in.known.find(key); found != in.known.end()) return found->second;
    const Place made = compute(in, *tensor.node, tensor.index);
    in.known[key] = made;
    return made;
  }

  int number(Scope& in, const Output& tensor) {
    const Place at = place(in, tensor);
    if (!at.is_cell) throw NotSimple();
    return at.number;
  }

  Place compute(Scope& in, const Node& node, int index) {
    for (std::size_t i = 0; i < in.body.args.size(); ++i)
      if (in.body.args[i] == &node) return in.arguments.at(i);
    const std::string& op = node.op().name;
    if (op == "Identity") return place(in, node.input(0));
    if (op == "If" || op == "StatelessIf") return branch(in, node, index);
    if (!is_number(base_type(node.output_type(index)))) throw NotSimple();
    if (op == "Const") return constant(node);
    if (op == "GatherV2") return gathered(in, node);
    if (op == "Select" || op == "SelectV2") return selected(in, node);
    const DType type = base_type(node.input_type(0));
    if (node.input_count() == 2) return two(in, node, binary_of(op, type));
    if (node.input_count() != 1) throw NotSimple();
    return one(in, node,
               op == "Cast" ? cast_of(type, base_type(node.output_type(0))) : unary_of(op, type));
  }

  Place one(Scope& in, const Node& node, Run run) {
    if (run == nullptr) throw NotSimple();
    const int a = number(in, node.input(0)), to = new_cell();
    add({.run = run, .to = to, .a = a});
    return {true, to};
  }

  Place two(Scope& in, const Node& node, Run run) {
    if (run == nullptr) throw NotSimple();
    const int a = number(in, node.input(0)), b = number(in, node.input(1)), to = new_cell();
    add({.run = run, .to = to, .a = a, .b = b});
    return {true, to};
  }

  Place constant(const Node& node) {
    const Tensor& value = attr<Tensor>(node.attrs(), "value");
    if (value.rank() != 0) throw NotSimple();
    constants.push_back({new_cell(), value});
    return {true, constants.back().cell};
  }

  Place gathered(Scope& in, const Node& node) {
    const Place whole = place(in, node.input(0));
    const Tensor* const axis = constant_value(node.input(2));
    const auto batch = node.attrs().find("batch_dims");
    const bool has_batch =
        batch != node.attrs().end() && *batch->second.get_if<std::int64_t>() != 0;
    if (whole.is_cell || has_batch || axis == nullptr || axis->rank() != 0 ||
        axis->dtype() != DType::i32 || axis->scalar_value<std::int32_t>() != 0)
      throw NotSimple();
    const DType type = base_type(node.output_type(0));
    const Run run = base_type(node.input_type(1)) == DType::i64
                        ? by_type<ElementBy<std::int64_t>::Of>(type)
                        : by_type<ElementBy<std::int32_t>::Of>(type);
    const int b = number(in, node.input(1)), to = new_cell();
    add({.run = run, .to = to, .a = whole.number, .b = b});
    return {true, to};
  }

  Place selected(Scope& in, const Node& node) {
    const int a = number(in, node.input(0)), b = number(in, node.input(1)),
              c = number(in, node.input(2)), to = new_cell();
    add({.run = select_cell, .to = to, .a = a, .b = b, .c = c});
    return {true, to};
  }

  // All results of an If are computed when the first is asked for; only one branch is run.
  Place branch(Scope& in, const Node& node, int index) {
    if (base_type(node.input_type(0)) != DType::boolean) throw NotSimple();
    const int test = number(in, node.input(0));
    std::vector<Place> arguments;
    for (int i = 1; i < node.input_count(); ++i) arguments.push_back(place(in, node.input(i)));
    std::vector<int> results;
    for (int i = 0; i < node.output_count(); ++i) {
      if (!is_number(base_type(node.output_type(i)))) throw NotSimple();
      results.push_back(new_cell());
      in.known[{&node, i}] = {true, results.back()};
    }
    const std::size_t to_else = code.size();
    add({.kind = Instruction::Kind::kJumpUnless, .a = test});
    take(node, "then_branch", arguments, results, in.depth);
    const std::size_t to_end = code.size();
    add({.kind = Instruction::Kind::kJump});
    code[to_else].to = static_cast<int>(code.size());
    take(node, "else_branch", arguments, results, in.depth);
    code[to_end].to = static_cast<int>(code.size());
    return {true, results[static_cast<std::size_t>(index)]};
  }

  void take(const Node& node, const char* name, const std::vector<Place>& arguments,
            const std::vector<int>& results, int depth) {
    const auto& function = attr<FuncName>(node.attrs(), name);
    const auto& library = node.graph().functions();
    const FunctionBody body =
        instantiate(*library->at(function.name), function.attrs, node.graph().registry(), library);
    const std::vector<Place> made = append(body, arguments, depth + 1);
    if (made.size() != results.size()) throw NotSimple();
    for (std::size_t i = 0; i < made.size(); ++i) {
      if (!made[i].is_cell) throw NotSimple();
      add({.run = move_cell, .to = results[i], .a = made[i].number});
    }
  }
};

}  // namespace

// --- running it ----------------------------------------------------------------------------------

struct ScalarLoop::Code {
  std::vector<Instruction> test, body;
  int condition = 0;             // a cell
  std::vector<DType> types;      // of the variables
  std::vector<bool> is_changed;  // by the body; the others stay as they are
  std::vector<int> next;         // cells of what variables become
  std::vector<Constant> constants;
  int cells = 0;
};

namespace {

bool execute(const std::vector<Instruction>& code, const State& state) {
  const auto count = static_cast<int>(code.size());
  for (int at = 0; at < count;) {
    const Instruction& now = code[static_cast<std::size_t>(at)];
    switch (now.kind) {
      case Instruction::Kind::kCompute:
        if (!now.run(state, now)) return false;
        ++at;
        break;
      case Instruction::Kind::kJump:
        at = now.to;
        break;
      case Instruction::Kind::kJumpUnless:
        at = state.cells[now.a].b ? at + 1 : now.to;
        break;
    }
  }
  return true;
}

void load(Cell& to, const Tensor& value) {
  std::memcpy(&to, value.raw_data(), element_size(value.dtype()));
}

Tensor stored(const Cell& from, DType type) {
  Tensor value(type, Shape());
  std::memcpy(value.raw_data(), &from, element_size(type));
  return value;
}

}  // namespace

ScalarLoop::ScalarLoop(std::unique_ptr<Code> code) : code_(std::move(code)) {}
ScalarLoop::~ScalarLoop() = default;

std::unique_ptr<ScalarLoop> ScalarLoop::make(const FunctionBody& test, const FunctionBody& body) {
  auto code = std::make_unique<Code>();
  const std::vector<Output> values = body.return_values(), arguments = body.arg_outputs();
  code->types = body.arg_types();
  if (values.size() != arguments.size()) return nullptr;
  Compiler compiler;
  std::vector<Place> places;
  for (std::size_t i = 0; i < values.size(); ++i) {
    Output value = values[i];
    while (value.node->op().name == "Identity") value = value.node->input(0);
    code->is_changed.push_back(!(value == arguments[i]));
    if (code->is_changed.back() && !is_number(code->types[i])) return nullptr;
    places.push_back({code->is_changed.back(), static_cast<int>(i)});
  }
  compiler.cells = static_cast<int>(values.size());
  // A number that stays is in its cell; a vector that stays is told by its variable.
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!code->is_changed[i] && arguments[i].shape().has_rank() &&
        arguments[i].shape().rank() == 0 && is_number(code->types[i]))
      places[i].is_cell = true;
  try {
    const std::vector<Place> tested = compiler.append(test, places, 0);
    if (tested.size() != 1 || !tested[0].is_cell || test.return_types()[0] != DType::boolean)
      return nullptr;
    code->condition = tested[0].number;
    code->test = std::move(compiler.code);
    compiler.code.clear();
    const std::vector<Place> made = compiler.append(body, places, 0);
    for (std::size_t i = 0; i < made.size(); ++i)
      code->next.push_back(made[i].is_cell ? made[i].number : -1);
  } catch (const NotSimple&) {
    return nullptr;
  } catch (const Error&) {  // running it tells more
    return nullptr;
  }
  code->body = std::move(compiler.code);
  code->constants = std::move(compiler.constants);
  code->cells = compiler.cells;
  return std::unique_ptr<ScalarLoop>(new ScalarLoop(std::move(code)));
}

std::optional<bool> ScalarLoop::run(std::span<Tensor> variables, std::int64_t most) const {
  const std::size_t count = code_->types.size();
  if (variables.size() != count) return std::nullopt;
  std::vector<Cell> cells(static_cast<std::size_t>(code_->cells));
  std::vector<Vector> vectors(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Tensor& value = variables[i];
    if (value.dtype() != code_->types[i] || value.memory_kind() != MemoryKind::host)
      return std::nullopt;
    if (value.rank() == 0 && is_number(value.dtype()))
      load(cells[i], value);
    else if (code_->is_changed[i])
      return std::nullopt;
    else if (value.rank() == 1)
      vectors[i] = {value.raw_data(), value.element_count()};
  }
  for (const Constant& constant : code_->constants)
    load(cells[static_cast<std::size_t>(constant.cell)], constant.value);
  const State state{cells.data(), vectors.data()};
  std::vector<Cell> next(count);
  bool ended = false;
  for (; most > 0; --most) {
    if (!execute(code_->test, state)) return std::nullopt;
    if ((ended = !cells[static_cast<std::size_t>(code_->condition)].b)) break;
    if (!execute(code_->body, state)) return std::nullopt;
    for (std::size_t i = 0; i < count; ++i)
      if (code_->is_changed[i]) next[i] = cells[static_cast<std::size_t>(code_->next[i])];
    for (std::size_t i = 0; i < count; ++i)
      if (code_->is_changed[i]) cells[i] = next[i];
  }
  for (std::size_t i = 0; i < count; ++i)
    if (code_->is_changed[i]) variables[i] = stored(cells[i], code_->types[i]);
  return ended;
}

}  // namespace rill
