import { isIP } from "node:net";
import { REQUEST_FAILURES } from "../texts.ts";
import { addressClass, isInNetworks, type Network, parseNetwork, plainAddress } from "./address-class.ts";
import { ownAddresses } from "./own-addresses.ts";

/** Private addresses that may be reached. `addressPolicy` creates it. */
export interface AddressPolicy {
  /** `host` or `host:port` as a URL spells them: lower case, numeric hosts dotted, IPv6 in brackets. */
  readonly allowed: ReadonlySet<string>;
  /** Networks that are refused although they are public. */
  readonly denied: readonly Network[];
  /** Returns the current addresses of this machine, in their plain form. */
  own(): ReadonlySet<string>;
  /** Whether every host and port may be reached. */
  readonly everything?: true;
}

/** Refuses nothing. It is for a tool on its user's own machine, from which the user can reach any host anyway. */
export const ANY_ADDRESS: AddressPolicy = {
  allowed: new Set(),
  denied: [],
  own: () => new Set(),
  everything: true,
};

/** Names of this machine and of cloud metadata services, refused before any name is resolved. */
const REFUSED_NAMES = new Set(["localhost", "localhost.localdomain", "metadata", "metadata.google.internal"]);

/**
 * What an allowed name may resolve to: the operator's own networks. Link-local is never among them, because metadata
 * services are there.
 */
const OPENED_BY_NAME = new Set([
  "a loopback address",
  "a private address",
  "a unique-local address",
  "a carrier-grade NAT address",
  "an address of this machine",
]);

/** Judges an address by its kind only, wherever this machine runs. */
const NOTHING_ALLOWED: AddressPolicy = { allowed: new Set(), denied: [], own: () => new Set() };

const FIRST_UNPRIVILEGED_PORT = 1024;
const LAST_PORT = 65_535;

/**
 * Returns the policy of an allow-list with entries `host` or `host:port`, also `[::1]:3000`.
 *
 * An entry applies to the host exactly as a URL spells it: `localhost:3000` allows neither 127.0.0.1:3000 nor
 * localhost:5432. Without a port, it allows every port that can serve pages: 80, 443, 1024 and above. With a port, it
 * allows only that port. The name may then resolve to loopback, private, unique-local and carrier-grade NAT addresses,
 * and to this machine's own. Other special addresses stay refused. An entry that is an address allows only that
 * address, whatever its kind.
 * @param denyNetworks networks as `203.0.113.0/24` that are refused although they are public
 * @param own the addresses of this machine, which are refused although they are public
 * @throws Error that names the first bad entry
 */
export function addressPolicy(
  allowHosts: readonly string[],
  denyNetworks: readonly string[] = [],
  own: () => ReadonlySet<string> = ownAddresses,
): AddressPolicy {
  return { allowed: new Set(allowHosts.map(canonicalEntry)), denied: denyNetworks.map(deniedNetwork), own };
}

function deniedNetwork(entry: string): Network {
  const network = parseNetwork(entry);
  if (network) return network;
  throw new Error(`"${entry}" is not an address or a network such as 203.0.113.0/24 or 2001:db8::/32`);
}

function canonicalEntry(entry: string): string {
  const [, host, port] =
    /^(\[[^\]]+\]|[^\s:/?#@[\]\\*%]+)(?::(\d{1,5}))?$/.exec(isIP(entry) === 6 ? `[${entry}]` : entry) ?? [];
  const url = host === undefined ? null : URL.parse(`http://${host}/`);
  if (!url || Number(port ?? 1) < 1 || Number(port ?? 1) > LAST_PORT) {
    throw new Error(`"${entry}" is not a valid host or host:port`);
  }
  return port === undefined ? hostOf(url) : `${hostOf(url)}:${Number(port)}`;
}

/** Returns a URL's host without trailing dots, which mean the same name. IPv6 keeps its brackets. */
export function hostOf(url: URL): string {
  return url.hostname.toLowerCase().replace(/\.+$/, "");
}

/** Returns a URL's port, or the default port of its scheme. */
export function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" || url.protocol === "wss:" ? 443 : 80;
}

