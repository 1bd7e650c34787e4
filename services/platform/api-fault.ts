import { ApiError } from "../../shared/api-client.ts";
import type { ApiFault } from "../../shared/contracts/platform.ts";

const MESSAGE_CHARS = 500;

/** What went wrong with the Cloud API, for the platform's log of deliveries. @param apiKey is in none of it */
export function describeFault(error: unknown, apiKey: string): ApiFault {
  const { message, ...rest } = readFault(error);
  return { triggered: false, error: message.replaceAll(apiKey, "…").slice(0, MESSAGE_CHARS), ...rest };
}

function readFault(error: unknown): Omit<ApiFault, "triggered" | "error"> & { message: string } {
  if (error instanceof ApiError) {
    const { message, status, code, requestId } = error;
    return { message, status, code, requestId };
  }
  return { message: inWords(error), status: null, code: "unreachable", requestId: null };
}

function inWords(error: unknown): string {
  if (!(error instanceof Error)) return UNREADABLE;
  if (error.name === "TimeoutError") return "The Cloud API did not answer in time";
  // What fetch throws says only that it failed; why is in its cause, of which some say nothing but a code.
  const { cause } = error;
  if (!(error instanceof TypeError && cause instanceof Error)) return UNREADABLE;
  const code = "code" in cause ? String(cause.code) : error.message;
  return `The Cloud API could not be reached: ${cause.message || code}`;
}

const UNREADABLE = "The Cloud API's answer could not be read";
