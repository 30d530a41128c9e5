;; Prints the faces that zpl-mode gives to a file: emacs --batch -l this MODE FILE
(load (pop command-line-args-left) nil t)
(find-file (pop command-line-args-left))
(princ (format "mode %s\n" major-mode))
(font-lock-ensure)
(goto-char (point-min))
(while (not (eobp))
  (let ((face (get-text-property (point) 'face))
        (from (point)))
    (goto-char (or (next-single-property-change from 'face) (point-max)))
    (when face
      (princ (format "%s  %s\n" (string-trim (buffer-substring-no-properties from (point)))
                     face)))))
