//===- Interpreter.h - The interpreter's state ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_INTERPRETER_H
#define ZPL_LIB_INTERPRET_INTERPRETER_H

#include "Configuration.h"
#include "Files.h"
#include "Regions.h"
#include "Values/Arithmetic.h"
#include "Values/Formats.h"
#include "zpl/Interpret/Interpret.h"
#include "llvm/ADT/DenseMap.h"
#include <array>
#include <map>
#include <memory>
#include <set>

namespace zpl::interpreter {

/// Thrown to end the run with a status.
struct EndOfRun {
  int status;
};

/// An indexed array of parallel arrays: its arrays, the last subscript fastest.
struct FamilyStorage {
  std::vector<std::pair<int64_t, int64_t>> bounds; ///< of each subscript
  std::vector<ArrayStorage *> members;
};

/// An array that follows a region variable, with the directions of its borders.
struct Follower {
  ArrayStorage *array;
  std::vector<Components> borders;
};

/// What the names of one activation of a procedure, or the global ones, stand
/// for.
struct Frame {
  llvm::DenseMap<const sema::Variable *, char *> variables;
  llvm::DenseMap<const sema::Array *, ArrayStorage *> arrays;
  llvm::DenseMap<const sema::Array *, std::shared_ptr<FamilyStorage>> families;
  llvm::DenseMap<const sema::Region *, std::shared_ptr<const Region>> regions;
  llvm::DenseMap<std::pair<const sema::Direction *, unsigned>, int64_t>
      components;
  // What it owns of that.
  std::vector<std::unique_ptr<char[]>> memory;
  std::vector<std::unique_ptr<ArrayStorage>> storage;
  Value result;                        ///< what `return` has given
  ArrayStorage *resultArray = nullptr; ///< where it puts an array
};

/// What memory of the type consists of: of regions and directions the indexed
/// array that holds them.
Type storageOf(Type type);

/// True if \p symbol, a local one, is a static variable or array.
bool isStatic(const sema::Symbol *symbol);

/// Where a place lies; `owner` holds what is nobody else's.
struct Place {
  char *address = nullptr;
  std::shared_ptr<std::vector<char>> owner;
};

/// An array expression that is about to be evaluated element by element: what
/// of it is evaluated once, for the whole region.
struct Prepared {
  Cover over;
  llvm::DenseMap<const sema::Expr *, Value> scalars;
  llvm::DenseMap<const sema::ArrayExpr *, Components> directions;
  llvm::DenseMap<const sema::ArrayExpr *, ArrayStorage *> members;
  std::vector<const sema::ArrayExpr *> targets; ///< references that are written
  /// Floods, scans, gathers ..., and in a scan block arrays of the time before
  /// it; each over a region that fits `over`.
  llvm::DenseMap<const sema::Expr *, std::unique_ptr<ArrayStorage>> arrays;
};

/// One index of such an expression.
struct At {
  const Index &index;
  const Prepared &prepared;
};

/// How a statement ends.
enum class Flow : uint8_t { Next, Exit, Continue, Return };

/// Something passed to a procedure; one member is set, by the formal.
struct Argument {
  Value value;
  Place place;
  ArrayStorage *array = nullptr;
  std::shared_ptr<FamilyStorage> family;
};

/// Executes a program.
class Interpreter {
public:
  Interpreter(const sema::Program &program, const SourceManager &sources,
              const InterpretOptions &options);
  /// Throws EndOfRun where the run ends early.
  void run();
  /// Writes out what is pending.
  void flush() { files.flush(); }
  /// Calls of the program may use so many bytes of stack from here on; more is
  /// an error of the program.
  void setStack(size_t bytes);

private:
  // Interpret.cpp: errors, memory.
  void report(SourceRange where, const std::string &message);
  [[noreturn]] void fail(SourceRange where, const std::string &message);
  void checkStack(const sema::Procedure *procedure);
  int64_t boundOf(const sema::TypeBound &bound);
  int64_t sizeOf(Type type);
  int64_t alignmentOf(Type type);
  int64_t offsetOf(const sema::TypeInfo &record, unsigned field);
  int64_t elementCount(const sema::TypeInfo &array);
  Value load(Type type, const char *address);
  void store(Type type, char *address, const Value &value);
  char *allocate(Frame &owner, int64_t size);
  const std::string *intern(std::string text);

