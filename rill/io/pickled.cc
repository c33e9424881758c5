#include "rill/io/pickled.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <map>

#include "rill/base/error.h"

namespace rill {
namespace {

using List = Pickled::List;
using Dict = Pickled::Dict;
using Object = Pickled::Object;

// A machine with a stack, whose instructions the file holds.
class Machine {
 public:
  explicit Machine(std::string_view bytes) : bytes_(bytes) {}

  Pickled run() {
    for (;;) {
      const char op = take(1)[0];
      if (op == '.') return pop();
      step(op);
    }
  }

 private:
  [[noreturn]] static void raise_damaged() { raise(Code::kDataLoss, "damaged pickle"); }
  std::string_view take(std::size_t count) {
    if (count > bytes_.size() - at_) raise_damaged();
    at_ += count;
    return bytes_.substr(at_ - count, count);
  }
  std::string_view line() {
    const std::size_t end = bytes_.find('\n', at_);
    if (end == std::string_view::npos) raise_damaged();
    const std::string_view text = take(end - at_);
    at_ += 1;
    return text;
  }
  std::uint64_t unsigned_of(std::size_t size) {
    std::uint64_t number = 0;
    const std::string_view digits = take(size);
    for (std::size_t i = 0; i < size; ++i)
      number |= static_cast<std::uint64_t>(static_cast<unsigned char>(digits[i])) << (8 * i);
    return number;
  }
  std::string sized(std::size_t size_bytes) {
    const std::uint64_t size = unsigned_of(size_bytes);
    if (size > bytes_.size()) raise_damaged();
    return std::string(take(static_cast<std::size_t>(size)));
  }
  static std::int64_t whole(std::string_view text) {
    if (text.ends_with('L')) text.remove_suffix(1);
    std::int64_t number = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), number).ec != std::errc())
      raise_damaged();
    return number;
  }
  // Little-endian, in as few bytes as it takes.
  std::int64_t long_of(std::size_t size) {
    if (size > 8) raise(Code::kUnimplemented, "a pickled number of ", size, " bytes");
    std::uint64_t number = unsigned_of(size);
    if (size > 0 && size < 8 && (number >> (8 * size - 1) & 1) != 0)
      number |= ~std::uint64_t{0} << (8 * size);
    return static_cast<std::int64_t>(number);
  }
  double float_of() {
    const std::string_view digits = take(8);
    std::uint64_t bits = 0;
    for (const char c : digits) bits = bits << 8 | static_cast<unsigned char>(c);
    return std::bit_cast<double>(bits);
  }

  void push(Pickled value) { stack_.push_back(std::move(value)); }
  Pickled pop() {
    if (stack_.empty()) raise_damaged();
    Pickled value = std::move(stack_.back());
    stack_.pop_back();
    return value;
  }
  Pickled& top() {
    if (stack_.empty()) raise_damaged();
    return stack_.back();
  }
  List since_mark() {
    if (marks_.empty() || marks_.back() > stack_.size()) raise_damaged();
    const auto begin = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    List items(std::make_move_iterator(begin), std::make_move_iterator(stack_.end()));
    stack_.erase(begin, stack_.end());
    marks_.pop_back();
    return items;
  }
  static Pickled list_of(List items) { return {std::make_shared<List>(std::move(items))}; }
  void push_tuple(std::size_t count) {
    if (stack_.size() < count) raise_damaged();
    List items(stack_.end() - static_cast<std::ptrdiff_t>(count), stack_.end());
    stack_.resize(stack_.size() - count);
    push(list_of(std::move(items)));
  }
  template <class T>
  static T& as(const Pickled& value) {
    const auto* held = std::get_if<std::shared_ptr<T>>(&value.value);
    if (held == nullptr) raise_damaged();
    return **held;
  }
  void append(List items) {
    List& list = as<List>(top());
    std::ranges::move(items, std::back_inserter(list));
  }
  void set_items(List items) {
    Dict& dict = as<Dict>(top());
    for (std::size_t i = 0; i + 1 < items.size(); i += 2)
      dict.emplace_back(std::move(items[i]), std::move(items[i + 1]));
  }
  void push_object(std::string made_by) {
    push({std::make_shared<Object>(Object{std::move(made_by), {}, {}})});
  }
  // Bytes as protocol 2 writes them: text, each letter of which is a byte.
  static std::string latin1(std::string_view text) {
    std::string bytes;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const auto first = static_cast<unsigned char>(text[i]);
      if (first >= 0x80 && i + 1 == text.size()) raise_damaged();
      bytes += first < 0x80
                   ? text[i]
                   : static_cast<char>(first << 6 | (static_cast<unsigned char>(text[++i]) & 0x3F));
    }
    return bytes;
  }
  void reduce() {
    Pickled arguments = pop();
    if (as<Object>(top()).made_by == "_codecs encode") {
      pop();
      if (arguments.list().empty()) raise_damaged();
      return push({latin1(arguments.list()[0].bytes())});
    }
    auto made = std::make_shared<Object>(as<Object>(pop()));
    made->arguments = std::move(arguments);
    push({std::move(made)});
  }
  void push_remembered(std::uint64_t place) {
    const auto found = memo_.find(place);
    if (found == memo_.end()) raise_damaged();
    push(found->second);
  }

  void step(char op) {
    switch (op) {
      case '\x80':
        take(1);
        return;  // PROTO
      case '\x95':
        take(8);
        return;  // FRAME
      case '(':
        marks_.push_back(stack_.size());
        return;  // MARK
      case '0':
        pop();
        return;  // POP
      case '1':
        since_mark();
        return;  // POP_MARK
      case '2':
        push(Pickled(top()));
        return;  // DUP
      case 'N':
        return push({});  // NONE
      case '\x88':
        return push({true});  // NEWTRUE
      case '\x89':
        return push({false});  // NEWFALSE
      case 'K':
        return push({static_cast<std::int64_t>(unsigned_of(1))});  // BININT1
      case 'M':
        return push({static_cast<std::int64_t>(unsigned_of(2))});  // BININT2
      case 'J':
        return push({long_of(4)});  // BININT
      case '\x8a':
        return push({long_of(static_cast<std::size_t>(unsigned_of(1)))});  // LONG1
      case 'I':
        return push_text_number();  // INT
      case 'L':
        return push({whole(line())});  // LONG
      case 'G':
        return push({float_of()});  // BINFLOAT
      case 'U':
      case 'C':
      case '\x8c':
        return push({sized(1)});  // short texts, bytes
      case 'T':
      case 'B':
      case 'X':
        return push({sized(4)});  // texts, bytes
      case '\x8d':
      case '\x8e':
        return push({sized(8)});  // long ones
      case ']':
        return push(list_of({}));  // EMPTY_LIST
      case ')':
        return push(list_of({}));  // EMPTY_TUPLE
      case '}':
        return push({std::make_shared<Dict>()});  // EMPTY_DICT
      case 'l':
      case 't':
        return push(list_of(since_mark()));  // LIST, TUPLE
      case '\x85':
        return push_tuple(1);
      case '\x86':
        return push_tuple(2);
      case '\x87':
        return push_tuple(3);
      case 'a': {
        Pickled item = pop();
        return append({std::move(item)});
      }  // APPEND
      case 'e':
        return append(since_mark());  // APPENDS
      case 's': {
        Pickled value = pop(), key = pop();
        return set_items({std::move(key), std::move(value)});
      }
      case 'u':
        return set_items(since_mark());  // SETITEMS
      case 'c': {
        const std::string module(line());
        return push_object(module + " " + std::string(line()));
      }
      case '\x93': {
        const std::string name = pop().bytes(), module = pop().bytes();
        return push_object(module + " " + name);
      }
      case 'R':
      case '\x81':
        return reduce();  // REDUCE, NEWOBJ
      case 'b': {
        Pickled state = pop();
        as<Object>(top()).state = std::move(state);
        return;
      }  // BUILD
      case 'q':
        memo_[unsigned_of(1)] = top();
        return;  // BINPUT
      case 'r':
        memo_[unsigned_of(4)] = top();
        return;  // LONG_BINPUT
      case '\x94':
        memo_[memo_.size()] = top();
        return;  // MEMOIZE
      case 'p':
        memo_[static_cast<std::uint64_t>(whole(line()))] = top();
        return;  // PUT
      case 'h':
        return push_remembered(unsigned_of(1));  // BINGET
      case 'j':
        return push_remembered(unsigned_of(4));  // LONG_BINGET
      case 'g':
        return push_remembered(static_cast<std::uint64_t>(whole(line())));  // GET
      default:
        raise(Code::kUnimplemented, "pickle's instruction ", static_cast<int>(op));
    }
  }
  void push_text_number() {
    const std::string_view text = line();
    if (text == "00" || text == "01") return push({text == "01"});
    push({whole(text)});
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  std::vector<Pickled> stack_;
  std::vector<std::size_t> marks_;
  std::map<std::uint64_t, Pickled> memo_;
};

template <class T>
const T& held(const Pickled& pickled, const char* what) {
  const T* const found = std::get_if<T>(&pickled.value);
  require(found != nullptr, "a pickled value is not ", what);
  return *found;
}

}  // namespace

std::int64_t Pickled::number() const {
  if (const bool* truth = std::get_if<bool>(&value)) return *truth ? 1 : 0;
  return held<std::int64_t>(*this, "a whole number");
}
const std::string& Pickled::bytes() const { return held<std::string>(*this, "a text"); }
const Pickled::List& Pickled::list() const { return *held<std::shared_ptr<List>>(*this, "a list"); }
const Pickled::Dict& Pickled::dict() const { return *held<std::shared_ptr<Dict>>(*this, "a dict"); }
const Pickled& Pickled::at(std::string_view key) const {
  for (const auto& [name, item] : dict())
    if (const auto* text = std::get_if<std::string>(&name.value); text && *text == key) return item;
  raise(Code::kInvalidArgument, "a pickled dict has no '", key, "'");
}
const Pickled::Object& Pickled::object() const {
  return *held<std::shared_ptr<Object>>(*this, "an object");
}

Pickled read_pickle(std::string_view bytes) { return Machine(bytes).run(); }

}  // namespace rill
