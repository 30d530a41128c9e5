# zrt_interface_id(OUT FILE...): sixteen hexadecimal digits that change with
# every change of the files. Both sides of a border between a program and a
# library that it loads carry the number made of the headers they share.
function(zrt_interface_id out)
  set(text "")
  foreach(file ${ARGN})
    get_filename_component(file ${file} ABSOLUTE)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(SHA256 ${file} hash)
    string(APPEND text ${hash})
  endforeach()
  string(SHA256 hash "${text}")
  string(SUBSTRING ${hash} 0 16 id)
  set(${out} ${id} PARENT_SCOPE)
endfunction()
