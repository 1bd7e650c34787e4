import assert from "node:assert/strict";
import { openApi } from "../../../services/gateway/openapi/openapi.ts";
import { ROUTES } from "../../../services/gateway/routes/routes.ts";
import { ERRORS } from "../../../shared/errors.ts";
import { sampledTexts } from "../../support/tools/sampled-texts.ts";
import { failuresOf } from "../../support/tools/text-findings.ts";

/** Returns the problems of texts by the writing guide. */
function failuresIn(texts: readonly [name: string, text: string][]): string[] {
  return texts.flatMap(([name, text]) => failuresOf(text).map(fault => `${name}: ${fault} in "${text}"`));
}

describe("The services' texts outside their catalogues", () => {
  it("of the API's errors follow the writing guide, in at most three sentences", () => {
    const texts = sampledTexts(ERRORS, "ERRORS");
    assert.deepEqual(failuresIn(texts), []);
    for (const [name, text] of texts) assert.ok(text.split(/[.!?]\s/).length <= 3, name);
  });

  it("of the API's routes and fields follow it too", () => {
    const texts = described(openApi(ROUTES, "0"), "openapi");
    assert.ok(texts.length > 300, `${texts.length} texts`);
    assert.deepEqual(failuresIn(texts), []);
  });
});

/** Returns every summary and description in a document. */
function described(value: unknown, name: string): [name: string, text: string][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    typeof part === "string" && (key === "summary" || key === "description")
      ? [[`${name}.${key}`, part] satisfies [string, string]]
      : described(part, `${name}.${key}`),
  );
}
