import assert from "node:assert/strict";
import { z } from "zod";
import { check } from "../../services/gateway/read-input.ts";
import { submitRunBody } from "../../shared/contracts/submit-run.ts";
import { ServiceError } from "../../shared/errors.ts";

const URL_OK = "https://example.com";
const fields = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`a ${at}`, 0]));

function refusal(schema: z.ZodType, value: unknown): ServiceError {
  try {
    check(schema, value);
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    return error;
  }
  throw new Error("The value was accepted.");
}

describe("a body of a request", () => {
  it("with more fields than any needs is refused before its schema looks at one", () => {
    let looked = 0;
    const schema = z.looseObject({}).superRefine(() => {
      looked += 1;
    });
    const bodies = [fields(90_000), { options: { headers: fields(90_000) } }, [{ a: [fields(1_001)] }]];
    assert.deepEqual(
      bodies.map(body => refusal(schema, body).data.errors),
      ["", "options.headers", "[0].a[0]"].map(path => [{ path, message: "must have at most 1,000 fields" }]),
    );
    assert.equal(looked, 0);
  });

  it("with many errors is answered with the first hundred, and how many there are", () => {
    const { data, message } = refusal(submitRunBody, { url: URL_OK, options: { headers: fields(900) } });
    assert.equal(data.errors?.length, 100);
    assert.match(message, /See errors for 899 more invalid fields/);
  });
});
