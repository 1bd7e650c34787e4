#!/bin/sh
# Makes docker/.env with secrets of its own for the compose file; keeps one that is there.
set -eu
file=$(dirname "$0")/.env
if [ -e "$file" ]; then
  echo "$file is there already; nothing was changed." >&2
  exit 1
fi
random() { od -An -v -tx1 -N "$1" /dev/urandom | tr -d ' \n'; }
umask 077
cat >"$file" <<END
# Secrets of this installation: keep a copy with its backups.
POSTGRES_PASSWORD=p$(random 24)
NATS_CORE_PASSWORD=n$(random 24)
NATS_WORKER_PASSWORD=n$(random 24)
NATS_MONITOR_PASSWORD=n$(random 24)
NATS_STORE_KEY=n$(random 32)
GARAGE_RPC_SECRET=$(random 32)
S3_ACCESS_KEY=GK$(random 16)
S3_SECRET_KEY=$(random 32)

# Encrypts request headers and alert channels in the database. Without it they can't be read any more.
SERVICE_SECRET_KEY=$(random 32)

# The first admin API key of the service.
SERVICE_BOOTSTRAP_KEY=vrs_$(random 24)

# The address that people and links use.
SERVICE_BASE_URL=http://localhost:4400
# Where the gateway listens on this machine.
VRS_LISTEN=127.0.0.1:4400
END
echo "Made $file."
