import type { Socket } from "node:net";
import type { SiteSocket } from "./tunnel-socket.ts";

/** A tunnel without bytes in either direction for this long is dead. The time limits of a page end long before. */
const IDLE_TIMEOUT_MS = 120_000;

/**
 * Passes bytes in both directions, at the pace of the slower side, until either closes. Received bytes are still
 * delivered. Call it in the tick that connected `site`, before any of its bytes can arrive.
 * @param head early bytes of the client
 */
export function joinSockets(client: Socket, site: SiteSocket, head: Buffer): void {
  if (client.destroyed) {
    site.destroy();
    return;
  }
  site.write(head);
  passOn(client, site);
  passOn(site, client);
}

function passOn(from: SiteSocket, to: SiteSocket): void {
  from.setTimeout(IDLE_TIMEOUT_MS, () => from.destroy());
  from.once("close", () => to.destroySoon());
  from.pipe(to);
}

/** Returns the URL of a CONNECT request's `host:port`, or null when it is invalid. */
export function urlOfAuthority(authority: string): URL | null {
  return /^[^\s/?#@\\]+:\d{1,5}$/.test(authority) ? URL.parse(`http://${authority}/`) : null;
}
