autocmd BufRead,BufNewFile *.z setfiletype zpl
