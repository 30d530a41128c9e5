"""Drops declarations that a program does not use."""
from dataclasses import replace

from . import model as m


def prune(p):
    """Until nothing changes, for what is dropped may have used something."""
    while True:
        used = names(p)
        smaller = replace(
            p, configs=keep(p.configs, used), dirs=keep(p.dirs, used),
            regions=keep(p.regions, used), arrays=keep(p.arrays, used),
            scalars=keep(p.scalars, used), lists=keep(p.lists, used), procs=tuple(
                replace(q, locals=keep(q.locals, names(q.body) | locals_used(q)))
                for q in keep(p.procs, used)))
        if smaller == p:
            return p
        p = smaller


def keep(decls, used):
    return tuple(d for d in decls if d.name in used)


def locals_used(proc):
    """What declarations of locals use of each other."""
    return {n for d in proc.locals for n in names(d)}


def names(root):
    """All names that are used below a node; a procedure's own name is no use."""
    found = set()
    todo = [root]
    while todo:
        node = todo.pop()
        inner = list(m.children(node))
        if isinstance(node, (m.Name, m.Arr, m.Call, m.CallS, m.DirName, m.RegName,
                             m.Elem, m.Whole, m.Size, m.Resize, m.Split)):
            found.add(node.name)
        elif isinstance(node, (m.For, m.Count, m.ShFor, m.ShLoop)):
            found.add(node.var)
        elif isinstance(node, m.Edge):
            found |= set(node.names)
        elif isinstance(node, m.ArrDecl):
            found.add(node.region)
        elif isinstance(node, m.Assign):
            found.add(node.fix)
        elif isinstance(node, m.Proc):
            found |= {n for part in inner for n in names(part)} - {node.name}
            inner = []
        todo += inner
    return found
