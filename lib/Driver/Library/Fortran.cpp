//===- Fortran.cpp - The Fortran module of a library ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `kernel.f90`: a module that calls the C functions. Fortran's first dimension
/// is the one that varies fastest, as ZPL's last one does, so arrays have their
/// dimensions the other way round: A[i, j] of ZPL is A(j, i). Then nothing is
/// copied.
///
///     call kernel_init(["-sn=100"])
///     call kernel_view_A(A)          ! real(c_double), pointer :: A(:, :)
///     x = kernel_step(X, 3)
///
//===----------------------------------------------------------------------===//

#include "Library/Exports.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace zpl::driver {

static constexpr const char *FortranHead =
    R"f(! Made by zplc --library of the program @NAME@. Arrays have their dimensions in
! reverse: A[i, j] of ZPL is A(j, i).
module @NAME@
  use, intrinsic :: iso_c_binding
  implicit none
  private

  type, bind(c) :: zpl_view
    type(c_ptr) :: data = c_null_ptr
    integer(c_int32_t) :: rank = 0, type = 0
    integer(c_int64_t) :: size = 0
    integer(c_int64_t) :: extent(6) = 0, stride(6) = 0, first(6) = 0
    integer(c_int64_t) :: step(6) = 0, offset(6) = 0, whole(6) = 0
  end type

  public :: @NAME@_init, @NAME@_init_mpi, @NAME@_finish
  public :: @NAME@_error, @NAME@_processors
  public :: @NAME@_first, @NAME@_status
@PUBLIC@@TYPES@
  interface
    integer(c_int) function c_init(count, options) &
        bind(c, name='@NAME@_init')
      import
      integer(c_int), value :: count
      type(c_ptr), intent(in) :: options(*)
    end function
    integer(c_int) function c_init_mpi(communicator, count, options) &
        bind(c, name='@NAME@_init_mpi')
      import
      integer(c_int), value :: communicator, count
      type(c_ptr), intent(in) :: options(*)
    end function
    integer(c_int) function c_finish() &
        bind(c, name='@NAME@_finish')
      import
    end function
    type(c_ptr) function c_error() bind(c, name='@NAME@_error')
      import
    end function
    ! Of the last call: 0 well, 1 a run-time error, 2 an argument was wrong,
    ! 3 the library is not initialized or has failed.
    integer(c_int) function @NAME@_status() &
        bind(c, name='@NAME@_status')
      import
    end function
    integer(c_int) function @NAME@_processors() &
        bind(c, name='@NAME@_processors')
      import
    end function
    integer(c_int) function c_view(array, view) &
        bind(c, name='@NAME@_view')
      import
      character(kind=c_char), intent(in) :: array(*)
      type(zpl_view), intent(out) :: view
    end function
    integer(c_size_t) function c_strlen(text) bind(c, name='strlen')
      import
      type(c_ptr), value :: text
    end function
@INTERFACES@  end interface

contains

  function text_of(pointer) result(text)
    type(c_ptr), intent(in) :: pointer
    character(len=:), allocatable :: text
    character(kind=c_char), pointer :: bytes(:)
    integer :: k
    text = ''
    if (.not. c_associated(pointer)) return
    call c_f_pointer(pointer, bytes, [c_strlen(pointer)])
    do k = 1, size(bytes)
      text = text // bytes(k)
    end do
  end function

  ! The message of the last call that did not go well.
  function @NAME@_error() result(text)
    character(len=:), allocatable :: text
    text = text_of(c_error())
  end function

  ! Options as on the command line of a ZPL program: '-p4', '-sn=100'.
  subroutine @NAME@_init(options)
    character(len=*), intent(in), optional :: options(:)
    call start(.false., 0_c_int, options)
  end subroutine

  ! The same on all processes of a communicator of MPI.
  subroutine @NAME@_init_mpi(communicator, options)
    integer, intent(in) :: communicator
    character(len=*), intent(in), optional :: options(:)
    call start(.true., int(communicator, c_int), options)
  end subroutine

  subroutine start(over_mpi, communicator, options)
    logical, intent(in) :: over_mpi
    integer(c_int), intent(in) :: communicator
    character(len=*), intent(in), optional :: options(:)
    character(kind=c_char, len=512), target :: words(64)
    type(c_ptr) :: places(64)
    integer(c_int) :: count, status
    integer :: k
    count = 0
    if (present(options)) count = int(min(size(options), 64), c_int)
    do k = 1, count
      words(k) = trim(options(k)) // c_null_char
      places(k) = c_loc(words(k))
    end do
    if (over_mpi) then
      status = c_init_mpi(communicator, count, places)
    else
      status = c_init(count, places)
    end if
  end subroutine

  ! Ends the library; what points at its arrays is then of no use.
  subroutine @NAME@_finish()
    integer(c_int) :: status
    status = c_finish()
  end subroutine

  ! The indices that the first element of this processor's block has, in the
  ! order of Fortran.
  function @NAME@_first(array) result(first)
    character(len=*), intent(in) :: array
    integer(c_int64_t), allocatable :: first(:)
    type(zpl_view) :: view
    integer(c_int) :: status
    status = c_view(array // c_null_char, view)
    allocate(first(view%rank))
    first = view%first(view%rank:1:-1)
  end function
)f";

