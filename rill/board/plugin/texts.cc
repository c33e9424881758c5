#include "rill/board/data/markdown.h"
#include "rill/board/data/stored_tensor.h"
#include "rill/board/plugin/question.h"

namespace rill::board {
namespace {

Answer text_tags(const BoardFacts& board, const Question&) {
  JsonOut json;
  json.open_object();
  for (const auto& run : board.logs.runs())
    run->with_lock([&](const Run::Contents& contents) {
      bool is_first = true;
      for (const auto& [tag, series] : contents.series) {
        if (series.metadata.plugin != "text") continue;
        if (std::exchange(is_first, false)) json.key(run->name()).open_array();
        json.text(tag);
      }
      if (!is_first) json.close_array();
    });
  json.close_object();
  return json_answer(json);
}

std::string table_html(const LoggedTensor& tensor, bool is_markdown) {
  const std::size_t rank = tensor.shape.size();
  const auto columns = static_cast<std::size_t>(rank == 1 ? 1 : tensor.shape[rank - 1]);
  const auto rows = static_cast<std::size_t>(rank == 1 ? tensor.shape[0] : tensor.shape[rank - 2]);
  std::string html = "<table>\n<tbody>\n";
  for (std::size_t row = 0; row < rows; ++row) {
    html += "<tr>\n";
    for (std::size_t column = 0; column < columns; ++column) {
      const std::string& cell = tensor.texts.at(row * columns + column);
      html += str_cat("<td>", is_markdown ? markdown_to_html(cell) : html_escaped(valid_utf8(cell)),
                      "</td>\n");
    }
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table>";
}

std::string tensor_html(const LoggedTensor& tensor, bool is_markdown) {
  if (!tensor.is_text) raise(Code::kDataLoss, "The log holds a text that is none");
  if (tensor.shape.empty())
    return is_markdown ? markdown_to_html(tensor.texts.at(0))
                       : html_escaped(valid_utf8(tensor.texts.at(0)));
  std::string warning;
  if (tensor.shape.size() > 2)
    warning = markdown_to_html(str_cat(
        "**Warning:** This text summary contained data of dimensionality ", tensor.shape.size(),
        ", but only 2d tables are supported. Showing a 2d slice of the data instead."));
  return warning + table_html(tensor, is_markdown);
}

Answer texts(const BoardFacts& board, const Question& question) {
  const bool is_markdown = question.parameter_or("markdown", "true") != "false";
  StoredSeries stored;
  try {
    stored = asked_stored(board, question, "text", "text data");
  } catch (const Error& error) {
    if (error.code() != Code::kNotFound) throw;
  }
  JsonOut json;
  json.open_array();
  for (const StoredValue& value : stored.values) {
    if (value.kind != ValueKind::kTensor) continue;
    json.open_object().key("wall_time").number(value.wall_time).key("step").integer(value.step);
    json.member("text", tensor_html(tensor_of(stored.bytes(value)), is_markdown)).close_object();
  }
  json.close_array();
  return json_answer(json);
}

}  // namespace

std::span<const Route> text_routes() {
  static constexpr Route kRoutes[] = {{"/data/plugin/text/tags", text_tags},
                                      {"/data/plugin/text/text", texts}};
  return kRoutes;
}

}  // namespace rill::board
