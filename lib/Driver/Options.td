//===- Options.td - The command line of zplc ------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// llvm-tblgen makes a table of this file; Options.cpp reads command lines with
// it and prints it as --help. What Clang has too is written as Clang has it.
//
//===----------------------------------------------------------------------===//

include "llvm/Option/OptParser.td"

class Dash<string name, string help> : Flag<["-"], name>, HelpText<help>;
class DashDash<string name, string help> : Flag<["--"], name>, HelpText<help>;
class DashDashValue<string name, string help>
    : Joined<["--"], name>, HelpText<help>;

// What comes out.
def o : JoinedOrSeparate<["-"], "o">, MetaVarName<"<file>">,
        HelpText<"Write the output to <file>; - is standard output">;
def c : Dash<"c", "Make an object file, do not link">;
def S : Dash<"S", "Make assembly text; with -emit-llvm LLVM IR text">;
def emit_cost_model : Dash<"emit-cost-model", "Make a model of what the "
  "program costs, for zpl-predict">;
def emit_llvm : Dash<"emit-llvm", "Make LLVM bitcode">;

def x : JoinedOrSeparate<["-"], "x">, MetaVarName<"<language>">,
        HelpText<"Take the inputs that follow as zpl, air or c, whatever their "
                 "names; none: by their names again">;

// What it was made of, as Make and Ninja read it.
def MD : Dash<"MD", "Write beside the output a rule for make with all files "
              "that were read">;
def MMD : Dash<"MMD", "The same, without the files of <...> and the system's "
               "headers">;
def M : Dash<"M", "Write that rule to standard output, make nothing else">;
def MM : Dash<"MM", "The same, without the files of <...> and the system's "
              "headers">;
def MF : JoinedOrSeparate<["-"], "MF">, MetaVarName<"<file>">,
         HelpText<"Write the rule to <file>">;
def MT : JoinedOrSeparate<["-"], "MT">, MetaVarName<"<target>">,
         HelpText<"Have <target> in the rule in place of the output">;
def MQ : JoinedOrSeparate<["-"], "MQ">, MetaVarName<"<target>">,
         HelpText<"The same, with what make takes for itself escaped">;
def MP : Dash<"MP", "Add an empty rule for each file but the program, so that "
              "a file may go">;

// How.
def O : Joined<["-"], "O">, MetaVarName<"<level>">,
        HelpText<"Optimize: 0, 1, 2 (the default) or 3">;
def g : Dash<"g", "Add information for debuggers">;
def march_EQ : Joined<["-"], "march=">, MetaVarName<"<cpu>">,
               HelpText<"Make code for this processor; native is the default">;
def mmachine_EQ : Joined<["-"], "mmachine=">, MetaVarName<"<file>">,
  HelpText<"Choose by the figures of this machine: a file of zpl-calibrate or "
           "the name of one that comes with zplc. The default is what was "
           "measured on this machine, else what is known of the processor">;
def print_machine : Dash<"print-machine", "Show the figures that choices are "
                         "made by, and where they come from">;
def target_EQ : DashDashValue<"target=", "Make code for this kind of machine">,
                MetaVarName<"<triple>">;
def fcheck : Dash<"fcheck", "Check at run time all that can be checked, also "
                  "what costs time: subscripts and conversions in array "
                  "statements, the default at -O0 and -O1, and whether signed "
                  "integers wrap around">;
def fno_check : Dash<"fno-check", "Check nothing, also not what is always "
                     "checked: other subscripts and integer divisions">;
def fcheck_EQ : CommaJoined<["-"], "fcheck=">, MetaVarName<"<kind>,...">,
                HelpText<"Check these, too: subscripts, elements (subscripts "
                         "in array statements), divisions, enumerations, "
                         "conversions, overflow">;
def fno_check_EQ : CommaJoined<["-"], "fno-check=">,
                   MetaVarName<"<kind>,...">, HelpText<"Do not check these">;