  // Declarations.cpp.
  void declareGlobals();
  void declare(const sema::Symbol *symbol, Frame &owner);
  void declare(const sema::Variable *variable, Frame &owner);
  void declare(const sema::Array *array, Frame &owner);
  void initialize(const sema::Variable *variable);
  void initialize(const sema::Array *array, ArrayStorage &target);
  std::unique_ptr<ArrayStorage> makeArray(const std::string &name, Type element,
                                          Region declared, SourceRange where,
                                          std::vector<Region> borders = {});
  char *addressOf(const sema::Variable *variable);
  ArrayStorage &find(const sema::Array *array);

  // Families.cpp: families, and arrays over region variables.
  ArrayStorage &find(const sema::ArrayExpr *expr);
  std::vector<std::pair<int64_t, int64_t>>
  familyBounds(const sema::Array *array);
  void declareFamily(const sema::Array *array, Frame &owner);
  ArrayStorage &member(const sema::Array *array,
                       llvm::ArrayRef<const sema::Expr *> subscripts,
                       SourceRange where);
  std::shared_ptr<FamilyStorage> familyArgument(const sema::ArrayExpr *whole,
                                                const sema::Array *formal,
                                                Frame &temporaries);
  std::unique_ptr<ArrayStorage> makeDeclared(const sema::Array *array);
  std::vector<Region> bordersOf(const sema::Array *array,
                                const Region &declared);
  bool isAssigned(const sema::Expr *variable);
  void follow(const sema::Array *array, ArrayStorage &storage);
  void forgetFollowers(const Frame &ended);
  void resize(const char *variable, const Region &region, bool preserves,
              SourceRange where);
  void resizeParts(Type type, char *address, bool preserves, SourceRange where);

  // ConfigVariables.cpp.
  void configure(const sema::Variable *variable);
  std::optional<Value> literal(Type type, llvm::StringRef text);
  bool followPath(llvm::StringRef &path, Type &type, char *&address);
  [[noreturn]] void rejectSetting(const std::string &name,
                                  const std::string &why);

  // RegionExpressions.cpp: regions, scopes, legality.
  Region evaluate(const sema::RegionExpr &expr);
  Dim changed(const sema::RegionExpr &expr, const Dim &base, unsigned dim,
              int64_t component);
  Region unleveled(const sema::RegionExpr &expr);
  std::shared_ptr<const Region> share(const sema::RegionExpr &expr);
  Components evaluate(llvm::ArrayRef<const sema::Expr *> direction);
  void checkBounds(const Region &region, SourceRange where);
  const Cover &cover(unsigned rank, SourceRange where);
  /// Calls \p action with \p inner as the covering region of its rank.
  template <typename Action> auto under(Cover inner, Action action) {
    unsigned rank = inner.region->rank();
    CoverGuard guard{covers[rank], covers[rank]};
    covers[rank] = std::move(inner);
    return action();
  }
  struct CoverGuard {
    Cover &place, saved;
    ~CoverGuard() { place = saved; }
  };
  Cover masked(std::shared_ptr<const Region> region, const sema::Mask &mask);
  void checkUnshifted(const sema::ArrayExpr *expr, const ArrayStorage &array,
                      const Components &direction);
  void checkInside(const sema::ArrayExpr *expr, const ArrayStorage &array,
                   const Region &region, const Components &direction,
                   const char *verb);
  void checkWraps(const sema::ArrayExpr *expr, const ArrayStorage &array,
                  const Region &region, const Components &direction);
  void checkConforms(const Region &source, const Region &over,
                     const std::string &what, SourceRange where);

  // RegionValues.cpp: variables of regions and directions.
  Value regionValue(const sema::RegionExpr &expr);
  void checkSet(const sema::RegionExpr &expr);
  void checkComponent(int64_t value, Type type, unsigned number,
                      SourceRange where);
  Value directionValue(const sema::DirectionValueExpr *expr);
  void assign(const sema::RegionAssignStmt *stmt);

