import assert from "node:assert/strict";
import { z } from "zod";
import { validate } from "../../../../services/gateway/http/read-input.ts";
import { submitRunBody } from "../../../../shared/contracts/runs/submit-run.ts";
import { ServiceError } from "../../../../shared/errors.ts";

const URL_OK = "https://example.com";
const fields = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`a ${at}`, 0]));

function refusal(schema: z.ZodType, value: unknown): ServiceError {
  try {
    validate(schema, value);
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    return error;
  }
  throw new Error("The value was accepted.");
}

describe("The body of a request", () => {
  it("is refused before validation if it has too many fields", () => {
    let looked = 0;
    const schema = z.looseObject({}).superRefine(() => {
      looked += 1;
    });
    const bodies = [fields(90_000), { options: { headers: fields(90_000) } }, [{ a: [fields(1_001)] }]];
    assert.deepEqual(
      bodies.map(body => refusal(schema, body).data.errors),
      [
        [{ path: "", message: "The body must have at most 1,000 fields." }],
        [{ path: "options.headers", message: '"options.headers" must have at most 1,000 fields.' }],
        [{ path: "[0].a[0]", message: '"[0].a[0]" must have at most 1,000 fields.' }],
      ],
    );
    assert.equal(looked, 0);
  });

  it("gets the first 100 errors and their number", () => {
    const { data, message } = refusal(submitRunBody, { url: URL_OK, options: { headers: fields(900) } });
    assert.equal(data.errors?.length, 100);
    assert.match(message, /See errors for 899 more invalid fields/);
  });

  it("gets a sentence for each invalid field", () => {
    const body = { url: URL_OK, routes: [], viewports: [1.5], threshold: "1", rout: 1 };
    const { data, message } = refusal(submitRunBody, body);
    assert.deepEqual(
      data.errors?.map(error => error.message),
      [
        '"routes" must have at least 1 item.',
        '"viewports[0]" must be a width in px, or { width, height }.',
        '"threshold" must be a number.',
        '"rout" is not a known field.',
      ],
    );
    assert.equal(message, '"routes" must have at least 1 item. See errors for 3 more invalid fields.');
  });

  it("gets a message also if its schema has none", () => {
    const schema = z.strictObject({ a: z.union([z.number(), z.boolean()]), b: z.number().multipleOf(5) });
    assert.deepEqual(
      refusal(schema, { a: "x", b: 3 }).data.errors?.map(error => error.message),
      ['"a" is invalid.', '"b" must be a multiple of 5.'],
    );
  });
});
