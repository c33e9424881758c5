# Run as a script: writes SOURCE, in which web_file() of rill/board knows the files of FOLDER.
set(text "#include \"rill/board/web/web_files.h\"\n\nnamespace rill::board {\nnamespace {\n\n")
set(rows "")
file(GLOB files ${FOLDER}/*.html ${FOLDER}/*.css ${FOLDER}/*.js)
foreach(file IN LISTS files)
  get_filename_component(name ${file} NAME)
  get_filename_component(extension ${file} EXT)
  if(extension STREQUAL ".html")
    set(type "text/html; charset=utf-8")
  elseif(extension STREQUAL ".css")
    set(type "text/css; charset=utf-8")
  else()
    set(type "text/javascript; charset=utf-8")
  endif()
  string(MAKE_C_IDENTIFIER ${name} id)
  # As numbers: a file may hold whatever would end a literal, or that CMake takes for its own.
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(APPEND text "constexpr unsigned char k_${id}[] = {${bytes}};\n")
  string(APPEND rows "    {\"/${name}\", \"${type}\", {reinterpret_cast<const char*>(k_${id}), sizeof k_${id}}},\n")
endforeach()
string(APPEND text "\n}  // namespace\n\nconst WebFile* web_file(std::string_view path) {\n"
  "  static const WebFile kFiles[] = {\n${rows}  };\n"
  "  for (const WebFile& file : kFiles)\n    if (file.path == path) return &file;\n"
  "  return nullptr;\n}\n\n}  // namespace rill::board\n")
file(WRITE ${SOURCE} "${text}")
