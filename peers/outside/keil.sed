# From the syntax of Keil's assembler to GNU's: tools/outside.py runs it on files that a
# repository has only in the first.
s/\r$//
s/;/@/
s/^[[:space:]]*(area .*|gbla .*|frame .*)$//
s/^[[:space:]]*align 4/.p2align 2/
s/^[[:space:]]*export /.global /
s/^([A-Za-z0-9_]+) seta /.set \1, /
s/^[[:space:]]*(if|else|endif|end)\>/.\1/
s/^([0-9]+)$/\1:/
s/%([bf])([0-9]+)/\2\1/
/^[A-Za-z0-9_]+ proc/{
    s/ proc.*//
    h
    s/(.*)/.type \1, %function\n\1:/
}
/^[[:space:]]*endp/{
    g
    s/(.*)/.size \1, . - \1/
}
1i\
.syntax unified\
.thumb
