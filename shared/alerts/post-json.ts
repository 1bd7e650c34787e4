import { request as sendRequest } from "node:http";
import type { Socket } from "node:net";
import { type AddressPolicy, refuseUrl } from "../capture/network/address-guard.ts";
import { RefusedError, type Resolve, UnresolvedError } from "../capture/network/checked-connect.ts";
import { connectUrl } from "../capture/network/connect-url.ts";
import { version } from "../process.ts";
import { type HttpAnswer, type Outcome, outcomeOf, plainAnswer } from "./outcome.rule.ts";
import { RECEIVER_ERRORS } from "./texts.ts";

/**
 * From the first packet to the end of the response. A receiver that takes several seconds is slow, but available.
 */
const RESPONSE_TIMEOUT_MS = 10_000;
/** Enough to show an error message. */
const MAX_RESPONSE_BYTES = 2_048;

/** A message to a receiver. */
export interface Post {
  url: string;
  /** `POST` by default. */
  method?: "POST" | "PATCH";
  body: string;
  headers?: Record<string, string>;
  /** Decides which private addresses are allowed. Null for a URL from the operator, which may have any address. */
  policy: AddressPolicy | null;
  signal: AbortSignal;
  /** Returns all addresses of a name. The system's resolver by default. */
  resolve?: Resolve | undefined;
  /** Called with the reason why a host name has no allowed address. Only for the operator's log. */
  onUnresolved?: (detail: string) => void;
}

/** Posts JSON to one URL without following redirects. @returns the result; never throws */
export async function postJson(post: Post): Promise<Outcome> {
  const url = URL.parse(post.url);
  if (!url) return { kind: "refused", answer: RECEIVER_ERRORS.notAUrl };
  const refused = post.policy && refuseUrl(url, post.policy);
  if (refused) return notAllowed(refused);
  const timeout = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
  try {
    return outcomeOf(await exchange(url, post, AbortSignal.any([timeout, post.signal])));
  } catch (error) {
    if (error instanceof RefusedError) return notAllowed(error.message);
    if (timeout.aborted) return later(RECEIVER_ERRORS.timeout(RESPONSE_TIMEOUT_MS / 1_000));
    if (error instanceof UnresolvedError) return later(unresolved(error));
    return later(describeError(error));
  }
}

function unresolved({ message }: UnresolvedError): string {
  return RECEIVER_ERRORS.unresolved(message);
}

/** Node's messages about certificates address its programmers. */
function describeError(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/CERT|SIGNATURE|ALTNAME/.test(code)) return RECEIVER_ERRORS.certificate(code);
  return error instanceof Error ? error.message : String(error);
}

function notAllowed(why: string): Outcome {
  return {
    kind: "refused",
    answer: RECEIVER_ERRORS.notAllowed(why),
  };
}

function later(why: string): Outcome {
  return { kind: "retry", answer: plainAnswer(why), retryAfterMs: null };
}

async function exchange(url: URL, post: Post, signal: AbortSignal): Promise<HttpAnswer> {
  const { method = "POST", body, headers } = post;
  const socket = await connectUrl(url, post);
  try {
    if (signal.aborted) throw new Error(RECEIVER_ERRORS.stopping);
    return await sendOverSocket(socket, url, { method, body, headers, signal });
  } finally {
    socket.destroy();
  }
}

interface RequestContent {
  method: string;
  body: string;
  headers: Record<string, string> | undefined;
  signal: AbortSignal;
}

function sendOverSocket(
  socket: Socket,
  url: URL,
  { method, body, headers, signal }: RequestContent,
): Promise<HttpAnswer> {
  const answer = Promise.withResolvers<HttpAnswer>();
  const request = sendRequest({
    createConnection: () => socket,
    method,
    path: `${url.pathname}${url.search}`,
    headers: {
      ...headers,
      Host: url.host,
      "Content-Type": "application/json; charset=utf-8",
      "Content-Length": Buffer.byteLength(body),
      "User-Agent": `vrs/${version}`,
      Connection: "close",
    },
    signal,
  });
  request.on("error", answer.reject);
  request.on("response", response => {
    let text = "";
    const done = () =>
      answer.resolve({
        status: response.statusCode ?? 0,
        retryAfter: response.headers["retry-after"],
        text: text.slice(0, MAX_RESPONSE_BYTES),
      });
    response.setEncoding("utf8");
    response.on("data", (chunk: string) => {
      text += chunk;
      // The rest of a long response is not needed.
      if (text.length >= MAX_RESPONSE_BYTES) done();
    });
    response.on("end", done);
    // A broken connection still leaves the response so far.
    response.on("error", done);
  });
  request.end(body);
  return answer.promise;
}
