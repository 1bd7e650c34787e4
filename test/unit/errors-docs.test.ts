import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { ERRORS } from "../../shared/errors.ts";

describe("docs/errors.md", () => {
  it("has every error with its status and what to do about it, and no other", () => {
    const text = readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8");
    const rows = [...text.matchAll(/^\| `(\w+)` \| (\d+) \| (.+) \| (.+) \| (yes|no) \|$/gm)].map(
      ([, code, status, title, remedy, again]) => ({ code, status: Number(status), title, remedy, again }),
    );
    const catalogue = Object.entries(ERRORS).map(([code, { status, title, remedy, retryable }]) => ({
      code,
      status,
      title,
      remedy,
      again: retryable ? "yes" : "no",
    }));
    assert.deepEqual(rows, catalogue);
  });
});
