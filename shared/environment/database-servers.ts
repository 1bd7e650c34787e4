/** Values of `target_session_attrs` that mean the server that accepts writes. */
const WRITABLE = new Set(["read-write", "primary"]);
/** As in URLs, the last @ ends the password, which may have others. */
const FORM = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)((?:\/[^?#]*)?)(?:\?([^#]*))?$/i;

/**
 * Returns one URL for each server of a DATABASE_URL such as `postgres://user@a,b:5433/vrs`, in order. Null if it
 * is not valid. The option `target_session_attrs` is left out, because several servers always mean the writable one.
 */
export function databaseServers(url: string): string[] | null {
  const [, start, hosts, path, query] = FORM.exec(url) ?? [];
  if (start === undefined || hosts === undefined || path === undefined) return null;
  const options = new URLSearchParams(query);
  // A socket's folder may be in the option `host` instead.
  if (hosts.split(",").includes("") && (hosts !== "" || !options.has("host"))) return null;
  const wanted = options.get("target_session_attrs");
  if (wanted !== null && !WRITABLE.has(wanted)) return null;
  options.delete("target_session_attrs");
  const end = query === undefined || options.size === 0 ? path : `${path}?${options}`;
  const servers = hosts.split(",").map(host => `${start}${host}${end}`);
  return servers.every(server => URL.canParse(server)) ? servers : null;
}
