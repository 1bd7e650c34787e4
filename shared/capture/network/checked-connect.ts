import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { connect as connectSocket, type Socket } from "node:net";
import { REQUEST_FAILURES } from "../texts.ts";
import { type AddressPolicy, literalAddress, refuseHost, refuseResolved } from "./address-guard.ts";

/** The address guard speaks against this host; the message says why. */
export class RefusedError extends Error {
  override name = "RefusedError";
}

/** The host may be reached but cannot be: no such name, or nobody answers. */
export class UnreachableError extends Error {
  override name = "UnreachableError";
}

/**
 * A name has no address that may be reached. Its words are the same whether it has none, or private ones, or is not
 * resolved in time: else whoever asks for pages could find out which names a private network has.
 */
export class UnresolvedError extends UnreachableError {
  override name = "UnresolvedError";
  /** Which of them it is, for the operator's log alone. */
  readonly detail: string;

  constructor(host: string, detail: string) {
    super(REQUEST_FAILURES.notPublic(host));
    this.detail = detail;
  }
}

/** All addresses of a name, best first; rejects when there are none. */
export type Resolve = (host: string) => Promise<string[]>;

/** Begins a connection to exactly this address. */
type Connect = (address: string, port: number) => Socket;

export interface ConnectOptions {
  policy: AddressPolicy;
  /** All addresses of a name; the system's resolver by default. */
  resolve?: Resolve;
  /** Told what callers must not know: why a name has no address that may be reached. For the operator's log. */
  onUnresolved?: (detail: string) => void;
  /** Begins a connection to an address that was judged already; node:net by default. */
  connect?: Connect;
}

/** Long enough for three SYNs to a far site, short enough that a page can still try its next address. */
const CONNECT_TIMEOUT_MS = 4_000;

/** A site with more addresses than this has no trouble with its first ones; bounds the wait for a dead one. */
const MAX_ADDRESSES_TRIED = 4;

/** The system's resolver. Names under localhost are loopback by RFC 6761 and never asked for. */
export const systemResolve: Resolve = async host => {
  if (host === "localhost" || host.endsWith(".localhost")) return ["127.0.0.1", "::1"];
  // IPv4 first: machines with half-configured IPv6 are common, and would wait for a timeout at every connection.
  const answers = await lookup(host, { all: true, order: "ipv4first" });
  return answers.map(answer => answer.address);
};

const systemConnect: Connect = (address, port) => connectSocket({ host: address, port, noDelay: true });

/**
 * Connects to a host after judging it: by its name and port, then by every address it resolves to. Only the
 * addresses judged here are connected to, with no second look-up between, so a name cannot change its answer
 * after the check.
 * @param host as hostOf spells it.
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
  return firstToAnswer(host, port, addresses.slice(0, MAX_ADDRESSES_TRIED), connect);
}

/** @throws RefusedError for an address that may not be reached; UnresolvedError for a name without one that may */
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

async function firstToAnswer(
  host: string,
  port: number,
  addresses: string[],
  connect: Connect,
): Promise<Socket> {
  let lastError: unknown;
  for (const address of addresses) {
    const socket = connect(address, port);
    // Nobody listens between here and the tunnel's or the agent's own handlers; an unheard error ends the process.
    socket.on("error", () => {});
    try {
      await once(socket, "connect", { signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS) });
      return socket;
    } catch (error) {
      socket.destroy();
      lastError = error;
    }
  }
  throw new UnreachableError(REQUEST_FAILURES.noAnswer(host, port, whyNoAnswer(lastError)));
}

function whyNoAnswer(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "ECONNREFUSED") return REQUEST_FAILURES.refused;
  if (code === "EHOSTUNREACH" || code === "ENETUNREACH") return REQUEST_FAILURES.noRoute;
  return REQUEST_FAILURES.connectTimeout;
}