  // Expressions.cpp: values at one index, or of scalars (at null).
  Value eval(const sema::Expr *expr, const At *at = nullptr);
  Value evalBinary(const sema::BinaryExpr *expr, const At *at);
  void checkFits(const sema::Expr *expr, sema::BinaryOp op, int64_t left,
                 int64_t right);
  Value evalCompare(const sema::CompareExpr *expr, const At *at);
  Value evalBound(const sema::RegionBoundExpr *expr);
  Value evalBuiltin(const sema::BuiltinExpr *expr, const At *at);
  Place place(const sema::Expr *expr, const At *at = nullptr);
  Place element(const sema::ArrayExpr *expr, const At &at);
  Place subscripted(const sema::SubscriptExpr *expr, const At *at);
  Index shifted(const sema::ArrayExpr *expr, const ArrayStorage &array,
                const At &at);

  // ArrayExpressions.cpp: whole array expressions.
  void prepare(const sema::Expr *expr, Prepared &prepared);
  void prepareInOrder(llvm::ArrayRef<const sema::Expr *> exprs,
                      Prepared &prepared);
  void prepareTarget(const sema::Expr *place, Prepared &prepared);
  void prepareParts(const sema::Expr *place, Prepared &prepared);
  void prepareReference(const sema::ArrayExpr *expr, Prepared &prepared,
                        const char *verb);
  void prepareReferences(const sema::Expr &expr, Prepared &prepared);
  void checkReference(const sema::ArrayExpr *expr, const Prepared &prepared,
                      const char *verb);
  /// What is prepared now may have changed the regions of the targets.
  void checkTargets(const Prepared &prepared);
  void prepareCall(const sema::CallExpr *call, Prepared &prepared);
  /// The elements of \p expr where \p over admits them; zeros elsewhere.
  std::unique_ptr<ArrayStorage> materialize(const sema::Expr *expr,
                                            const Cover &over);
  std::unique_ptr<ArrayStorage> materialize(const sema::Expr *expr,
                                            const Prepared &prepared);
  /// A temporary over the region of \p over.
  std::unique_ptr<ArrayStorage> temporary(Type element, const Region &region,
                                          SourceRange where);
  void forEachAdmitted(const Prepared &prepared,
                       llvm::function_ref<void(const At &)> visit);

  // Operators.cpp: flood, gather, scatter, boundaries.
  std::unique_ptr<ArrayStorage> flood(const sema::FloodExpr *expr,
                                      const Cover &over);
  std::unique_ptr<ArrayStorage> gather(const sema::GatherExpr *expr,
                                       Prepared &prepared);
  std::vector<Index> mapped(llvm::ArrayRef<sema::Map> maps,
                            const ArrayStorage &array, const std::string &text,
                            const Prepared &prepared, SourceRange where);
  void scatter(const sema::ScatterStmt *stmt);
  void fillBoundary(const sema::BoundaryStmt *stmt);
  void fillBoundary(const sema::ArrayExpr *array, const Region &base,
                    const Components &direction, bool reflects, bool isCheck);

  // Folds.cpp: reductions and scans.
  Value reduce(const sema::ReduceExpr *expr);
  std::unique_ptr<ArrayStorage> reducePartially(const sema::ReduceExpr *expr,
                                                const Cover &over);
  std::unique_ptr<ArrayStorage> scan(const sema::ScanExpr *expr,
                                     Prepared &prepared);
  bool usesTree(sema::Reduction op, Type type, const Region &over) const;

  // UserFolds.cpp: the same by user-defined operators.
  void foldStep(const sema::UserFold &fold, const sema::CallExpr *step,
                char *state, char *before = nullptr, const At *at = nullptr);
  void prepareFold(const sema::UserFold &fold, Prepared &prepared);
  Value fold(const sema::ReduceExpr *expr);
  std::unique_ptr<ArrayStorage> foldPartially(const sema::ReduceExpr *expr,
                                              const Cover &source,
                                              const Region &kept);
  std::unique_ptr<ArrayStorage> foldScan(const sema::ScanExpr *expr,
                                         Prepared &prepared);

