#!/bin/sh
# sh deploy/compose/make-env.sh [file]: generates the secrets of an installation, readable only by you. Needs openssl.
set -eu
file=${1:-$(dirname "$0")/.env}
if [ -e "$file" ]; then
  echo "$file exists and is left as it is: what was encrypted with its keys must stay readable" >&2
  exit 1
fi
command -v openssl >/dev/null || { echo 'openssl is missing' >&2; exit 1; }
umask 077
{
  echo "IDENTITY_SECRETS=$(openssl rand -hex 32)"
  echo "AUDIT_SIGNING_KEYS=$(openssl genpkey -algorithm ed25519 -outform DER | openssl base64 -A)"
  echo "WEBHOOK_ENCRYPTION_KEYS=$(openssl rand -base64 32)"
} > "$file"
echo "Made $file. Keep a copy of it apart from the database's backups."