static std::string colons(unsigned rank) {
  std::string text = "(";
  for (unsigned d = 0; d < rank; ++d)
    text += d ? ", :" : ":";
  return text + ")";
}

namespace {

class FortranWriter {
public:
  explicit FortranWriter(const Exports &exports) : exports(exports) {}
  std::string write();

private:
  std::string nameOf(StringRef suffix) {
    return exports.name + "_" + suffix.str();
  }
  std::string interfaceOf(const ExportedProcedure &procedure);
  std::string wrapperOf(const ExportedProcedure &procedure);
  std::string viewOf(const ExportedArray &array);

  const Exports &exports;
};

} // namespace

static std::string joined(const std::vector<std::string> &words) {
  return llvm::join(words, ", &\n      "); // lines are short in Fortran
}

std::string FortranWriter::interfaceOf(const ExportedProcedure &procedure) {
  std::vector<std::string> names;
  std::string declarations;
  for (const ExportedParam &param : procedure.params) {
    names.push_back(param.name);
    if (param.kind == ExportedParam::String)
      declarations += formatv("      character(kind=c_char), intent(in) :: "
                              "{0}(*)\n",
                              param.name);
    else if (param.kind == ExportedParam::Array)
      declarations +=
          formatv("      type(zpl_view), intent(in) :: {0}\n", param.name);
    else
      declarations +=
          formatv("      {0}, {1} :: {2}\n", param.type->fortran,
                  param.isOut ? "intent(inout)" : "value", param.name);
  }
  std::string result = procedure.returnsString ? "type(c_ptr) function"
                       : procedure.result
                           ? procedure.result->fortran + " function"
                           : "subroutine";
  return formatv(
      "    {0} c_{1}({2}) &\n        bind(c, name='{3}')\n      import\n{4}"
      "    end {5}\n",
      result, procedure.name, joined(names), nameOf(procedure.name),
      declarations,
      procedure.result || procedure.returnsString ? "function" : "subroutine");
}

namespace {

/// The pieces of a wrapper.
struct FortranCall {
  std::vector<std::string> names, args;
  std::string declarations, before;
};

} // namespace

static void addFortranParam(FortranCall &call, const ExportedParam &param) {
  call.names.push_back(param.name);
  const char *intent = !param.isOut ? "in" : param.isIn ? "inout" : "out";
  if (param.kind == ExportedParam::String) {
    call.declarations +=
        formatv("    character(len=*), intent(in) :: {0}\n", param.name);
    call.args.push_back(param.name + " // c_null_char");
  } else if (param.kind == ExportedParam::Array) {
    // As Out as well: what is not written keeps its value.
    call.declarations +=
        formatv("    {0}, intent({1}), target, contiguous :: {2}{3}\n"
                "    type(zpl_view) :: view_{2}\n",
                param.type->fortran, param.isOut ? "inout" : "in", param.name,
                colons(param.rank));
    call.before +=
        formatv("    view_{0}%rank = {1}\n    view_{0}%type = {2}\n"
                "    view_{0}%size = storage_size({0}) / 8\n"
                "    view_{0}%extent(1:{1}) = "
                "int(shape({0}), c_int64_t)\n"
                "    call reverse(view_{0})\n"
                "    if (size({0}) > 0) view_{0}%data = c_loc({0})\n",
                param.name, param.rank, param.type->code);
    call.args.push_back("view_" + param.name);
  } else {
    call.declarations += formatv("    {0}, intent({1}) :: {2}\n",
                                 param.type->fortran, intent, param.name);
    call.args.push_back(param.name);
  }
}

