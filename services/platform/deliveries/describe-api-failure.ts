import { ApiError } from "../../../shared/api-client.ts";
import type { ApiFailure } from "../../../shared/contracts/platform/platform.ts";
import { API_ERRORS } from "../texts.ts";

const MESSAGE_CHARS = 500;

/** What went wrong with the Cloud API, for the platform's log of deliveries. @param apiKey is in none of it */
export function describeFailure(error: unknown, apiKey: string): ApiFailure {
  const { message, ...rest } = readFailure(error);
  return { triggered: false, error: message.replaceAll(apiKey, "…").slice(0, MESSAGE_CHARS), ...rest };
}

function readFailure(error: unknown): Omit<ApiFailure, "triggered" | "error"> & { message: string } {
  if (error instanceof ApiError) {
    const { message, status, code, requestId } = error;
    return { message, status, code, requestId };
  }
  return { message: inWords(error), status: null, code: "unreachable", requestId: null };
}

function inWords(error: unknown): string {
  if (!(error instanceof Error)) return UNREADABLE;
  if (error.name === "TimeoutError") return API_ERRORS.timeout;
  // What fetch throws says only that it failed; why is in its cause, of which some say nothing but a code.
  const { cause } = error;
  if (!(error instanceof TypeError && cause instanceof Error)) return UNREADABLE;
  const code = "code" in cause ? String(cause.code) : error.message;
  return API_ERRORS.unreachable(cause.message || code);
}

const UNREADABLE = API_ERRORS.unreadable;
