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
make_key() { openssl genpkey -algorithm ed25519 -outform DER | openssl base64 -A; }
public_key_of() { echo "$1" | openssl base64 -d -A | openssl pkey -inform DER -pubout -outform DER | openssl base64 -A; }
{
  public_keys=
  for service in GATEWAY ACCOUNTS DECISIONS WORKFLOWS THREADS SEARCH AUDIT WEBHOOKS TRANSFER; do
    key=$(make_key)
    echo "${service}_IDENTITY_PRIVATE_KEYS=$key"
    name=$(echo "$service" | tr '[:upper:]' '[:lower:]')
    public_keys="${public_keys:+$public_keys,}$name=$(public_key_of "$key")"
  done
  echo "IDENTITY_PUBLIC_KEYS=$public_keys"
  echo "CURSOR_SECRETS=$(openssl rand -hex 32)"
  echo "AUDIT_SIGNING_KEYS=$(make_key)"
  echo "WEBHOOK_ENCRYPTION_KEYS=$(openssl rand -base64 32)"
} > "$file"
echo "Made $file. Keep a copy of it apart from the database's backups."