def freproducible : Dash<"freproducible", "Give floating sums and products "
                         "the same bits for every number of processors">;
def fno_reproducible : Dash<"fno-reproducible", "Let them be regrouped, which "
                            "is faster; the default">;
def fcount_work : Dash<"fcount-work", "Have array statements count what they "
                       "compute, for --transport=sim">;
def fno_count_work : Dash<"fno-count-work", "Count nothing; the default">;
def ftrap_nan : Dash<"ftrap-nan", "End the run at the first assignment that "
                     "makes a NaN, and say where">;
def fno_trap_nan : Dash<"fno-trap-nan", "Let NaN pass; the default">;
def fstrict_fp : Dash<"fstrict-fp", "Add up floating sums of elements in "
                      "the order of the source">;
def fno_strict_fp : Dash<"fno-strict-fp", "Let stencils be added up in the order "
                         "that shares most partial sums; the default">;
def funroll_loops : Dash<"funroll-loops", "Unroll loops with constant bounds "
  "over the members of families of arrays; the default">;
def fno_unroll_loops : Dash<"fno-unroll-loops", "Leave them loops">;
def flanes : Dash<"flanes", "Execute loops of each index on vectors of indices "
  "where that pays; the default">;
def flanes_EQ : Joined<["-"], "flanes=">, MetaVarName<"<when>">,
  HelpText<"always: even where that is slower by the model of the processor">;
def fno_lanes : Dash<"fno-lanes", "Execute them index by index">;
def tune_EQ : Joined<["--"], "tune=">, MetaVarName<"<mode>">,
  HelpText<"Keep ways of executing loops that models cannot tell apart; unless "
           "its command line says another <mode>, the program takes those of "
           "models (off), those that were measured before (models), or "
           "measures (run)">;
def ftime_steps_EQ : Joined<["-"], "ftime-steps=">, MetaVarName<"<n>">,
                     HelpText<"Run n iterations of a loop in one sweep over the "
                     "arrays where that may be; 1: none. The default is as many "
                     "as pay: of arrays larger than the caches, and between "
                     "processors, which exchange less often">;
def fstrip_rows_EQ : Joined<["-"], "fstrip-rows=">, MetaVarName<"<n>">,
                     HelpText<"Take loops that share arrays in strips of n rows "
                     "where that may be and one processor has all of them. The "
                     "default is as many as pay: of arrays larger than the "
                     "caches">;
def fdelay_updates_EQ : Joined<["-"], "fdelay-updates=">, MetaVarName<"<n>">,
  HelpText<"Let updates of a matrix by its rows and columns wait in loops of n "
           "iterations or more. The default is where it is larger than caches">;
def ffp_contract_EQ : Joined<["-"], "ffp-contract=">, MetaVarName<"<mode>">,
                      HelpText<"Whether a product and the sum it is an operand "
                      "of are rounded once: on (the default) or off">;
def fvector_math : Dash<"fvector-math", "Call SLEEF's functions, which work on "
                        "vectors, where they are faster than the C library's; "
                        "the default">;
def fno_vector_math : Dash<"fno-vector-math", "Call the C library's alone">;
def fno_pass : Joined<["-"], "fno-">, MetaVarName<"<pass>">,
               HelpText<"Leave out this optional pass over the array IR">;
def D : JoinedOrSeparate<["-"], "D">, MetaVarName<"<name>=<value>">,
        HelpText<"Take <value> as the default of config variable <name>">;
def I : JoinedOrSeparate<["-"], "I">, MetaVarName<"<dir>">,
        HelpText<"Look for included files in <dir>">;
def L : JoinedOrSeparate<["-"], "L">, MetaVarName<"<dir>">,
        HelpText<"Look for libraries in <dir>">;
def l : JoinedOrSeparate<["-"], "l">, MetaVarName<"<name>">,
        HelpText<"Link with the library <name>">;

def static : Dash<"static", "Link nothing that has to be found at run time; "
                  "transports that are loaded are then not there, and functions "
                  "are the C library's">;

