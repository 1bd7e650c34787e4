#!/bin/sh
# Writes docker/.env with its own secrets for the Compose file. Keeps existing values, and adds missing ones.
set -eu
file=$(dirname "$0")/.env
random() { od -An -v -tx1 -N "$1" /dev/urandom | tr -d ' \n'; }
umask 077
made=$(mktemp)
trap 'rm -f "$made"' EXIT
cat >"$made" <<END
# Secrets of this installation: keep a copy with its backups.
POSTGRES_PASSWORD=p$(random 24)
NATS_CORE_PASSWORD=n$(random 24)
NATS_DIFFER_PASSWORD=n$(random 24)
NATS_RENDERER_1_PASSWORD=n$(random 24)
NATS_RENDERER_2_PASSWORD=n$(random 24)
NATS_RENDERER_3_PASSWORD=n$(random 24)
NATS_RENDERER_4_PASSWORD=n$(random 24)
NATS_MONITOR_PASSWORD=n$(random 24)
NATS_STORE_KEY=n$(random 32)
GARAGE_RPC_SECRET=$(random 32)
S3_ACCESS_KEY=GK$(random 16)
S3_SECRET_KEY=$(random 32)

# Encrypts secrets in the database. Without it, nobody can read them again.
SERVICE_SECRET_KEY=$(random 32)

# The first admin API key of the service.
SERVICE_BOOTSTRAP_KEY=vrs_$(random 24)

# The address that people and links use.
SERVICE_BASE_URL=http://localhost:4400
# Where the gateway listens on this machine.
VRS_LISTEN=127.0.0.1:4400
END
if [ ! -e "$file" ]; then
  cat "$made" >"$file"
  echo "Wrote $file."
  exit 0
fi
grep '=' "$made" | while IFS= read -r line; do
  grep -q "^${line%%=*}=" "$file" || {
    echo "$line" >>"$file"
    echo "Added ${line%%=*} to $file."
  }
done
