// The whole screen of a terminal, by the escape sequences that all of today's understand.
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "rill/base/text.h"
#include "rill/inspect/debugger/terminal.h"

namespace rill::debugger {
namespace {

enum class Key {
  text,
  enter,
  backspace,
  remove,
  tab,
  left,
  right,
  up,
  down,
  page_up,
  page_down,
  home,
  end,
  first,
  last,
  back,
  forward,
  click,
  interrupt,
  closed,
  none
};
struct Event {
  Key key = Key::none;
  char letter = 0;
  int row = 0, column = 0;
};

// Takes over the terminal and gives it back as it was.
class Screen {
 public:
  explicit Screen(bool mouse) : mouse_(mouse) {
    tcgetattr(STDIN_FILENO, &before_);
    termios raw = before_;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ISIG);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    write(std::string("\x1b[?1049h\x1b[?25h") + (mouse_ ? "\x1b[?1000h\x1b[?1006h" : ""));
  }
  ~Screen() {
    write(std::string(mouse_ ? "\x1b[?1006l\x1b[?1000l" : "") + "\x1b[?1049l");
    tcsetattr(STDIN_FILENO, TCSANOW, &before_);
  }
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  static void write(const std::string& bytes) {
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t count = ::write(STDOUT_FILENO, bytes.data() + done, bytes.size() - done);
      if (count <= 0) return;
      done += static_cast<std::size_t>(count);
    }
  }
  void measure() {
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row < 4) return;
    rows = size.ws_row;
    columns = size.ws_col;
  }

  Event read() {
    const int c = next(-1);
    switch (c) {
      case -1:
        return {Key::closed};
      case 3:
      case 4:
        return {Key::interrupt};
      case '\r':
      case '\n':
        return {Key::enter};
      case 8:
      case 127:
        return {Key::backspace};
      case '\t':
        return {Key::tab};
      case 1:
        return {Key::home};
      case 5:
        return {Key::end};
      case 2:
        return {Key::back};
      case 6:
        return {Key::forward};
      case 27:
        return escape();
      default:
        return c >= 32 ? Event{Key::text, static_cast<char>(c)} : Event{};
    }
  }

  int rows = 24, columns = 80;

 private:
  static int next(int wait_millis) {
    pollfd ready{STDIN_FILENO, POLLIN, 0};
    if (poll(&ready, 1, wait_millis) <= 0) return -1;
    unsigned char c = 0;
    return ::read(STDIN_FILENO, &c, 1) == 1 ? c : -1;
  }

  static Event escape() {
    const int kind = next(50);
    if (kind != '[' && kind != 'O') return {};
    std::string parameters;
    int c = next(50);
    for (; c >= 0 && (c == '<' || c == ';' || (c >= '0' && c <= '9')); c = next(50))
      parameters += static_cast<char>(c);
    if (parameters.starts_with("<")) return mouse(parameters.substr(1), c);
    const bool with_control = parameters.ends_with(";5");
    switch (c) {
      case 'A':
        return {Key::up};
      case 'B':
        return {Key::down};
      case 'C':
        return {with_control ? Key::forward : Key::right};
      case 'D':
        return {with_control ? Key::back : Key::left};
      case 'H':
        return {Key::first};
      case 'F':
        return {Key::last};
      case '~':
        return {parameters == "5"   ? Key::page_up
                : parameters == "6" ? Key::page_down
                : parameters == "3" ? Key::remove
                : parameters == "1" ? Key::first
                : parameters == "4" ? Key::last
                                    : Key::none};
      default:
        return {};
    }
  }

  static Event mouse(const std::string& parameters, int end) {
    const std::vector<std::string_view> numbers = split(parameters, ';');
    long long button = 0, column = 0, row = 0;
    if (numbers.size() != 3 || !parse_int(numbers[0], &button) || !parse_int(numbers[1], &column) ||
        !parse_int(numbers[2], &row))
      return {};
    if (button == 64) return {Key::page_up};
    if (button == 65) return {Key::page_down};
    if (button != 0 || end != 'M') return {};
    return {Key::click, 0, static_cast<int>(row), static_cast<int>(column)};
  }

  const bool mouse_;
  termios before_{};
};

