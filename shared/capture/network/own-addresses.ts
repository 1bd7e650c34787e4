import { networkInterfaces } from "node:os";
import { plainAddress } from "./address-class.ts";

/** Interfaces come and go with VPNs, containers and DHCP, and the system sends no word of it. A read takes some 50 µs. */
const READ_EVERY_MS = 1_000;

let known: ReadonlySet<string> = new Set();
let readAt = Number.NEGATIVE_INFINITY;

/** The addresses of this machine's network interfaces, each in its plain form; read again once a second. */
export function ownAddresses(): ReadonlySet<string> {
  const now = performance.now();
  if (now - readAt < READ_EVERY_MS) return known;
  readAt = now;
  const interfaces = Object.values(networkInterfaces()).flatMap(addresses => addresses ?? []);
  known = new Set(interfaces.map(({ address }) => plainAddress(address)));
  return known;
}
