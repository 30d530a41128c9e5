# Completion for bash of zplc and its tools. Options are those that the program
# lists itself, so they are never out of date.

# The options of a program, one a line, up to where their value begins.
_zpl_options() {
  "$1" --help 2>/dev/null | sed -n 's/^  \(-[^ <[]*\).*/\1/p' | sort -u
}

# What --help says that an option takes: "<when>" words that are named there.
_zpl_values() {
  case $1 in
  -O) echo 0 1 2 3 ;;
  -x) echo zpl air c none ;;
  -ffp-contract=) echo on off ;;
  -flanes=) echo always ;;
  --tune=) echo off models run ;;
  -fcheck= | -fno-check=) echo subscripts elements divisions enumerations conversions overflow ;;
  -fdiagnostics-format=) echo text json sarif ;;
  --stop-after=) echo lex parse sema arraygen transforms codegen ;;
  --print-config=) zplc --print-config 2>/dev/null | sed 's/:.*//' ;;
  esac
}

_zplc() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} program=${COMP_WORDS[0]}
  # Words are split at '=': --name = value.
  local name=
  [ "$word" = = ] && word= name=$before=
  [ "$before" = = ] && name=${COMP_WORDS[COMP_CWORD - 2]}=
  [ "$before" = -x ] && name=-x
  if [ -n "$name" ]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_zpl_values "$name")" -- "$word")
    [ ${#COMPREPLY[@]} -gt 0 ] || mapfile -t COMPREPLY < <(compgen -f -- "$word")
    return
  fi
  case $word in
  -*)
    mapfile -t COMPREPLY < <(compgen -W "$(_zpl_options "$program")" -- "$word")
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
    ;;
  *)
    mapfile -t COMPREPLY < <(
      compgen -d -- "$word"
      compgen -f -- "$word" | grep -E '\.(z|air|c|o|a|so)$'
    )
    compopt -o filenames 2>/dev/null
    ;;
  esac
  return 0
}

complete -F _zplc zplc zpl-format zpl-lsp zpl-calibrate