std::string styled(const std::string& text, const std::string& style, bool is_link) {
  const char* code = style == "red" ? "31" : style == "bold" ? (is_link ? "1;4" : "1") : "0";
  return str_cat("\x1b[", code, "m", text, "\x1b[0m");
}

class ScreenTerminal final : public Terminal {
 public:
  explicit ScreenTerminal(bool mouse) : mouse_(mouse) {}

  bool talk(Shell& shell, const std::string& title, const RichText& first) override {
    Screen screen(mouse_);
    pages_.clear();
    title_ = title;
    show("", first);
    while (!shell.is_over()) {
      screen.measure();
      draw(screen);
      const Event event = screen.read();
      if (event.key == Key::interrupt || event.key == Key::closed) return false;
      take(event, shell, screen);
    }
    return true;
  }

 private:
  struct Page {
    std::string command;
    RichText text;
    std::size_t top = 0;
  };

  Page& page() { return pages_[current_]; }
  void show(const std::string& command, RichText text) {
    if (!pages_.empty()) pages_.resize(current_ + 1);
    const std::size_t top = text.first_shown;
    pages_.push_back({command, std::move(text), top});
    current_ = pages_.size() - 1;
  }

  void run(Shell& shell, const std::string& command) {
    if (strip(command).empty()) return;
    note_.clear();
    RichText text = shell.run(command);
    if (!shell.is_over()) show(command, std::move(text));
  }

  static std::size_t body(const Screen& screen) {
    return static_cast<std::size_t>(screen.rows - 3);
  }

  void scroll(const Screen& screen, long long by) {
    const auto lines = static_cast<long long>(page().text.lines.size());
    const long long most = std::max(0LL, lines - static_cast<long long>(body(screen)));
    page().top =
        static_cast<std::size_t>(std::clamp(static_cast<long long>(page().top) + by, 0LL, most));
  }

