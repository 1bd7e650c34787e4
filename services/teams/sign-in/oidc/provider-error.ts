import { AuthorizationResponseError, ClientError, ResponseBodyError } from "openid-client";
import { asError } from "../../../../shared/errors.ts";

/**
 * Why a sign-in with a provider failed: it doesn't respond, it refused the user, it refused this client, or its answer
 * is not valid.
 */
export type ProviderFailure = "unreachable" | "denied" | "client" | "token";

/** A failed request to a provider, or an invalid answer. The message is for operators and team admins. */
export class ProviderError extends Error {
  readonly failure: ProviderFailure;

  constructor(failure: ProviderFailure, message: string) {
    super(message);
    this.name = "ProviderError";
    this.failure = failure;
  }
}

/** Bounds what a provider's answer adds to a log line. */
const MAX_MESSAGE_CHARS = 300;

/** Returns an error of the client library as the provider's failure. */
export function providerErrorOf(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  return new ProviderError(failureOf(error), describe(error));
}

function failureOf(error: unknown): ProviderFailure {
  if (error instanceof AuthorizationResponseError) return "denied";
  if (error instanceof ResponseBodyError) return error.status >= 500 ? "unreachable" : "client";
  for (const each of chainOf(error)) {
    if (each instanceof Response) return each.status >= 500 ? "unreachable" : "token";
    if (each instanceof Error && UNREACHABLE.has(each.name)) return "unreachable";
  }
  return "token";
}

const UNREACHABLE = new Set([
  "UnreadableError",
  "UnreachableError",
  "UnresolvedError",
  "TimeoutError",
  "AbortError",
]);

/** Returns the errors, and what caused them. */
function chainOf(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let each = error; each !== undefined && chain.length < 10; ) {
    chain.push(each);
    each = each instanceof Error ? each.cause : undefined;
  }
  return chain;
}

function describe(error: unknown): string {
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError)
    return short([error.error, error.error_description ?? ""].join(" ").trim());
  const texts = chainOf(error).flatMap(each => {
    if (each instanceof Response) return [`status ${each.status}`];
    if (each instanceof ClientError || each instanceof Error) return [each.message];
    return claimOf(each);
  });
  return short([...new Set(texts)].join(": ") || asError(error).message);
}

/** The library names the claim of a failed comparison in the cause. */
function claimOf(cause: unknown): string[] {
  const isNamed = typeof cause === "object" && cause !== null && "claim" in cause;
  return isNamed && typeof cause.claim === "string" ? [`claim ${cause.claim}`] : [];
}

function short(text: string): string {
  return text
    .replace(/\p{Cc}/gu, " ")
    .slice(0, MAX_MESSAGE_CHARS)
    .toWellFormed();
}
