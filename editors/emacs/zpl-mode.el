;;; zpl-mode.el --- A major mode for ZPL  -*- lexical-binding: t -*-

;;; Commentary:
;; (require 'zpl-mode) after adding this folder to `load-path'.

;;; Code:

(defconst zpl-keywords
  '(
    "and" "array" "at" "begin" "bread" "bwrite" "by" "config" "const"
    "constant" "continue" "direction" "distribution" "do" "domain" "downto"
    "else" "elsif" "end" "exit" "extern" "for" "free" "grid" "halt" "if" "in"
    "inout" "interleave" "not" "of" "or" "out" "procedure" "program"
    "prototype" "read" "record" "reflect" "region" "repeat" "return"
    "scaledby" "scan" "static" "swith" "swithout" "then" "to" "type" "union"
    "until" "var" "where" "while" "with" "without" "wrap" "write" "writeln"))

(defconst zpl-types
  '(
    "boolean" "char" "complex" "dcomplex" "double" "file" "float" "generic"
    "integer" "longint" "opaque" "qcomplex" "quad" "sbyte" "shortint" "string"
    "ubyte" "uinteger" "ulongint" "ushortint"))

(defconst zpl-font-lock
  `((,(regexp-opt zpl-keywords 'symbols) . font-lock-keyword-face)
    (,(regexp-opt zpl-types 'symbols) . font-lock-type-face)
    (,(regexp-opt '("true" "false") 'symbols) . font-lock-constant-face)
    ("^[ \t]*#[ \t]*include\\>" . font-lock-preprocessor-face)))

(defvar zpl-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?- ". 12b" table)
    (modify-syntax-entry ?/ ". 14" table)
    (modify-syntax-entry ?* ". 23" table)
    (modify-syntax-entry ?\n "> b" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?' "." table)
    table))

;; The enclosing region, as in `with "', and the character '"' begin no string.
(defconst zpl-syntax-propertize
  (syntax-propertize-rules
   ("\\(?:\\[\\|\\_<\\(?:of\\|in\\|s?with\\|s?without\\)\\_>[ \t]*\\)\\(\"\\)" (1 "."))
   ("'\\(\"\\)'" (1 "."))))

;;;###autoload
(define-derived-mode zpl-mode prog-mode "ZPL"
  "Major mode for ZPL."
  (setq-local font-lock-defaults '(zpl-font-lock))
  (setq-local syntax-propertize-function zpl-syntax-propertize)
  (setq-local comment-start "-- ")
  (setq-local comment-start-skip "--+[ \t]*"))

;; Files that end in .z are taken for compressed ones by default, and shown empty
;; since they are none. Those that end in .gz and .Z stay compressed ones.
(require 'jka-cmpr-hook)
(defun zpl-mode-leave-plain (info)
  "INFO of `jka-compr-compression-info-list', of .gz alone if it was of .z, too."
  (if (equal (aref info 0) "\\.g?z\\'")
      (vconcat ["\\.gz\\'"] (cdr (append info nil)))
    info))
(setq jka-compr-compression-info-list
      (mapcar #'zpl-mode-leave-plain jka-compr-compression-info-list))
(when (bound-and-true-p auto-compression-mode)
  (jka-compr-update))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.z\\'" . zpl-mode))

(provide 'zpl-mode)
;;; zpl-mode.el ends here
