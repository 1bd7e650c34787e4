import { fieldError } from "./text/describe-invalid.ts";

/** An entry of the catalogue, with its remedy. */
interface ErrorKind {
  status: number;
  title: string;
  /** Whether the same request may succeed later. */
  retryable: boolean;
  /** The remedy, for the docs. */
  remedy: string;
}

/** Every error of the service. `docs/reference/errors.md` is generated from it. */
export const ERRORS = {
  malformed_json: {
    status: 400,
    title: "The request body is not valid JSON",
    retryable: false,
    remedy: "Send valid JSON with `Content-Type: application/json`.",
  },
  unauthorized: {
    status: 401,
    title: "The API key or session is missing or invalid",
    retryable: false,
    remedy: "Send `Authorization: Bearer <API key>` with an active API key, or sign in again.",
  },
  plan_limit_exceeded: {
    status: 402,
    title: "A limit of the plan is reached",
    retryable: false,
    remedy:
      "Upgrade the plan, or wait until `resetsAt` if the limit is monthly. `GET /v1/usage` shows usage and limits.",
  },
  forbidden: {
    status: 403,
    title: "Permission denied",
    retryable: false,
    remedy: "`detail` names the required role. Ask a team admin for it.",
  },
  not_found: {
    status: 404,
    title: "Not found",
    retryable: false,
    remedy: "Check the id and the team. Objects of other teams count as not found.",
  },
  method_not_allowed: {
    status: 405,
    title: "The path does not support this method",
    retryable: false,
    remedy: "Use one of the methods in the `Allow` header.",
  },
  conflict: {
    status: 409,
    title: "The current state does not allow this",
    retryable: false,
    remedy: "`detail` names the state in conflict. Fetch the object again before you retry.",
  },
  payload_too_large: {
    status: 413,
    title: "The request body is too large",
    retryable: false,
    remedy:
      "Send a JSON body of at most 1 MiB, or an image of at most 32 MiB. `detail` says the limit of archives.",
  },
  unsupported_media_type: {
    status: 415,
    title: "The media type of the body is not supported",
    retryable: false,
    remedy: "Send `Content-Type: application/json`, in UTF-8.",
  },
  invalid_request: {
    status: 422,
    title: "The request is invalid",
    retryable: false,
    remedy: "Fix the fields that `errors` lists.",
  },
  rate_limited: {
    status: 429,
    title: "Too many requests",
    retryable: true,
    remedy: "Wait for the number of seconds in `Retry-After`, then retry.",
  },
  internal: {
    status: 500,
    title: "Internal error",
    retryable: true,
    remedy:
      "Retry the request. If it fails again, send the `requestId` to the operator, who can find it in the log.",
  },
  unavailable: {
    status: 503,
    title: "Part of the service is not available",
    retryable: true,
    remedy: "Retry shortly. `GET /ready` names the missing part.",
  },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERRORS;

/** An invalid field, as in the body's `errors`. */
export interface FieldError {
  path: string;
  message: string;
}

/** Details of an error, which are sent to the caller unchanged. */
export interface ErrorDetails {
  errors?: FieldError[];
  retryAfterSeconds?: number;
  allow?: string;
  /** Limit of an allowance, its usage, and its reset (ISO 8601, UTC). */
  limit?: number;
  used?: number;
  resetsAt?: string;
}

/**
 * An error that its caller can act on. Its fields are those that the bus passes between nodes: `type` is the
 * catalogue's code, `code` the HTTP status, and `data` the details.
 */
export class ServiceError extends Error {
  readonly code: number;
  readonly type: ErrorCode;
  readonly data: ErrorDetails;
  readonly retryable: boolean;

  constructor(type: ErrorCode, message: string, data: ErrorDetails = {}) {
    super(message);
    this.name = "ServiceError";
    this.type = type;
    this.code = ERRORS[type].status;
    this.data = data;
    this.retryable = false;
  }
}

/** Returns a 404. Missing objects and objects of other teams must look the same. */
export function notFound(what: string, id: string): ServiceError {
  return new ServiceError("not_found", `This team has no ${what} ${id}. Check the id and the team.`);
}

/**
 * Returns a 422 for one field. @param message the text after the field's name, such as `must be an https URL`
 */
export function invalidField(path: string, message: string): ServiceError {
  return invalidFields([{ path, message: fieldError(path, message, "The body") }]);
}

/** Returns a 422 for fields, with their errors as sentences. The first error and `more` are the detail. */
export function invalidFields(errors: FieldError[], more = ""): ServiceError {
  return new ServiceError("invalid_request", `${errors[0]?.message ?? ""}${more}`, { errors });
}

/** Returns a thrown value as an Error. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
