import { ApiError } from "../../../shared/api/api-exchanges.ts";
import type { ApiFailure } from "../../../shared/contracts/platform/platform.ts";
import { API_ERRORS } from "../texts.ts";

const MAX_MESSAGE_CHARS = 500;

/** Returns an error of the Cloud API for the platform's delivery log. @param apiKey removed from the text */
export function describeFailure(error: unknown, apiKey: string): ApiFailure {
  const { message, ...rest } = readFailure(error);
  return { triggered: false, error: message.replaceAll(apiKey, "…").slice(0, MAX_MESSAGE_CHARS), ...rest };
}

function readFailure(error: unknown): Omit<ApiFailure, "triggered" | "error"> & { message: string } {
  if (error instanceof ApiError) {
    const { message, status, code, requestId } = error;
    return { message, status, code, requestId };
  }
  return { message: messageOf(error), status: null, code: "unreachable", requestId: null };
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return UNREADABLE;
  if (error.name === "TimeoutError") return API_ERRORS.timeout;
  // The error of fetch has no reason. Its cause has a message, or only a code.
  const { cause } = error;
  if (!(error instanceof TypeError && cause instanceof Error)) return UNREADABLE;
  const code = "code" in cause ? String(cause.code) : error.message;
  return API_ERRORS.unreachable(cause.message || code);
}

const UNREADABLE = API_ERRORS.unreadable;
