import { hostOf, portOf } from "../network/address-guard.ts";

const DEFAULT_PORTS = new Set([80, 443]);

/**
 * Returns whether a list of hosts has a URL's host. An entry is `host`, `host:port` or `*.host`, which has all names
 * below it. Without a port, an entry has the ports 80 and 443.
 */
export function isAllowedHost(url: URL, allowHosts: readonly string[]): boolean {
  const host = hostOf(url);
  const port = portOf(url);
  return allowHosts.some(entry => {
    const [, name = "", given] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (given === undefined ? !DEFAULT_PORTS.has(port) : Number(given) !== port) return false;
    return name.startsWith("*.") ? host.endsWith(name.slice(1)) : host === name;
  });
}
