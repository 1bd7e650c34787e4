import { request as sendRequest } from "node:http";
import { type AddressPolicy, refuseUrl } from "../capture/network/address-guard.ts";
import { RefusedError } from "../capture/network/checked-connect.ts";
import { connectUrl } from "../capture/network/connect-url.ts";
import { asError } from "../errors.ts";
import { version } from "../process.ts";

const TOO_LARGE = "the response is too large";

/** A server can't be read. The message is for users. */
export class UnreadableError extends Error {
  override name = "UnreadableError";
}

export interface CheckedRequest {
  /** Decides which addresses are allowed. Null for a URL from the operator, which may have any address. */
  policy: AddressPolicy | null;
  method?: string;
  headers?: Record<string, string>;
  body?: string | undefined;
  /** Of the response. */
  maxBytes: number;
  signal: AbortSignal;
}

/**
 * Sends a request to an allowed address, and returns the response. Redirects are not followed. @throws UnreadableError;
 * the signal's reason
 */
export async function requestChecked(url: URL, options: CheckedRequest): Promise<Response> {
  const refused = options.policy && refuseUrl(url, options.policy);
  if (refused !== null) throw new UnreadableError(refused);
  try {
    return await exchange(url, options);
  } catch (error) {
    if (error instanceof UnreadableError) throw error;
    if (error instanceof RefusedError) throw new UnreadableError(error.message);
    throw options.signal.aborted ? options.signal.reason : new UnreadableError(asError(error).message);
  }
}

async function exchange(
  url: URL,
  { policy, method = "GET", headers, body, maxBytes, signal }: CheckedRequest,
): Promise<Response> {
  const socket = await connectUrl(url, { policy });
  try {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const request = sendRequest({
      createConnection: () => socket,
      method,
      path: `${url.pathname}${url.search}`,
      headers: {
        Accept: "application/json",
        ...headers,
        ...(body !== undefined && { "Content-Length": String(Buffer.byteLength(body)) }),
        Host: url.host,
        "User-Agent": `vrs/${version}`,
        Connection: "close",
      },
      signal,
    });
    request.on("error", reject);
    request.on("response", response => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maxBytes) request.destroy(new UnreadableError(TOO_LARGE));
        else chunks.push(chunk);
      });
      response.on("error", reject);
      response.on("end", () => resolve(asResponse(response, Buffer.concat(chunks))));
    });
    request.end(body);
    return await promise;
  } finally {
    socket.destroy();
  }
}

/** These statuses have no body. */
const WITHOUT_BODY = new Set([101, 204, 205, 304]);

function asResponse(
  { statusCode = 502, headers }: { statusCode?: number | undefined; headers: NodeJS.Dict<string | string[]> },
  body: Buffer,
): Response {
  const copied = new Headers();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) copied.set(name, [value].flat().join(", "));
  return new Response(WITHOUT_BODY.has(statusCode) ? null : new Uint8Array(body), {
    status: statusCode,
    headers: copied,
  });
}