def library : DashDash<"library", "Make a shared library of what the program "
                       "exports, with a C header, a Python and a Fortran "
                       "module beside it">;

// Running it at once.
def interpret : DashDash<"interpret", "Run the program without compiling it; "
                         "its own arguments follow --">;

// What is said.
def fsyntax_only : Dash<"fsyntax-only", "Check the program, make nothing">;
def W : Joined<["-"], "W">, MetaVarName<"<warning>">,
        HelpText<"Give a warning; -Wno-<warning> does not, -Werror and "
                 "-Werror=<warning> make errors of them">;
def ferror_limit_EQ : Joined<["-"], "ferror-limit=">, MetaVarName<"<n>">,
                      HelpText<"Show the first n errors, 100 without this; 0: "
                               "all">;
def fdiagnostics_format_EQ
    : Joined<["-"], "fdiagnostics-format=">, MetaVarName<"<format>">,
      HelpText<"Write errors and warnings as text, json (GCC's) or sarif "
               "(2.1.0)">;
def fcolor_diagnostics : Dash<"fcolor-diagnostics", "Show messages in colours. "
                              "The default is as the terminal has them, and "
                              "never if NO_COLOR is set">;
def fno_color_diagnostics : Dash<"fno-color-diagnostics", "Show them without">;
def v : Dash<"v", "Show the commands that are run">;
def hash_hash_hash : Dash<"###", "Show the commands, run none">;
def help : DashDash<"help", "Show this list">;
def : Flag<["-"], "help">, Alias<help>;
def : Flag<["-"], "h">, Alias<help>;
def version : DashDash<"version", "Show the version">;
def print_config : DashDash<"print-config", "Show what this zplc is made of and "
                            "where its files are">;
def print_config_EQ : DashDashValue<"print-config=", "Show one of that alone">,
                      MetaVarName<"<name>">;

// Looking inside. A dump is written to standard output; without -o, -c, -S and
// -emit-llvm the compilation then ends after the phase that was shown.
def dump_tokens : DashDash<"dump-tokens", "Show the tokens">;
def dump_ast : DashDash<"dump-ast", "Show the syntax tree">;
def dump_program : DashDash<"dump-program", "Show the checked program">;
def dump_air : DashDash<"dump-air", "Show the array IR before its passes">;
def dump_air_EQ : DashDashValue<"dump-air=", "Show the array IR after a pass">,
                  MetaVarName<"after-<pass>">;
def dump_loop_plans : DashDash<"dump-loop-plans", "Show which loops each "
                               "M-loop gets">;
def dump_llvm : DashDash<"dump-llvm", "Show the LLVM IR before optimization">;
def stop_after_EQ : DashDashValue<"stop-after=", "End after lex, parse, sema, "
                                  "arraygen, transforms or codegen">,
                    MetaVarName<"<phase>">;
def report_EQ : DashDashValue<"report=", "Write a page about the program to "
  "<file>: what its lines cost, what was done and refused. The program then "
  "writes one about its run with its own --report=<file>">,
                MetaVarName<"<file>">;
def fembed_report : Dash<"fembed-report", "Have that page's facts in the "
                         "program, for its own --report; --report= does so too">;
def fno_embed_report : Dash<"fno-embed-report", "Leave them out">;
def remarks : DashDash<"remarks", "Show what the passes did and refused, what "
                       "costs most first">;
def remarks_EQ : DashDashValue<"remarks=", "Show the remarks of one pass, or "
                               "of all in ten lines: summary">,
                 MetaVarName<"<pass>">;
def remarks_profile_EQ : DashDashValue<"remarks-profile=", "Show those first "
                                       "where a run spent most time; <file> is "
                                       "what it wrote with --profile=<file>">,
                         MetaVarName<"<file>">;
def time_phases : DashDash<"time-phases", "Show how long each phase took">;
def verify : DashDash<"verify", "Check that the diagnostics are exactly those "
                      "of the expected-error comments">;
