import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { connect as connectSocket, type Socket } from "node:net";
import { REQUEST_FAILURES } from "../texts.ts";
import { type AddressPolicy, literalAddress, refuseHost, refuseResolved } from "./address-guard.ts";

/** The address guard refuses this host. The message says why. */
export class RefusedError extends Error {
  override name = "RefusedError";
}

/** The host is allowed but can't be reached: the name does not exist, or the host does not respond. */
export class UnreachableError extends Error {
  override name = "UnreachableError";
}

/**
 * A name has no address that may be reached. The message is the same for a name without addresses, with private ones,
 * and for a lookup timeout. Otherwise users could find out which names a private network has.
 */
export class UnresolvedError extends UnreachableError {
  override name = "UnresolvedError";
  /** Which of these it is, for the operator's log only. */
  readonly detail: string;

  constructor(host: string, detail: string) {
    super(REQUEST_FAILURES.notPublic(host));
    this.detail = detail;
  }
}

/** Returns all addresses of a name, best first; rejects when there are none. */
export type Resolve = (host: string) => Promise<string[]>;

/** Opens a connection to exactly this address. */
type Connect = (address: string, port: number) => Socket;

export interface ConnectOptions {
  policy: AddressPolicy;
  /** Returns all addresses of a name; the system's resolver by default. */
  resolve?: Resolve;
  /** Called with why a name has no allowed address. It is for the operator's log; callers must not see it. */
  onUnresolved?: (detail: string) => void;
  /** Opens a connection to an address that was checked already; node:net by default. */
  connect?: Connect;
}

/** Long enough for three SYNs to a remote site, and short enough that a page can still try its next address. */
const CONNECT_TIMEOUT_MS = 4_000;

/** A site with more addresses than this has working ones among the first. It limits the wait for a dead site. */
const MAX_ADDRESSES_TRIED = 4;

/** Resolves with the system's resolver. Names under localhost are loopback by RFC 6761 and are never looked up. */
export const systemResolve: Resolve = async host => {
  if (host === "localhost" || host.endsWith(".localhost")) return ["127.0.0.1", "::1"];
  // IPv4 comes first. Machines with a half-configured IPv6 are common and would wait for a timeout at each connection.
  const results = await lookup(host, { all: true, order: "ipv4first" });
  return results.map(result => result.address);
};

const systemConnect: Connect = (address, port) => connectSocket({ host: address, port, noDelay: true });

/**
 * Connects to a host after it checked the name and port, and then every resolved address. It connects only to addresses
 * that were checked, without a second lookup. So a name can't change its address after the check.
 * @param host as hostOf spells it
 * @throws RefusedError, UnreachableError
 */
export async function connectChecked(
  host: string,
  port: number,
  { policy, resolve = systemResolve, connect = systemConnect, onUnresolved = () => {} }: ConnectOptions,
): Promise<Socket> {
  const refusedByName = refuseHost(host, port, policy);
  if (refusedByName !== null) throw new RefusedError(refusedByName);
  const addresses = await resolveChecked(host, port, policy, resolve).catch((error: unknown) => {
    if (error instanceof UnresolvedError) onUnresolved(error.detail);
    throw error;
  });
  return connectToFirst(host, port, addresses.slice(0, MAX_ADDRESSES_TRIED), connect);
}

/** @throws RefusedError for an address that may not be reached; UnresolvedError for a name without an allowed one */
async function resolveChecked(
  host: string,
  port: number,
  policy: AddressPolicy,
  resolve: Resolve,
): Promise<string[]> {
  const addresses = await addressesOf(host, resolve);
  const refused = refuseResolved(host, port, addresses, policy);
  if (refused === null) return addresses;
  throw literalAddress(host) === null ? new UnresolvedError(host, refused) : new RefusedError(refused);
}

async function addressesOf(host: string, resolve: Resolve): Promise<string[]> {
  const literal = literalAddress(host);
  if (literal !== null) return [literal];
  const addresses = await resolve(host).catch((error: unknown) => {
    if (error instanceof UnreachableError) throw error;
    return [];
  });
  if (addresses.length === 0) throw new UnresolvedError(host, REQUEST_FAILURES.notFound(host));
  return addresses;
}

async function connectToFirst(
  host: string,
  port: number,
  addresses: string[],
  connect: Connect,
): Promise<Socket> {
  let lastError: unknown;
  for (const address of addresses) {
    const socket = connect(address, port);
    // There is no other listener until the tunnel or the agent adds its own. An unhandled error ends the process.
    socket.on("error", () => {});
    try {
      await once(socket, "connect", { signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS) });
      return socket;
    } catch (error) {
      socket.destroy();
      lastError = error;
    }
  }
  throw new UnreachableError(REQUEST_FAILURES.noResponseFrom(host, port, whyNoResponse(lastError)));
}

function whyNoResponse(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "ECONNREFUSED") return REQUEST_FAILURES.refused;
  if (code === "EHOSTUNREACH" || code === "ENETUNREACH") return REQUEST_FAILURES.noRoute;
  return REQUEST_FAILURES.connectTimeout;
}
