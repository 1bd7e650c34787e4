import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { ADDRESS_KINDS, REQUEST_FAILURES } from "../texts.ts";

/** Texts by ipaddr.js's range name. A range that is missing here is a special-purpose address. */
const RANGE_TEXTS: Readonly<Record<string, string>> = ADDRESS_KINDS;

/** All of IPv6 that was assigned to the public internet so far (RFC 4291, IANA's registry). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/** Where IPv6 addresses embed an IPv4 address: the prefix, and the 16-bit group at which it begins. */
const EMBEDDINGS = [
  { prefix: ipaddr.IPv6.parseCIDR("::/96"), group: 6 },
  { prefix: ipaddr.IPv6.parseCIDR("::ffff:0:0/96"), group: 6 },
  { prefix: ipaddr.IPv6.parseCIDR("::ffff:0:0:0/96"), group: 6 },
  { prefix: ipaddr.IPv6.parseCIDR("64:ff9b::/96"), group: 6 },
  { prefix: ipaddr.IPv6.parseCIDR("2002::/16"), group: 1 },
];

/** Middle of an ISATAP interface identifier (RFC 5214). The IPv4 address follows it under any prefix. */
const ISATAP_GROUP = 0x5efe;

/**
 * Returns the kind of an address that may not be reached, as `a loopback address`. Returns null for a public one, which
 * is plain global unicast. An IPv6 address that embeds an IPv4 address is named after it, as `a loopback address in
 * IPv6 form`.
 */
export function addressClass(ip: string): string | null {
  if (isIP(ip) === 0) return ADDRESS_KINDS.none;
  const address = ipaddr.parse(ip);
  return address instanceof ipaddr.IPv4 ? classOfIpv4(address) : classOfIpv6(address);
}

/** Returns an address in the form for comparisons. IPv6 is in lower case, without `::` and without a zone. */
export function plainAddress(ip: string): string {
  return ipaddr.parse(ip.split("%", 1)[0] ?? ip).toNormalizedString();
}

/** Parses a network, as `10.1.0.0/16` or `2001:db8::/32`, or a single address. Returns null for other text. */
export function parseNetwork(text: string): Network | null {
  const isCidr = text.includes("/");
  if (isCidr ? !ipaddr.isValidCIDR(text) : isIP(text) === 0) return null;
  const [address, bits] = isCidr ? ipaddr.parseCIDR(text) : [ipaddr.parse(text), null];
  return [address, bits ?? (address.kind() === "ipv4" ? 32 : 128)];
}

/** A network's address and the length of its prefix. */
export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Returns whether an address, or the IPv4 address that it embeds, is in one of these networks. */
export function isInNetworks(ip: string, networks: readonly Network[]): boolean {
  const address = ipaddr.parse(ip);
  const embedded = address instanceof ipaddr.IPv6 ? embeddedIpv4(address) : null;
  const forms = embedded ? [address, embedded] : [address];
  return forms.some(form =>
    networks.some(([network, bits]) => form.kind() === network.kind() && form.match(network, bits)),
  );
}

function classOfIpv4(address: ipaddr.IPv4): string | null {
  const range = address.range();
  return range === "unicast" ? null : (RANGE_TEXTS[range] ?? ADDRESS_KINDS.other);
}

function classOfIpv6(address: ipaddr.IPv6): string | null {
  const range = address.range();
  if (range === "loopback" || range === "unspecified") return RANGE_TEXTS[range] ?? ADDRESS_KINDS.other;
  const embedded = embeddedIpv4(address);
  const embeddedClass = embedded && classOfIpv4(embedded);
  if (embeddedClass) return REQUEST_FAILURES.embedded(embeddedClass);
  if (range === "unicast" && address.match(GLOBAL_UNICAST)) return null;
  return RANGE_TEXTS[range] ?? ADDRESS_KINDS.other;
}

function embeddedIpv4(address: ipaddr.IPv6): ipaddr.IPv4 | null {
  const isatap = address.parts[5] === ISATAP_GROUP && (address.parts[4] === 0 || address.parts[4] === 0x200);
  const group = isatap ? 6 : EMBEDDINGS.find(({ prefix }) => address.match(prefix))?.group;
  if (group === undefined) return null;
  return new ipaddr.IPv4(address.toByteArray().slice(2 * group, 2 * group + 4));
}
