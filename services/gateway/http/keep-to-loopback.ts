import type { Server } from "node:http";
import { BlockList, isIPv6 } from "node:net";

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

/**
 * Makes a server close every connection to an address other than loopback. The server listens on all addresses,
 * because `localhost` is 127.0.0.1 on some machines and ::1 on others.
 */
export function keepToLoopback(server: Server): void {
  server.prependListener("connection", socket => {
    const { localAddress = "" } = socket;
    if (!LOOPBACK.check(localAddress, isIPv6(localAddress) ? "ipv6" : "ipv4")) socket.destroy();
  });
}