  void take(const Event& event, Shell& shell, const Screen& screen) {
    const auto step = static_cast<long long>(body(screen)) - 1;
    switch (event.key) {
      case Key::text:
        line_.insert(cursor_++, 1, event.letter);
        break;
      case Key::enter: {
        const std::string command = std::exchange(line_, "");
        cursor_ = 0;
        recalled_ = -1;
        run(shell, command);
        break;
      }
      case Key::backspace:
        if (cursor_ > 0) line_.erase(--cursor_, 1);
        break;
      case Key::remove:
        if (cursor_ < line_.size()) line_.erase(cursor_, 1);
        break;
      case Key::tab:
        complete(shell);
        break;
      case Key::left:
        if (cursor_ > 0) --cursor_;
        break;
      case Key::right:
        if (cursor_ < line_.size()) ++cursor_;
        break;
      case Key::home:
        cursor_ = 0;
        break;
      case Key::end:
        cursor_ = line_.size();
        break;
      case Key::up:
        recall(shell, 1);
        break;
      case Key::down:
        recall(shell, -1);
        break;
      case Key::page_up:
        scroll(screen, -step);
        break;
      case Key::page_down:
        scroll(screen, step);
        break;
      case Key::first:
        scroll(screen, -1'000'000'000);
        break;
      case Key::last:
        scroll(screen, 1'000'000'000);
        break;
      case Key::back:
        if (current_ > 0) --current_;
        break;
      case Key::forward:
        if (current_ + 1 < pages_.size()) ++current_;
        break;
      case Key::click:
        click(event, shell);
        break;
      default:
        break;
    }
  }

  void click(const Event& event, Shell& shell) {
    if (event.row == 2) {
      if (event.column <= 5 && current_ > 0) --current_;
      if (event.column > 5 && event.column <= 10 && current_ + 1 < pages_.size()) ++current_;
      return;
    }
    const std::size_t line = page().top + static_cast<std::size_t>(std::max(0, event.row - 3));
    const auto it = page().text.fonts.find(line);
    if (it == page().text.fonts.end()) return;
    const auto column = static_cast<std::size_t>(event.column - 1);
    for (const FontSegment& font : it->second)
      if (column >= font.begin && column < font.end && !font.command.empty())
        return run(shell, std::string(font.command));
  }

  void complete(const Shell& shell) {
    const Shell::Completion found = shell.complete(line_);
    note_ = join(found.candidates, " ");
    if (found.candidates.empty()) return;
    const auto blank = line_.find_last_of(" \t");
    line_ = (blank == std::string::npos ? "" : line_.substr(0, blank + 1)) + found.common;
    if (found.candidates.size() == 1) {
      line_ += ' ';
      note_.clear();
    }
    cursor_ = line_.size();
  }

  void recall(const Shell& shell, int by) {
    const auto& history = shell.history();
    const int next = std::clamp(recalled_ + by, -1, static_cast<int>(history.size()) - 1);
    recalled_ = next;
    line_ = next < 0 ? "" : history[history.size() - 1 - static_cast<std::size_t>(next)];
    cursor_ = line_.size();
  }

  std::string line_text(std::size_t i, std::size_t width) {
    const std::string line = page().text.lines[i].substr(0, width);
    const auto it = page().text.fonts.find(i);
    if (it == page().text.fonts.end()) return line;
    std::string shown;
    std::size_t at = 0;
    for (const FontSegment& font : it->second) {
      const std::size_t begin = std::min(font.begin, line.size()),
                        end = std::min(font.end, line.size());
      if (begin < at || end <= begin) continue;
      shown += line.substr(at, begin - at);
      shown += styled(line.substr(begin, end - begin), font.style, !font.command.empty());
      at = end;
    }
    return shown + line.substr(at);
  }

  void draw(const Screen& screen) {
    const auto width = static_cast<std::size_t>(screen.columns);
    std::string all = "\x1b[H";
    const auto put = [&](const std::string& line) { all += line + "\x1b[K\r\n"; };
    put("\x1b[7m" + (title_ + std::string(width, ' ')).substr(0, width) + "\x1b[0m");
    put(styled("<-- ", current_ > 0 ? "bold" : "", false) +
        styled(" --> ", current_ + 1 < pages_.size() ? "bold" : "", false) + "| " +
        page().command.substr(0, width > 20 ? width - 20 : 0));
    for (std::size_t row = 0; row < body(screen); ++row)
      put(page().top + row < page().text.lines.size() ? line_text(page().top + row, width) : "");
    const std::size_t lines = page().text.lines.size();
    const std::string prompt = "tfdbg> ";
    std::string status =
        lines > body(screen)
            ? str_cat("  [", 100 * (page().top + body(screen)) / std::max<std::size_t>(lines, 1),
                      "%]")
            : "";
    if (!note_.empty()) status = "  " + note_;
    const std::size_t room =
        width > prompt.size() + line_.size() ? width - prompt.size() - line_.size() - 1 : 0;
    all += prompt + line_ + "\x1b[2m" + status.substr(0, room) + "\x1b[0m\x1b[K";
    all += str_cat("\r\x1b[", prompt.size() + cursor_, "C");
    Screen::write(all);
  }

  const bool mouse_;
  std::string title_, line_, note_;
  std::size_t cursor_ = 0, current_ = 0;
  int recalled_ = -1;
  std::vector<Page> pages_;
};

}  // namespace

bool has_screen() {
  const char* const kind = std::getenv("TERM");
  return isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0 && kind != nullptr &&
         std::string_view(kind) != "dumb";
}

std::unique_ptr<Terminal> screen_terminal(bool mouse) {
  return std::make_unique<ScreenTerminal>(mouse);
}

}  // namespace rill::debugger
