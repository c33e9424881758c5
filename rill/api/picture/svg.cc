#include <algorithm>
#include <cmath>

#include "rill/api/picture/outline.h"
#include "rill/base/text.h"

namespace rill::picture {
namespace {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return result;
}

std::string one_decimal(double value) {  // one digit behind the point
  const auto tenths = static_cast<long long>(std::lround(value * 10));
  const long long rest = std::abs(tenths % 10);
  return str_cat(tenths < 0 && tenths > -10 ? "-" : "", tenths / 10,
                 rest == 0 ? "" : str_cat(".", rest));
}

std::string colour(Colour c) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text = "#";
  for (const int part : {c.red, c.green, c.blue})
    text += {kDigits[static_cast<std::size_t>(part) >> 4],
             kDigits[static_cast<std::size_t>(part) & 15]};
  return text;
}

std::string words(const Words& words) {
  const double wide = static_cast<double>(words.text.size()) * kLetterWidth;
  const std::string behind =
      words.behind
          ? str_cat("<rect x=\"", one_decimal(words.x - 2), "\" y=\"", one_decimal(words.y),
                    "\" width=\"", one_decimal(wide + 4), "\" height=\"", one_decimal(kLineHeight),
                    "\" fill=\"", colour(*words.behind), "\"/>\n")
          : "";
  return str_cat(behind, "<text x=\"", one_decimal(words.x), "\" y=\"",
                 one_decimal(words.y + kLineHeight - 3), "\" fill=\"", colour(words.colour),
                 "\" textLength=\"", one_decimal(wide), "\" lengthAdjust=\"spacingAndGlyphs\">",
                 escaped(words.text), "</text>\n");
}

std::string curve(const Curve& curve) {
  std::string path =
      str_cat("M", one_decimal(curve.points[0].x), " ", one_decimal(curve.points[0].y));
  for (std::size_t i = 1; i < curve.points.size(); ++i) {
    const Point &from = curve.points[i - 1], &to = curve.points[i];
    const double bend = (to.y - from.y) / 2;
    path +=
        str_cat("C", one_decimal(from.x), " ", one_decimal(from.y + bend), " ", one_decimal(to.x),
                " ", one_decimal(to.y - bend), " ", one_decimal(to.x), " ", one_decimal(to.y));
  }
  return str_cat("<path d=\"", path, "\" fill=\"none\" stroke=\"", colour(curve.colour),
                 "\" stroke-width=\"", one_decimal(curve.width), "\"/>\n");
}

std::string arrow(const Triangle& t) {
  return str_cat("<path d=\"M", one_decimal(t.a.x), " ", one_decimal(t.a.y), "L",
                 one_decimal(t.b.x), " ", one_decimal(t.b.y), "L", one_decimal(t.c.x), " ",
                 one_decimal(t.c.y), "Z\" fill=\"", colour(t.colour), "\"/>\n");
}

std::string frame(const Frame& frame) {
  return str_cat("<rect x=\"", one_decimal(frame.x), "\" y=\"", one_decimal(frame.y), "\" width=\"",
                 one_decimal(frame.width), "\" height=\"", one_decimal(frame.height), "\" rx=\"",
                 one_decimal(frame.radius), "\" fill=\"", colour(frame.fill), "\" stroke=\"",
                 colour(frame.edge), "\"><title>", escaped(frame.hint), "</title></rect>\n");
}

}  // namespace

std::string to_svg(const Drawing& drawing) {
  const Outline outline = outline_of(drawing);
  std::string text =
      str_cat("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"", one_decimal(outline.width),
              "\" height=\"", one_decimal(outline.height), "\" viewBox=\"0 0 ",
              one_decimal(outline.width), " ", one_decimal(outline.height),
              "\" font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"10\">\n"
              "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
  for (const Frame& item : outline.frames) text += frame(item);
  for (const Curve& item : outline.curves) text += curve(item);
  for (const Triangle& item : outline.arrows) text += arrow(item);
  for (const Words& item : outline.words) text += words(item);
  return text + "</svg>\n";
}

}  // namespace rill::picture
