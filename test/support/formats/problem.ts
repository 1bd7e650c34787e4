import assert from "node:assert/strict";
import { type Problem, problem } from "../../../shared/contracts/problem.ts";
import { ERRORS, type ErrorCode, ServiceError } from "../../../shared/errors.ts";

/** Reads the problem of a response, which must be this error of the catalogue. @throws AssertionError */
export async function problemOf(response: Response, code: ErrorCode): Promise<Problem> {
  const text = await response.text();
  assert.equal(response.status, ERRORS[code].status, text);
  assert.equal(response.headers.get("content-type"), "application/problem+json; charset=utf-8");
  assert.equal(response.headers.get("cache-control"), "no-store");
  const body = problem.strict().parse(JSON.parse(text));
  assert.equal(body.code, code, text);
  assert.equal(body.status, response.status);
  assert.equal(body.title, ERRORS[code].title);
  assert.equal(body.type, `/docs#${code}`);
  assert.notEqual(body.detail, "");
  assert.notEqual(body.requestId, "");
  return body;
}

/** Returns a check of an error, for `assert.rejects`: it must say that this field is invalid. */
export function isInvalidField(path: string, message: RegExp): (error: unknown) => true {
  return error => {
    assert.ok(error instanceof ServiceError, String(error));
    assert.equal(error.type, "invalid_request");
    const [issue] = error.data.errors ?? [];
    assert.equal(issue?.path, path);
    assert.match(issue?.message ?? "", message);
    return true;
  };
}
