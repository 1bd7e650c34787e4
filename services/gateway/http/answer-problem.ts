import type { IncomingMessage, ServerResponse } from "node:http";
import type { Problem } from "../../../shared/contracts/problem.ts";
import { ERRORS, type ErrorCode, type ErrorDetails, ServiceError } from "../../../shared/errors.ts";
import { UNAVAILABLE_ERRORS } from "../texts/errors.ts";
import { endAfterBody } from "./end-after-body.ts";

/** Answers with an error as `application/problem+json`. @returns its code */
export function answerProblem(
  req: IncomingMessage,
  res: ServerResponse,
  thrown: unknown,
  requestId: string,
): ErrorCode {
  const { code, detail, data } = describe(thrown);
  const { status, title } = ERRORS[code];
  if (res.headersSent) {
    res.destroy();
    return code;
  }
  const { errors, retryAfterSeconds, allow, limit, used, resetsAt } = data;
  const problem: Problem = {
    type: `/docs#${code}`,
    title,
    status,
    detail,
    code,
    requestId,
    ...(errors && { errors }),
    ...(limit !== undefined && { limit, used }),
    ...(resetsAt !== undefined && { resetsAt }),
  };
  if (code === "unauthorized") res.setHeader("WWW-Authenticate", 'Bearer realm="vrs"');
  if (retryAfterSeconds !== undefined) res.setHeader("Retry-After", retryAfterSeconds);
  if (allow !== undefined) res.setHeader("Allow", allow);
  const isScim = req.url?.startsWith("/scim/v2/") ?? false;
  // The unread rest of a body must not be read as the next request.
  if (!req.complete) res.setHeader("Connection", "close");
  // SCIM knows no 422.
  const sent = isScim && code === "invalid_request" ? 400 : status;
  const body = JSON.stringify(isScim ? scimError(sent, detail) : problem);
  res.writeHead(sent, {
    "Content-Type": `application/${isScim ? "scim" : "problem"}+json; charset=utf-8`,
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
  });
  void endAfterBody(req, res, body);
  return code;
}

/** Returns an error as SCIM 2.0 writes it (RFC 7644, section 3.12). */
function scimError(status: number, detail: string): object {
  return { schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"], status: String(status), detail };
}

interface Described {
  code: ErrorCode;
  detail: string;
  data: ErrorDetails;
}

/** Returns an error of the catalog unchanged, also from another node. The texts of other errors are not shown. */
function describe(thrown: unknown): Described {
  if (!(thrown instanceof Error)) return describeUnknown();
  if (thrown instanceof ServiceError) return { code: thrown.type, detail: thrown.message, data: thrown.data };
  if ("type" in thrown && isErrorCode(thrown.type)) {
    return {
      code: thrown.type,
      detail: thrown.message,
      data: "data" in thrown && isDetails(thrown.data) ? thrown.data : {},
    };
  }
  if (UNAVAILABLE.has(thrown.name)) {
    return {
      code: "unavailable",
      detail: UNAVAILABLE_ERRORS.part,
      data: {},
    };
  }
  return describeUnknown();
}

const UNAVAILABLE = new Set([
  "ServiceNotFoundError",
  "ServiceNotAvailableError",
  "ServiceUnavailableError",
  "RequestTimeoutError",
  "RequestRejectedError",
  "BrokerDisconnectedError",
  "QueueIsFullError",
  "GracefulStopTimeoutError",
]);

function describeUnknown(): Described {
  return {
    code: "internal",
    detail: UNAVAILABLE_ERRORS.internal,
    data: {},
  };
}

function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === "string" && Object.hasOwn(ERRORS, value);
}

function isDetails(value: unknown): value is ErrorDetails {
  return typeof value === "object" && value !== null;
}
