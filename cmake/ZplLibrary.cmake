# zpl_library(NAME SOURCES a.cpp ... DEPENDS zplA ...): one phase of the
# compiler. Its dependency list is the layering rule of docs/Architecture.md.
function(zpl_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR}/include
    PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_compile_options(${name} PRIVATE -Wall -Wextra -Werror=switch -Werror=implicit-fallthrough)
  target_link_libraries(${name} PUBLIC ${arg_DEPENDS} zpl_llvm)
endfunction()
