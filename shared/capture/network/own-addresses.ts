import { networkInterfaces } from "node:os";
import { plainAddress } from "./address-class.ts";

/** Interfaces change with VPNs, containers and DHCP, and the system sends no notification. A read takes about 50 µs. */
const READ_INTERVAL_MS = 1_000;

let known: ReadonlySet<string> = new Set();
let readAt = Number.NEGATIVE_INFINITY;

/** Returns the addresses of this machine's network interfaces in their plain form, read again once a second. */
export function ownAddresses(): ReadonlySet<string> {
  const now = performance.now();
  if (now - readAt < READ_INTERVAL_MS) return known;
  readAt = now;
  const interfaces = Object.values(networkInterfaces()).flatMap(addresses => addresses ?? []);
  known = new Set(interfaces.map(({ address }) => plainAddress(address)));
  return known;
}
