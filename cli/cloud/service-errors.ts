import { ZodError } from "zod";
import { ApiError } from "../../shared/api/api-exchanges.ts";
import { CommandError } from "../terminal.ts";
import { SERVICE_ERRORS } from "../texts/cloud.ts";
import type { Access } from "./access.ts";

/** Waits for an answer of the service. @throws CommandError that says what happened and what to do */
export async function withServiceErrors<T>({ url }: Pick<Access, "url">, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw toCommandError(url, error);
  }
}

/** Returns an error of the service as a CommandError. Other errors stay as they are. */
export function toCommandError(url: string, error: unknown): unknown {
  if (error instanceof ApiError) return new CommandError(error.code, adviceOf(url, error), error);
  if (error instanceof ZodError || error instanceof SyntaxError) {
    return new CommandError("no_service", SERVICE_ERRORS.notAService(url), error);
  }
  const isUnreachable =
    error instanceof TypeError || (error instanceof DOMException && error.name === "TimeoutError");
  if (!isUnreachable) return error;
  return new CommandError("unreachable", SERVICE_ERRORS.unreachable(url, reasonOf(error)), error);
}

function adviceOf(url: string, { status, code, message, requestId }: ApiError): string {
  if (status === 401) return SERVICE_ERRORS.rejectedKey(url, message);
  if (code === "unknown") return SERVICE_ERRORS.unknown(url, message);
  return requestId === null ? message : SERVICE_ERRORS.withRequest(message, requestId);
}

/** The message of fetch only says that it failed. The reason is in the cause. */
function reasonOf(error: Error): string {
  const { cause } = error;
  if (cause instanceof AggregateError) return cause.errors.map(each => reasonOf(each)).join("; ");
  return cause instanceof Error ? cause.message : error.message;
}
