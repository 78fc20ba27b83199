#!/bin/sh
# Makes public/assets/inter-<hash>.woff2 and public/inter-license.txt: Inter with Latin, Latin Extended-A and
# punctuation, weights 400 to 700, in the optical size of text. Needs npm and python3.
set -eu
public="$(cd "$(dirname "$0")/../public" && pwd)"
cd "$(mktemp -d)"
npm pack --silent inter-ui@4.1.1 >&2
tar -xzf inter-ui-4.1.1.tgz
python3 -m venv tools
tools/bin/pip install --quiet fonttools==4.60.1 brotli==1.1.0
tools/bin/fonttools varLib.instancer --quiet --no-recalc-timestamp --output=text.ttf \
  package/variable/InterVariable.woff2 opsz=14 wght=400:700
tools/bin/pyftsubset text.ttf --output-file=inter.woff2 --flavor=woff2 --layout-features=kern,ccmp,locl,mark,tnum \
  --unicodes='U+20-7E,U+A0-17F,U+192,U+218-21B,U+237,U+2C6,U+2C7,U+2D8-2DD,U+1E9E,U+2010-2015,U+2018-201E,U+2020-2022,U+2026,U+202F,U+2030,U+2032,U+2033,U+2039,U+203A,U+2044,U+20AC,U+2122,U+2190-2193,U+2212,U+2248,U+2260,U+2264,U+2265,U+2318'
hash="$(sha256sum inter.woff2 | cut -c 1-8)"
mkdir -p "$public/assets"
rm -f "$public"/assets/inter-*.woff2
cp inter.woff2 "$public/assets/inter-$hash.woff2"
cp package/LICENSE.txt "$public/inter-license.txt"
echo "inter-$hash.woff2: $(wc -c < inter.woff2) bytes; write this name into src/app/font.ts and apps/docs/src/layout.ts"
