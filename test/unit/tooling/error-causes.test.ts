import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { keepCauses } from "../../support/tools/error-causes.ts";

describe("Errors of failed tests", () => {
  it("keep the whole chain of causes, which parallel processes send as enumerable properties", () => {
    const failures: unknown[] = [];
    const runner = { fail: (_test: null, error: Error) => void failures.push({ ...error }) };
    keepCauses(runner);
    const refused = new Error("connect ECONNREFUSED");
    const failed = new TypeError("fetch failed", { cause: refused });
    runner.fail(null, new Error("It didn't start.", { cause: failed }));
    assert.deepEqual(failures, [{ cause: failed }]);
    assert.deepEqual({ ...failed }, { cause: refused });
  });

  it("are unchanged without causes", () => {
    const failures: unknown[] = [];
    const runner = { fail: (_test: null, error: unknown) => void failures.push(error) };
    keepCauses(runner);
    runner.fail(null, new Error("plain"));
    runner.fail(null, new Error("odd", { cause: "a string" }));
    runner.fail(null, "no error");
    assert.deepEqual(failures.map(String), ["Error: plain", "Error: odd", "no error"]);
    assert.deepEqual(
      failures.map(error => Object.keys(Object(error)).includes("cause")),
      [false, false, false],
    );
  });
});
