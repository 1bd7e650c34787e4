# Does what the entry point of the image `postgres` does for the compose file.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  install -d -o postgres -g postgres -m 700 "$PGDATA"
  password=$(mktemp)
  printf '%s' "$POSTGRES_PASSWORD" >"$password"
  chown postgres "$password"
  setpriv --reuid postgres --regid postgres --clear-groups \
    initdb --username "$POSTGRES_USER" --pwfile "$password" --auth-local trust --auth-host scram-sha-256 --encoding UTF8
  rm "$password"
  echo "host all all all scram-sha-256" >>"$PGDATA/pg_hba.conf"
  # One statement in a server that nobody reaches, before the server starts.
  echo "CREATE DATABASE \"$POSTGRES_DB\"" | setpriv --reuid postgres --regid postgres --clear-groups \
    postgres --single -j -D "$PGDATA" postgres
fi
install -d -o postgres -g postgres -m 2775 /var/run/postgresql
exec setpriv --reuid postgres --regid postgres --clear-groups postgres -D "$PGDATA" -c listen_addresses='*'
