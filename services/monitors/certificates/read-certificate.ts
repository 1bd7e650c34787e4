import { once } from "node:events";
import { connect, type TLSSocket } from "node:tls";
import { type AddressPolicy, hostOf, portOf } from "../../../shared/capture/network/address-guard.ts";
import { connectChecked } from "../../../shared/capture/network/checked-connect.ts";

const TIMEOUT_MS = 10_000;
const DAY_MS = 86_400_000;
const ISSUER_CHARS = 200;

/** The certificate that a site presents. */
export interface SiteCertificate {
  expiresAt: Date;
  lifetimeDays: number;
  issuer: string;
  /** Code of why clients refuse it. Null for a valid one. */
  error: string | null;
}

/**
 * Reads the certificate of an https site, also an expired or self-signed one. It connects only to addresses that the
 * policy allows, and sends nothing.
 * @throws RefusedError, UnreachableError, or Error for a site without TLS
 */
export async function readCertificate(url: URL, policy: AddressPolicy): Promise<SiteCertificate> {
  const host = hostOf(url);
  const name = host.replace(/^\[|\]$/g, "");
  const plain = await connectChecked(host, portOf(url), { policy });
  plain.on("error", () => {});
  const isAddress = /:|^[\d.]+$/.test(name);
  // An invalid certificate is what users want to know about. No data is exchanged.
  const socket = connect({
    ...{ socket: plain, rejectUnauthorized: false },
    ...(isAddress ? { host: name } : { servername: name }),
  });
  try {
    await once(socket, "secureConnect", { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return certificateOf(socket);
  } finally {
    socket.destroy();
    plain.destroy();
  }
}

function certificateOf(socket: TLSSocket): SiteCertificate {
  const { valid_from: from, valid_to: to, issuer } = socket.getPeerCertificate();
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const named = [issuer?.O ?? issuer?.CN ?? ""].flat().join(" ");
  return {
    expiresAt: new Date(end),
    lifetimeDays: Math.round((end - start) / DAY_MS),
    issuer: named.replaceAll(/\p{Cc}/gu, " ").slice(0, ISSUER_CHARS),
    error: socket.authorized ? null : String(socket.authorizationError ?? ""),
  };
}
