import { ServiceError } from "../../../shared/errors.ts";

const ERROR_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:Error";

/** Kinds of refused requests (RFC 7644, section 3.12). */
type ScimType =
  | "invalidFilter"
  | "tooMany"
  | "uniqueness"
  | "mutability"
  | "invalidSyntax"
  | "invalidPath"
  | "invalidValue"
  | "noTarget";

/** A refused SCIM request. */
export class ScimError extends Error {
  readonly status: number;
  readonly scimType: ScimType | null;

  constructor(status: number, message: string, scimType: ScimType | null = null) {
    super(message);
    this.name = "ScimError";
    this.status = status;
    this.scimType = scimType;
  }
}

/** The plan has no code of its own in SCIM. */
const STATUS: Partial<Record<ServiceError["type"], number>> = {
  plan_limit_exceeded: 403,
  invalid_request: 400,
};

/** Returns a refusal as SCIM writes it. Null for another error. */
export function scimErrorOf(error: unknown): { status: number; body: object } | null {
  if (error instanceof ServiceError)
    return answer(new ScimError(STATUS[error.type] ?? error.code, error.message));
  return error instanceof ScimError ? answer(error) : null;
}

function answer({ status, scimType, message }: ScimError): { status: number; body: object } {
  const body = {
    schemas: [ERROR_SCHEMA],
    status: String(status),
    ...(scimType && { scimType }),
    detail: message,
  };
  return { status, body };
}
