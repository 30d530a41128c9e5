//===- ForeignNames.cpp - Names of other languages ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     x := sum(A);         -- '+<<A'
//     A := roll(B, 1);     -- 'B@^[-1]'
//     x := ln(y);          -- log
//     b := True;           -- true
//
// Asked only for names that nothing declares. Renamed ones have a fix-it; for
// the others the message has the way to say it.
//
// Cost: a comparison per row of a table, once per unknown name.
//
//===----------------------------------------------------------------------===//

#include "Names/ForeignNames.h"

#include "llvm/ADT/StringSwitch.h"

namespace zpl::sema {

llvm::StringRef insteadOfName(llvm::StringRef name) {
  return llvm::StringSwitch<llvm::StringRef>(name)
      .Cases("sum", "SUM", "reduce", "the sum of an array is '+<<A'")
      .Cases("prod", "product", "the product of an array is '*<<A'")
      .Cases("maxval", "amax", "the greatest element of an array is 'max<<A'")
      .Cases("minval", "amin", "the least element of an array is 'min<<A'")
      .Case("any", "whether any element is true is '|<<M'")
      .Case("all", "whether all elements are true is '&<<M'")
      .Cases("count", "count_nonzero", "the number of trues is '+<<M'")
      .Case("average", "the mean of an array is 'mean<<A'")
      .Cases("dot", "dot_product", "inner",
             "the inner product of arrays is '+<<(A * B)'")
      .Case("cumsum", "the sums up to each element are '+||<inclusive> A'")
      .Case("transpose", "the transpose of an array is 'A#[Index2, Index1]'")
      .Case("matmul",
            "a matrix product is made of floods, '+<<[R] ...' or '>>[ ,k] A'")
      .Cases("roll", "cshift", "shift", "circshift",
             "a neighbour is 'A@d' with a direction d, around the ends 'A@^d'")
      .Cases("zeros", "ones", "empty",
             "an array is declared, 'var A: [R] double;', and set by 'A := 0;'")
      .Cases("arange", "linspace", "range",
             "'Index1' is the index in dimension 1, as in 'A := 0.1 * Index1;'")
      .Cases("spread", "broadcast", "a row for all rows is '>>[k, ] A'")
      .Cases("merge", "where", "ifelse",
             "a mask chooses: 'A := C; [R with M] A := B;'")
      .Cases("len", "length", "strlen", "shape",
             "'size(R)' is the number of a region's indices")
      .Cases("time", "clock", "MPI_Wtime", "getCurrentTime", "omp_get_wtime",
             "'ResetTimer()' and 'CheckTimer()' measure seconds")
      .Cases("rand", "rnd", "drand48",
             "'random()' is a number from 0 to 1, 'ran(k)' the one of k")
      .Cases("srand", "seed", "random numbers of a seed k are 'ran(k)'")
      .Cases("nil", "null", "NULL", "None",
             "there are no pointers; a file that is none is 'znull'")
      .Cases("str", "sprintf", "format",
             "strings are made by no operator; "
             "'write' takes the parts")
      .Cases("here", "MPI_Comm_rank", "omp_get_thread_num",
             "'localeID()' is this processor's number")
      .Cases("MPI_Comm_size", "omp_get_num_threads",
             "'PROCESSORS' is the number of processors")
      .Default("");
}

llvm::StringRef renamed(llvm::StringRef name) {
  return llvm::StringSwitch<llvm::StringRef>(name)
      .Cases("True", "TRUE", "true")
      .Cases("False", "FALSE", "false")
      .Cases("ln", "alog", "dlog", "log")
      .Case("ceiling", "ceil")
      .Cases("nint", "anint", "round")
      .Cases("aint", "fix", "trunc")
      .Case("arctan", "atan")
      .Case("arcsin", "asin")
      .Case("arccos", "acos")
      .Case("arctan2", "atan2")
      .Case("power", "pow")
      .Case("dabs", "fabs")
      .Cases("dsqrt", "Sqrt", "sqrt")
      .Cases("maximum", "fmax", "max")
      .Cases("minimum", "fmin", "min")
      .Cases("int", "toint", "integer")
      .Case("dble", "double")
      .Cases("pi", "Pi", "PI")
      .Cases("numlocales", "nprocs", "PROCESSORS")
      .Default("");
}

llvm::StringRef insteadOfField(llvm::StringRef name) {
  return llvm::StringSwitch<llvm::StringRef>(name)
      .Cases("size", "length", "shape", "domain", "numElements",
             "'size(R)', 'lo(R, 1)' and 'hi(R, 1)' tell of a region, also of "
             "'region(A)'")
      .Case("T", "the transpose of an array is 'A#[Index2, Index1]'")
      .Cases("sum", "max", "min", "mean",
             "a reduction is an operator, as in '+<<A' or 'max<<A'")
      .Default("");
}

} // namespace zpl::sema
