/** One entry of the catalogue: what callers see, and what they can do about it. */
interface ErrorKind {
  status: number;
  title: string;
  /** Whether the same request may succeed later. */
  retryable: boolean;
  /** What to do about it, for the docs. */
  remedy: string;
}

/** Every error that the service answers with. `docs/errors.md` names each of them; a test holds the two together. */
export const ERRORS = {
  malformed_json: {
    status: 400,
    title: "The body is not JSON",
    retryable: false,
    remedy: "Send valid JSON with `Content-Type: application/json`.",
  },
  unauthorized: {
    status: 401,
    title: "No valid API key or session",
    retryable: false,
    remedy: "Send `Authorization: Bearer <API key>` with a key that was not revoked, or sign in again.",
  },
  plan_limit_exceeded: {
    status: 402,
    title: "The plan has too little left of this",
    retryable: false,
    remedy:
      "Do what the message says: wait until `resetsAt` where there is one, ask for less, or take a larger plan. `GET /v1/usage` says what is left.",
  },
  forbidden: {
    status: 403,
    title: "You may not do this",
    retryable: false,
    remedy:
      "Do what the message says: it names the role that is needed, which an admin of the team can give, or who else may.",
  },
  not_found: {
    status: 404,
    title: "There is no such thing",
    retryable: false,
    remedy: "Check the id. What belongs to another team is answered as not found too.",
  },
  method_not_allowed: {
    status: 405,
    title: "The path has no such method",
    retryable: false,
    remedy: "Use one of the methods in the `Allow` header.",
  },
  conflict: {
    status: 409,
    title: "The state does not allow this now",
    retryable: false,
    remedy: "Read the thing again; the message says which state is in the way.",
  },
  payload_too_large: {
    status: 413,
    title: "The body is too large",
    retryable: false,
    remedy: "Keep the JSON body under 1 MiB.",
  },
  unsupported_media_type: {
    status: 415,
    title: "The body's type is not supported",
    retryable: false,
    remedy: "Send `Content-Type: application/json`, in UTF-8.",
  },
  invalid_request: {
    status: 422,
    title: "The request is not valid",
    retryable: false,
    remedy: "Mend what `errors` names, field by field.",
  },
  rate_limited: {
    status: 429,
    title: "Too many requests for now",
    retryable: true,
    remedy: "Wait for the seconds in `Retry-After`, then go on.",
  },
  internal: {
    status: 500,
    title: "Something went wrong here",
    retryable: true,
    remedy: "Try again; if it stays, look for the `requestId` in the service's log.",
  },
  unavailable: {
    status: 503,
    title: "A part of the service is not available",
    retryable: true,
    remedy: "Try again shortly; `GET /ready` says which part is missing.",
  },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERRORS;

/** A single field's fault, as in the body's `errors`. */
export interface FieldError {
  path: string;
  message: string;
}

/** What an error may carry beside its message; it is answered to the caller as it is. */
export interface ErrorDetails {
  errors?: FieldError[];
  retryAfterSeconds?: number;
  allow?: string;
  /** Of an allowance, with what was used of it, and when it is whole again (ISO 8601, UTC). */
  limit?: number;
  used?: number;
  resetsAt?: string;
}

/**
 * An error that its caller can act on. `code` and `type` are those that the bus passes between nodes:
 * `type` is the catalogue's code, `code` the HTTP status, `data` the details.
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

/** 404 for a thing that is not there or is another team's: the two must not be told apart. */
export function notFound(what: string, id: string): ServiceError {
  return new ServiceError("not_found", `There is no ${what} ${id} in this team.`);
}

/** 422 for one field. */
export function invalidField(path: string, message: string): ServiceError {
  return new ServiceError("invalid_request", `${path} ${message}.`, { errors: [{ path, message }] });
}
