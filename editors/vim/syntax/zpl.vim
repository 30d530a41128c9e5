" Vim syntax for ZPL. Copy this folder into ~/.vim or a package.
if exists("b:current_syntax")
  finish
endif

syntax keyword zplKeyword and array at begin bread bwrite by config const
syntax keyword zplKeyword constant continue direction distribution do domain
syntax keyword zplKeyword downto else elsif end exit extern for free grid halt
syntax keyword zplKeyword if in inout interleave not of or out procedure
syntax keyword zplKeyword program prototype read record reflect region repeat
syntax keyword zplKeyword return scaledby scan static swith swithout then to
syntax keyword zplKeyword type union until var where while with without wrap
syntax keyword zplKeyword write writeln
syntax keyword zplType boolean char complex dcomplex double file float generic
syntax keyword zplType integer longint opaque qcomplex quad sbyte shortint
syntax keyword zplType string ubyte uinteger ulongint ushortint
syntax keyword zplConstant true false
syntax match zplNumber "\<\d\+\(\.\d\+\)\?\([eE][+-]\?\d\+\)\?\>"
syntax match zplNumber "\<0x\x\+\>"
syntax match zplOperator "@^\?\|#\|>>\|<<\|||"
syntax region zplString start=+"+ skip=+\\.+ end=+"+ oneline
" The enclosing region, as in `with "`, begins no string.
syntax match zplOperator +\(\[\|\<\%(of\|in\|s\?with\|s\?without\)\>\s*\)\@<="+
syntax match zplCharacter +'\([^\\']\|\\[^']*\)'+
syntax match zplInclude "^\s*#\s*include\>.*"
syntax match zplComment "--.*$" contains=@Spell
syntax region zplComment start="/\*" end="\*/" contains=@Spell

highlight default link zplKeyword Keyword
highlight default link zplType Type
highlight default link zplConstant Constant
highlight default link zplNumber Number
highlight default link zplOperator Operator
highlight default link zplString String
highlight default link zplCharacter Character
highlight default link zplInclude Include
highlight default link zplComment Comment

let b:current_syntax = "zpl"
