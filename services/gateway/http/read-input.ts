import { isUtf8 } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import bodyParser from "body-parser";
import type { z } from "zod";
import {
  type ErrorCode,
  type FieldError,
  invalidField,
  invalidFields,
  ServiceError,
} from "../../../shared/errors.ts";
import { describeInvalid, fieldError, fieldPath } from "../../../shared/text/describe-invalid.ts";
import { REQUEST_ERRORS } from "../texts/errors.ts";
import { MAX_FIELDS, unstorableAt, wideObjectAt } from "./value-checks.ts";

const parseJson = bodyParser.json({ limit: "1mb", strict: false, type: isJson, verify: requireUtf8 });

/** Reads the JSON body of at most 1 MiB. Undefined if there is none. @throws ServiceError */
export async function readBody(req: IncomingMessage, res: ServerResponse): Promise<unknown> {
  if (!hasBody(req)) return undefined;
  if (!isJson(req)) {
    throw new ServiceError("unsupported_media_type", REQUEST_ERRORS.notJson);
  }
  await new Promise<void>((read, failed) => {
    parseJson(req, res, (error?: BodyFailure) => (error ? failed(bodyError(error, req)) : read()));
  });
  return "body" in req ? req.body : undefined;
}

/**
 * Reads the raw body, by default of at most 1 MiB, without decompressing it.
 * @param hold counts the received bytes, and throws if there are too many
 * @throws ServiceError
 */
export async function readRawBody(
  req: IncomingMessage,
  maxMebibytes = 1,
  hold: (bytes: number) => void = () => {},
): Promise<Buffer> {
  const maxBytes = maxMebibytes * 1024 * 1024;
  const tooLarge = () => new ServiceError("payload_too_large", REQUEST_ERRORS.tooLarge(maxMebibytes));
  if (Number(req.headers["content-length"] ?? 0) > maxBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  // A loop over the request itself would destroy it, and the response with it.
  for await (const chunk of req.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge();
    hold(chunk.length);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Errors in a response. A body of 1 MiB may have tens of thousands. */
const MAX_NAMED_ERRORS = 100;

/** Validates a value against its schema. @throws ServiceError that names the first invalid fields */
export function validate<T>(schema: z.ZodType<T>, value: unknown): T {
  const wide = wideObjectAt(value);
  if (wide) throw invalidField(fieldPath(wide), REQUEST_ERRORS.tooManyFields(MAX_FIELDS));
  const parsed = schema.safeParse(value, { error: describeInvalid });
  if (parsed.success) return storable(parsed.data);
  const errors = parsed.error.issues.flatMap(fieldErrors);
  const more = errors.length > 1 ? REQUEST_ERRORS.more(errors.length - 1) : "";
  throw invalidFields(errors.slice(0, MAX_NAMED_ERRORS), more);
}

function storable<T>(value: T): T {
  const path = unstorableAt(value);
  if (path) throw invalidField(fieldPath(path), REQUEST_ERRORS.notStorable);
  return value;
}

interface BodyFailure extends Error {
  type?: string;
}

/** Another encoding would be read as a different text. */
class NotUtf8 extends Error {
  readonly type: "charset.unsupported" | "utf8.malformed";

  constructor(type: NotUtf8["type"]) {
    super(type);
    this.type = type;
  }
}

function requireUtf8(_req: IncomingMessage, _res: ServerResponse, body: Buffer, charset: string): void {
  if (charset !== "utf-8") throw new NotUtf8("charset.unsupported");
  if (!isUtf8(body)) throw new NotUtf8("utf8.malformed");
}

function bodyError({ type = "" }: BodyFailure, req: IncomingMessage): ServiceError {
  const encoding = req.headers["content-encoding"]?.slice(0, MAX_ENCODING_CHARS);
  if (type === "encoding.unsupported")
    return new ServiceError("unsupported_media_type", REQUEST_ERRORS.encoding(encoding));
  const [code, message] = BODY_FAILURES[type] ?? [];
  if (code && message) return new ServiceError(code, message);
  return new ServiceError(
    "malformed_json",
    encoding === undefined || type === "request.aborted"
      ? REQUEST_ERRORS.cutShort
      : REQUEST_ERRORS.corrupt(encoding),
  );
}

/** The part of a client's header that an error repeats. */
const MAX_ENCODING_CHARS = 50;

const BODY_FAILURES: Record<string, [ErrorCode, string]> = {
  "entity.too.large": ["payload_too_large", REQUEST_ERRORS.tooLarge(1)],
  "entity.parse.failed": ["malformed_json", REQUEST_ERRORS.malformed],
  "charset.unsupported": ["unsupported_media_type", REQUEST_ERRORS.charset],
  "utf8.malformed": ["malformed_json", REQUEST_ERRORS.notUtf8],
};

/** Returns the path and message of each error. Unknown fields are named one by one. */
function fieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map(key => fieldErrorAt([...issue.path, key], REQUEST_ERRORS.unknownField));
  }
  return [fieldErrorAt(issue.path, issue.message)];
}

function fieldErrorAt(at: PropertyKey[], message: string): FieldError {
  const path = fieldPath(at);
  return { path, message: fieldError(path, message, REQUEST_ERRORS.body) };
}

function hasBody(req: IncomingMessage): boolean {
  return req.headers["transfer-encoding"] !== undefined || Number(req.headers["content-length"] ?? 0) > 0;
}

function isJson(req: IncomingMessage): boolean {
  return /^application\/(?:[\w.+-]+\+)?json(?:\s*;|$)/i.test(req.headers["content-type"] ?? "");
}
