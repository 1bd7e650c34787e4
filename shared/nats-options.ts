import type { ConnectionOptions } from "nats";

/**
 * What a connection to these servers needs: addresses, who we are, TLS where one of them asks for it.
 * User and password, or a token alone, are those of the first address that has any.
 * Such a connection looks for its servers for ever, and notices in half a minute that the other side is gone without a word.
 */
export function natsOptions(urls: string[], name: string): ConnectionOptions {
  const parsed = urls.map(url => new URL(url));
  const known = parsed.find(url => url.username !== "");
  return {
    name,
    servers: parsed.map(url => url.host),
    ...credentials(known),
    ...(parsed.some(url => url.protocol === "tls:") && { tls: {} }),
    maxReconnectAttempts: -1,
    reconnectTimeWait: 500,
    // Accounts may be read in later than the server starts.
    ignoreAuthErrorAbort: true,
    pingInterval: 10_000,
    maxPingOut: 2,
  };
}

function credentials(url: URL | undefined): Pick<ConnectionOptions, "user" | "pass" | "token"> {
  if (!url) return {};
  const user = decodeURIComponent(url.username);
  return url.password === "" ? { token: user } : { user, pass: decodeURIComponent(url.password) };
}