  // Calls.cpp.
  Value call(const sema::CallExpr *call, const At *at = nullptr);
  std::unique_ptr<ArrayStorage> callForArray(const sema::CallExpr *call);
  std::vector<Argument> arguments(const sema::CallExpr *call, const At *at,
                                  Frame &temporaries);
  Argument arrayArgument(const sema::CallExpr *call, unsigned i,
                         Frame &temporaries);
  void checkFormals(const sema::CallExpr *call,
                    llvm::ArrayRef<Argument> arguments);
  void checkFormal(const sema::Array *formal, const ArrayStorage &array,
                   const sema::Expr *argument);
  void bindBounds(const sema::Array *formal, const FamilyStorage &family);
  void checkFamily(const sema::Array *formal, const FamilyStorage &family,
                   const sema::Expr *argument);
  Value invoke(const sema::Procedure *procedure,
               llvm::ArrayRef<Argument> arguments, SourceRange where,
               ArrayStorage *resultArray = nullptr);
  void bind(const sema::Procedure *procedure,
            llvm::ArrayRef<Argument> arguments);

  // Statements.cpp.
  Flow execute(const sema::Stmt *stmt);
  Flow execute(const sema::StmtList &list);
  void assign(const sema::AssignStmt *stmt);
  void assign(const sema::ArrayAssignStmt *stmt);
  bool isOneForMany(const sema::Expr *target, const Region &over);
  void assignInTurn(const sema::Expr *target, const sema::Expr *value,
                    const Cover &over);
  void assignOver(const sema::Expr *target, const sema::Expr *value,
                  const Cover &over);
  void callStatement(const sema::CallStmt *stmt);
  Flow forLoop(const sema::ForStmt *stmt);
  Flow returnFrom(const sema::ReturnStmt *stmt);
  Flow scope(const sema::ScopeStmt *stmt);
  void checkShape(const sema::CheckShapeStmt *stmt);
  [[noreturn]] void halt(const sema::HaltStmt *stmt);

  // Waves.cpp.
  void wave(const sema::WaveStmt *stmt);
  void prepareInWave(const sema::Stmt *stmt, Prepared &prepared);
  void keepOldValues(const sema::Expr &expr, Prepared &prepared);

  // Output.cpp.
  void write(const sema::WriteStmt *stmt);
  void writeItem(const sema::WriteItem &item, int64_t file, bool binary);
  void writeArray(const sema::WriteItem &item, int64_t file, bool binary);
  void appendValue(std::string &out, Type type, const char *address,
                   const Format *format, bool isElement);
  void appendRecord(std::string &out, Type type, const char *address);
  void appendMember(std::string &out, Type type, const char *address);
  std::optional<Format> formatOf(const std::optional<std::string> &text,
                                 const sema::Expr *expr, Type type,
                                 SourceRange where);
  void checkImage(Type type, SourceRange where);
  void checkPlain(const File &file, SourceRange where);
  File &openFile(int64_t number, bool isRead, SourceRange where);

  // Input.cpp.
  void read(const sema::ReadStmt *stmt);
  void readItem(const sema::ReadItem &item, int64_t file, bool binary);
  void readValue(File &file, Type type, char *address, const Format *format,
                 SourceRange where);
  void readBytes(File &file, Type type, char *address, int64_t &done,
                 SourceRange where);
  void adopt(const File &file, Type type, char *address, int64_t offset,
             SourceRange where);

  const sema::Program &program;
  const SourceManager &sources;
  const InterpretOptions &options;
  Arithmetic arithmetic;
  Configuration configuration;
  Files files;
  uintptr_t stackEnd = 0; ///< the lowest address of a call's frame
  std::set<std::string> strings;
  std::map<const char *, std::vector<Follower>> followers;
  Frame globals;
  Frame *frame = &globals; ///< of the procedure that runs
  std::array<Cover, sema::MaxRank + 1> covers;
  bool inWave = false;        ///< a scan block is executed
  uint64_t randomNumbers = 0; ///< how often `random` was called
};

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_INTERPRETER_H