std::string FortranWriter::wrapperOf(const ExportedProcedure &procedure) {
  FortranCall wrapper;
  for (const ExportedParam &param : procedure.params)
    addFortranParam(wrapper, param);
  std::string name = nameOf(procedure.name);
  if (!procedure.result && !procedure.returnsString)
    return formatv("\n  subroutine {0}({1})\n{2}{3}    call c_{4}({5})\n"
                   "  end subroutine\n",
                   name, joined(wrapper.names), wrapper.declarations,
                   wrapper.before, procedure.name, joined(wrapper.args));
  wrapper.declarations +=
      procedure.returnsString
          ? "    character(len=:), allocatable :: result_\n"
          : formatv("    {0} :: result_\n", procedure.result->fortran).str();
  std::string call =
      formatv("c_{0}({1})", procedure.name, joined(wrapper.args));
  if (procedure.returnsString)
    call = "text_of(" + call + ")";
  return formatv("\n  function {0}({1}) result(result_)\n{2}{3}"
                 "    result_ = {4}\n  end function\n",
                 name, joined(wrapper.names), wrapper.declarations,
                 wrapper.before, call);
}

/// Rows may be padded: the pointer is to the elements of the padded ones that
/// are there.
std::string FortranWriter::viewOf(const ExportedArray &array) {
  std::string padded, part;
  for (unsigned d = array.rank; d-- > 0;) {
    padded +=
        d == 0 ? "view%extent(1)"
               : formatv("view%stride({0}) / view%stride({1})", d, d + 1).str();
    padded += d ? ", &\n      " : "";
    part += formatv("1:view%extent({0}){1}", d + 1, d ? ", &\n      " : "");
  }
  return formatv(R"f(
  subroutine {0}(array)
    {1}, pointer, intent(out) :: array{2}
    {1}, pointer :: padded{2}
    type(zpl_view) :: view
    nullify(array)
    if (c_view('{3}' // c_null_char, view) /= 0) return
    if (.not. c_associated(view%data)) return
    call c_f_pointer(view%data, padded, [{4}])
    array => padded({5})
  end subroutine
)f",
                 nameOf("view_" + array.name), array.type->fortran,
                 colons(array.rank), array.name, padded, part);
}

static constexpr const char *FortranReverse = R"f(
  ! Extents of Fortran's order become those of ZPL's.
  subroutine reverse(view)
    type(zpl_view), intent(inout) :: view
    integer :: d
    view%extent(1:view%rank) = view%extent(view%rank:1:-1)
    view%stride(view%rank) = view%size
    do d = view%rank - 1, 1, -1
      view%stride(d) = view%stride(d + 1) * view%extent(d + 1)
    end do
  end subroutine
)f";

std::string FortranWriter::write() {
  std::string publics, interfaces, bodies, types = fortranTypes(exports);
  bool hasArrays = false;
  for (const ExportedProcedure &procedure : exports.procedures) {
    publics += "  public :: " + nameOf(procedure.name) + "\n";
    interfaces += interfaceOf(procedure);
    bodies += wrapperOf(procedure);
    hasArrays |= any_of(procedure.params, [](const ExportedParam &param) {
      return param.kind == ExportedParam::Array;
    });
  }
  for (size_t k = 0; k < exports.ownArrays; ++k) {
    publics += "  public :: " + nameOf("view_" + exports.arrays[k].name) + "\n";
    bodies += viewOf(exports.arrays[k]);
  }
  std::string text;
  for (StringRef rest = FortranHead; !rest.empty();) {
    auto [before, after] = rest.split('@');
    auto [word, further] = after.split('@');
    text += before;
    text += word == "NAME"         ? StringRef(exports.name)
            : word == "PUBLIC"     ? StringRef(publics)
            : word == "TYPES"      ? StringRef(types)
            : word == "INTERFACES" ? StringRef(interfaces)
                                   : StringRef();
    rest = further;
  }
  return text + bodies + (hasArrays ? FortranReverse : "") + "end module\n";
}

std::string fortranText(const Exports &exports) {
  return FortranWriter(exports).write();
}

} // namespace zpl::driver
