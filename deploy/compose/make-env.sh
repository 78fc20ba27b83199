#!/bin/sh
# sh deploy/compose/make-env.sh: generates the secrets of an installation, a file for each in deploy/compose/secrets. Those that .env has
# from an earlier version are kept. sh deploy/compose/make-env.sh <file>: writes variables to one file instead. Needs openssl.
set -eu
here=$(dirname "$0")
out=${1:-$here/secrets}
services='GATEWAY ACCOUNTS DECISIONS WORKFLOWS THREADS SEARCH AUDIT WEBHOOKS TRANSFER NOTIFICATIONS'
# NATS_URL is from when the services shared a user of NATS, and SMTP_URL was a variable before it was a file.
if [ -e "$out" ] && { [ $# -ne 0 ] || { [ ! -e "$out/NATS_URL" ] && [ -e "$out/SMTP_URL" ]; }; }; then
  echo "$out exists and is left as it is: what was encrypted with its keys must stay readable" >&2
  exit 1
fi
command -v openssl >/dev/null || { echo 'openssl is missing' >&2; exit 1; }
umask 077
make_key() { openssl genpkey -algorithm ed25519 -outform DER | openssl base64 -A; }
public_key_of() { echo "$1" | openssl base64 -d -A | openssl pkey -inform DER -pubout -outform DER | openssl base64 -A; }
# Prints the secret $1 of an earlier version, or else $2.
kept() {
  old=
  if [ $# -eq 2 ] && [ -z "${only_new:-}" ] && [ -e "$here/.env" ]; then old=$(sed -n "s/^$1=//p" "$here/.env" | tail -n 1); fi
  echo "${old:-$2}"
}
# A user of NATS for each service, and one for commands. NATS reads a password that begins with a digit as a number.
put_nats_users() {
  passwords=
  for user in OPERATOR $services; do
    password=p$(openssl rand -hex 24)
    name=$(echo "$user" | tr '[:upper:]' '[:lower:]')
    put "${user}_NATS_URL" "nats://$name:$password@nats:4222"
    passwords="$passwords${user}_NATS_PASSWORD=$password
"
  done
  put NATS_PASSWORDS "$passwords"
}
# Empty, for those who need them. Their owner writes them.
put_optional() {
  for name in OIDC_CLIENT_SECRET SMTP_URL WEBHOOK_PROXY_URL OTEL_EXPORTER_OTLP_HEADERS; do
    [ -e "$out/$name" ] || put "$name" "$(kept "$name" '')"
    chmod 644 "$out/$name"
  done
}
if [ $# -eq 0 ]; then
  # Whoever may open the folder may read the files; the containers, whose users differ, get single files.
  put() { printf %s "$2" > "$out/$1"; chmod 444 "$out/$1"; }
  if [ -e "$out" ]; then
    if [ -e "$out/NATS_URL" ]; then put_nats_users; fi
    rm -f "$out/NATS_URL" "$out/NATS_PASSWORD"
    put_optional
    echo "Added what is new to $out. Keep a copy of it apart from the database's backups."
    exit
  fi
  mkdir "$out"
else
  only_new=1
  put() { echo "$1=$2" >> "$out"; }
fi
# Those of an earlier version lack the services that it did not have.
public_keys=$(kept IDENTITY_PUBLIC_KEYS '')
for service in $services; do
  key=$(kept "${service}_IDENTITY_PRIVATE_KEYS" "$(make_key)")
  put "${service}_IDENTITY_PRIVATE_KEYS" "$key"
  name=$(echo "$service" | tr '[:upper:]' '[:lower:]')
  case ",$public_keys" in
    *",$name="*) ;;
    *) public_keys="${public_keys:+$public_keys,}$name=$(public_key_of "${key%%,*}")" ;;
  esac
done
put IDENTITY_PUBLIC_KEYS "$public_keys"
put CURSOR_SECRETS "$(kept CURSOR_SECRETS "$(openssl rand -hex 32)")"
put AUDIT_SIGNING_KEYS "$(kept AUDIT_SIGNING_KEYS "$(make_key)")"
put WEBHOOK_ENCRYPTION_KEYS "$(kept WEBHOOK_ENCRYPTION_KEYS "$(openssl rand -base64 32)")"
if [ $# -eq 0 ]; then
  mongodb=$(openssl rand -hex 24) redis=$(openssl rand -hex 24)
  put MONGODB_KEY "$(openssl rand -hex 24)"
  put MONGODB_PASSWORD "$mongodb"
  put MONGODB_URL "mongodb://waymark:$mongodb@mongo:27017/?replicaSet=rs0"
  put REDIS_PASSWORD "$redis"
  put REDIS_URL "redis://:$redis@redis:6379"
  put_nats_users
  put_optional
  : >> "$here/.env"
fi
echo "Made $out. Keep a copy of it apart from the database's backups."
