import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** ipaddr.js's names of the ranges, in words; what is missing here is just special. */
const WORDS: Readonly<Record<string, string>> = {
  unspecified: "an unspecified address",
  broadcast: "a broadcast address",
  multicast: "a multicast address",
  linkLocal: "a link-local address",
  loopback: "a loopback address",
  carrierGradeNat: "a carrier-grade NAT address",
  private: "a private address",
  reserved: "a reserved address",
  uniqueLocal: "a unique-local address",
  deprecatedSiteLocal: "a site-local address",
};

const OTHER_WORDS = "a special-purpose address";

/** All of IPv6 that was handed out for the public internet so far (RFC 4291, IANA's registry). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/** Where IPv6 addresses carry an IPv4 one: the prefix, and the 16-bit group at which it begins. */
const EMBEDDINGS = [
  { prefix: ipaddr.IPv6.parseCIDR("::/96"), group: 6 },
  { prefix: ipaddr.IPv6.parseCIDR("::ffff:0:0/96"), group: 6 },
  { prefix: ipaddr.IPv6.parseCIDR("::ffff:0:0:0/96"), group: 6 },
  { prefix: ipaddr.IPv6.parseCIDR("64:ff9b::/96"), group: 6 },
  { prefix: ipaddr.IPv6.parseCIDR("2002::/16"), group: 1 },
];

/** Middle of an ISATAP interface identifier (RFC 5214), whose IPv4 address follows under any prefix. */
const ISATAP_GROUP = 0x5efe;

/**
 * What kind of address that may not be reached this is, as `a loopback address`, or null when it is a public
 * one: plain global unicast. An IPv6 address that carries an IPv4 one is named after that, as
 * `a loopback address in IPv6 form`.
 */
export function addressClass(ip: string): string | null {
  if (isIP(ip) === 0) return "no IP address";
  const address = ipaddr.parse(ip);
  return address instanceof ipaddr.IPv4 ? classOfIpv4(address) : classOfIpv6(address);
}

function classOfIpv4(address: ipaddr.IPv4): string | null {
  const range = address.range();
  return range === "unicast" ? null : (WORDS[range] ?? OTHER_WORDS);
}

function classOfIpv6(address: ipaddr.IPv6): string | null {
  const range = address.range();
  if (range === "loopback" || range === "unspecified") return WORDS[range] ?? OTHER_WORDS;
  const embedded = embeddedIpv4(address);
  const embeddedClass = embedded && classOfIpv4(embedded);
  if (embeddedClass) return `${embeddedClass} in IPv6 form`;
  if (range === "unicast" && address.match(GLOBAL_UNICAST)) return null;
  return WORDS[range] ?? OTHER_WORDS;
}

function embeddedIpv4(address: ipaddr.IPv6): ipaddr.IPv4 | null {
  const isatap = address.parts[5] === ISATAP_GROUP && (address.parts[4] === 0 || address.parts[4] === 0x200);
  const group = isatap ? 6 : EMBEDDINGS.find(({ prefix }) => address.match(prefix))?.group;
  if (group === undefined) return null;
  return new ipaddr.IPv4(address.toByteArray().slice(2 * group, 2 * group + 4));
}
