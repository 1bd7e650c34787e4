import assert from "node:assert/strict";
import fc from "fast-check";
import { ownPath } from "../../../services/gateway/auth/same-origin.ts";

describe("The redirect after signing in", () => {
  for (const path of ["/", "/runs", "/runs?status=queued&x=%2F%2Fevil", "/a/b#c", "/@evil.example", "/a//b"])
    it(`is ${path}`, () => assert.equal(ownPath(path), path));

  for (const next of [
    "",
    "runs",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/a\\b",
    "https://evil.example",
    "https:evil.example",
    "javascript:alert(1)",
    "/\t/evil.example",
    "\t//evil.example",
    "/\n/evil.example",
    "/\r\nSet-Cookie: a=b",
    "/a\u0000b",
    "/a\u0085b",
    "/.//evil.example",
    "/a/..//evil.example",
    " //evil.example",
    `/${"a".repeat(2000)}`,
    undefined,
    ["/runs"],
    7,
  ])
    it(`is not ${JSON.stringify(next)?.slice(0, 40)}`, () => assert.equal(ownPath(next), "/"));

  it("never leads to another origin, however a browser parses it", () => {
    const pieces = fc.constantFrom(
      "/",
      "\\",
      ".",
      "..",
      ":",
      "@",
      "evil.example",
      "https",
      "%2f",
      "\t",
      "\n",
      "?",
      "#",
      " ",
      "a",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), parts => {
        const path = ownPath(parts.join(""));
        const url = new URL(path, "https://vrs.example");
        assert.equal(url.origin, "https://vrs.example", path);
      }),
      { numRuns: 5_000 },
    );
  });
});
