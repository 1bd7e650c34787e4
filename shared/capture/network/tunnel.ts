import type { Socket } from "node:net";

/** No bytes either way for this long and a tunnel is dead; a page's own time limits end long before. */
const IDLE_TIMEOUT_MS = 120_000;

/**
 * Passes bytes both ways, at the pace of the slower side, until either closes; what was received is still
 * handed on. Call it in the tick that connected `site`, before any of its bytes can arrive.
 * @param head what the client sent early.
 */
export function joinSockets(client: Socket, site: Socket, head: Buffer): void {
  if (client.destroyed) {
    site.destroy();
    return;
  }
  site.write(head);
  passOn(client, site);
  passOn(site, client);
}

function passOn(from: Socket, to: Socket): void {
  from.setTimeout(IDLE_TIMEOUT_MS, () => from.destroy());
  from.once("close", () => to.destroySoon());
  from.pipe(to);
}

/** The URL that a CONNECT request's `host:port` stands for, or null when it is none. */
export function urlOfAuthority(authority: string): URL | null {
  return /^[^\s/?#@\\]+:\d{1,5}$/.test(authority) ? URL.parse(`http://${authority}/`) : null;
}
