# What makes builds faster where it is installed: ccache keeps what was compiled
# before, mold or lld link. Whatever is given to CMake explicitly comes first.
find_program(ZPL_CCACHE ccache)
if(ZPL_CCACHE)
  foreach(language C CXX)
    if(NOT CMAKE_${language}_COMPILER_LAUNCHER)
      set(CMAKE_${language}_COMPILER_LAUNCHER ${ZPL_CCACHE})
    endif()
  endforeach()
endif()
find_program(ZPL_FAST_LINKER NAMES mold ld.lld)
if(ZPL_FAST_LINKER MATCHES "mold$")
  add_link_options(-fuse-ld=mold)
elseif(ZPL_FAST_LINKER)
  add_link_options(-fuse-ld=lld)
endif()

# zpl_precompile(TARGET HEADER...): with ZPL_PRECOMPILE (the preset quick), these
# headers and those of LLVM and the standard library that most files include are
# compiled once for all files of a target. A unit of eight files, which other
# presets compile, would gain a twelfth by it. Every file still includes what it
# uses.
option(ZPL_PRECOMPILE "precompile headers of the compiler" OFF)
function(zpl_precompile target)
  if(ZPL_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE
      <algorithm> <functional> <map> <memory> <optional> <set> <string> <variant>
      <vector> <llvm/ADT/APFloat.h> <llvm/ADT/APSInt.h> <llvm/ADT/DenseMap.h>
      <llvm/ADT/DenseSet.h> <llvm/ADT/MapVector.h> <llvm/ADT/STLExtras.h>
      <llvm/ADT/SetVector.h> <llvm/ADT/SmallVector.h> <llvm/ADT/StringExtras.h>
      <llvm/ADT/StringMap.h> <llvm/Support/FormatVariadic.h>
      <llvm/Support/raw_ostream.h> ${ARGN})
  endif()
endfunction()
