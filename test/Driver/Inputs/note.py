"""note.py ROOT [VERSION]: C text of the note that a transport plug-in has, of the
runtime's own version unless another one is given."""
import re
import sys

with open(f"{sys.argv[1]}/runtime/lib/Transport/Plugin.h", encoding="utf-8") as file:
    own = re.search(r"PluginVersion = (\d+);", file.read())[1]
version = sys.argv[2] if len(sys.argv) > 2 else own
print(f"""__attribute__((section(".note.zrt"), used, aligned(4)))
static const struct {{
  unsigned ownerSize, versionSize, type;
  char owner[4];
  int version;
}} note = {{4, 4, 1, "ZRT", {version}}};""")
