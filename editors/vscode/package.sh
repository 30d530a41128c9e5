#!/bin/sh
# Makes zpl-VERSION.vsix of this folder, by npm packages that are fetched once.
set -e
cd "$(dirname "$0")"
[ -d node_modules ] || npm ci --no-audit --no-fund
exec ./node_modules/.bin/vsce package --allow-missing-repository --skip-license "$@"