/** Returns why an address may not be reached, as `127.0.0.1 is a loopback address`; null for a public one. */
export function refuseAddress(ip: string, policy: AddressPolicy = NOTHING_ALLOWED): string | null {
  const kind = refusedClass(ip, policy);
  return kind === null ? null : REQUEST_FAILURES.is(ip, kind);
}

/**
 * Returns the kind of an address that may not be reached. Returns null for a public one that is not this machine's and
 * not denied.
 */
function refusedClass(ip: string, { denied, own }: AddressPolicy): string | null {
  const kind = addressClass(ip);
  if (kind !== null) return kind;
  if (isInNetworks(ip, denied)) return REQUEST_FAILURES.deniedNetwork;
  return own().has(plainAddress(ip)) ? "an address of this machine" : null;
}

/**
 * Returns why nothing at this host and port may be reached, judged by the text of the host. Returns null for an allowed
 * or public address. Returns null for a name too, which refuseResolved judges once it is resolved.
 */
export function refuseHost(host: string, port: number, policy: AddressPolicy): string | null {
  if (isAllowed(host, port, policy)) return null;
  if (!isPagePort(port)) return REQUEST_FAILURES.port(port);
  const address = literalAddress(host);
  if (address !== null) return refuseAddress(address, policy);
  if (host === "") return REQUEST_FAILURES.noHost;
  if (REFUSED_NAMES.has(host) || host.endsWith(".localhost")) return REQUEST_FAILURES.privateName(host);
  return null;
}

/**
 * Returns why the addresses of a host may not be reached. One bad address refuses the name, because a site that mixes
 * public and private addresses targets the private one. The text omits the address, because the user may not be
 * entitled to know the operator's network.
 */
export function refuseResolved(
  host: string,
  port: number,
  addresses: readonly string[],
  policy: AddressPolicy,
): string | null {
  const allowed = isAllowed(host, port, policy);
  if (policy.everything || (allowed && literalAddress(host) !== null)) return null;
  for (const address of addresses) {
    const kind = refusedClass(address, policy);
    if (kind !== null && !(allowed && OPENED_BY_NAME.has(kind)))
      return REQUEST_FAILURES.privateAddress(host, kind);
  }
  return null;
}

/**
 * Returns why this URL may not be rendered, judged by its scheme, credentials, host and port; null when nothing refuses
 * it. The proxy still has to resolve a name, and refuses private addresses.
 */
export function refuseUrl(url: URL, policy: AddressPolicy): string | null {
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return REQUEST_FAILURES.scheme(url.protocol);
  }
  if (url.username !== "" || url.password !== "") return REQUEST_FAILURES.credentials;
  return refuseHost(hostOf(url), portOf(url), policy);
}

/**
 * Returns why the URL of a deployment preview may not be rendered. It is as refuseUrl, but requires https: and allows
 * nothing private.
 */
export function refusePreviewUrl(url: URL): string | null {
  if (url.protocol !== "https:") return REQUEST_FAILURES.previewScheme(url.protocol);
  return refuseUrl(url, NOTHING_ALLOWED);
}

/** Returns the address in a URL's host, without brackets; null for a name. */
export function literalAddress(host: string): string | null {
  const bare = host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
  return isIP(bare) === 0 ? null : bare;
}

function isAllowed(host: string, port: number, { allowed, everything }: AddressPolicy): boolean {
  if (everything) return true;
  return allowed.has(`${host}:${port}`) || (allowed.has(host) && isPagePort(port));
}

function isPagePort(port: number): boolean {
  return port === 80 || port === 443 || (port >= FIRST_UNPRIVILEGED_PORT && port <= LAST_PORT);
}
