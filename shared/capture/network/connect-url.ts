import { connect as connectPlain, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { type AddressPolicy, hostOf, portOf } from "./address-guard.ts";
import { connectChecked, type Resolve } from "./checked-connect.ts";

export interface UrlConnection {
  /** Decides which private addresses are allowed. Null for a URL from the operator, which may have any address. */
  policy: AddressPolicy | null;
  /** Returns all addresses of a name. The system's resolver by default. */
  resolve?: Resolve | undefined;
  /** Called with the reason why a host name has no allowed address. Only for the operator's log. */
  onUnresolved?: ((detail: string) => void) | undefined;
}

/**
 * Connects to the server of an HTTP URL: to an address that the policy allowed, and to no other. A TLS connection may
 * still be starting.
 * @throws RefusedError, UnresolvedError
 */
export async function connectUrl(
  url: URL,
  { policy, resolve, onUnresolved }: UrlConnection,
): Promise<Socket> {
  const [host, port] = [hostOf(url), portOf(url)];
  const name = host.replace(/^\[|\]$/g, "");
  const socket = policy
    ? await connectChecked(host, port, {
        policy,
        ...(resolve && { resolve }),
        ...(onUnresolved && { onUnresolved }),
      })
    : connectPlain({ host: name, port });
  socket.on("error", () => {});
  if (url.protocol !== "https:") return socket;
  return connectTls({ socket, host: name, servername: /[:]|^[\d.]+$/.test(name) ? "" : name });
}
