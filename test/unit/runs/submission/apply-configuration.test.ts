import assert from "node:assert/strict";
import { mock } from "node:test";
import { afterEach, beforeEach, describe, it } from "mocha";
import { applyConfiguration } from "../../../../services/runs/submission/apply-configuration.ts";
import type { RunConfig } from "../../../../shared/contracts/code-host/scm-actions.ts";
import { submitRunBody, unsetFields } from "../../../../shared/contracts/runs/submit-run.ts";
import { ServiceError } from "../../../../shared/errors.ts";

const SUBMITTED = {
  url: "https://example.com",
  routes: ["/a"],
  scm: { owner: "octo", repo: "site", sha: "a".repeat(40) },
};
const FAULTY: RunConfig = {
  path: "service.config.ts",
  faults: [
    { code: "unknown-field", line: 2, column: 3, endLine: 2, endColumn: 9, field: null, message: "No." },
  ],
};
/** More screenshots than a run may have. */
const TOO_LARGE: RunConfig = { run: { viewports: Array.from({ length: 11 }, (_, index) => 300 + index) } };

describe("The configuration of a submission", () => {
  const warned: unknown[] = [];
  beforeEach(() => {
    warned.length = 0;
  });

  /** Applies what the code host's service answers. */
  const apply = (answer: () => Promise<unknown>, lenient: boolean) => {
    const bus = {
      // biome-ignore lint/plugin: the response of scm.
      call: <Result>() => answer() as Promise<Result>,
      emit: async () => {},
      broadcast: async () => {},
    };
    const context = { bus, warn: (error: unknown) => void warned.push(error) };
    const options = { unsetFields: unsetFields(new Set(Object.keys(SUBMITTED))), lenient };
    return applyConfiguration(context, "team_1", submitRunBody.parse(SUBMITTED), options);
  };
  const placesOf = async (applied: ReturnType<typeof apply>) =>
    (await applied).warnings.map(({ place }) => place && `${place.path}:${place.line}:${place.column}`);

  it("sets the fields that the submission leaves unset", async () => {
    const answer = async () => ({ run: { viewports: [375], routes: ["/b"] } });
    const { body, warnings, configured } = await apply(answer, true);
    assert.deepEqual([body.routes, body.viewports, body.partial, warnings], [["/a"], [375], false, []]);
    // The project's stored configuration doesn't change these.
    assert.deepEqual(configured, ["viewports"]);
  });

  for (const [name, answer, places] of [
    ["has errors", async () => FAULTY, ["service.config.ts:2:3", null]],
    ["exceeds the limits of a run", async () => TOO_LARGE, [null, null]],
    ["can't be read", () => Promise.reject(new ServiceError("unavailable", "No answer.")), [null, null]],
  ] as const)
    it(`makes a lenient run partial, with warnings, if it ${name}`, async () => {
      const { body } = await apply(answer, true);
      assert.deepEqual([body.routes, body.viewports, body.partial], [["/a"], [1280], true]);
      assert.deepEqual(await placesOf(apply(answer, true)), places);
    });

  it("refuses any other run that has errors, and names the line", async () => {
    await assert.rejects(
      apply(async () => FAULTY, false),
      { type: "invalid_request", message: /service\.config\.ts:2:3/ },
    );
  });

  it("refuses any other run while the code host doesn't respond", async () => {
    const unavailable = new ServiceError("unavailable", "No answer.");
    await assert.rejects(
      apply(() => Promise.reject(unavailable), false),
      unavailable,
    );
  });

  it("changes nothing without a code host", async () => {
    const missing = Object.assign(new Error("Not found."), { name: "ServiceNotFoundError" });
    for (const lenient of [true, false]) {
      const { body, warnings } = await apply(() => Promise.reject(missing), lenient);
      assert.deepEqual([body.partial, warnings, warned], [false, [], []]);
    }
  });

  describe("from a code host that hangs", () => {
    beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
    afterEach(() => mock.timers.reset());

    it("is waited for 6 seconds, then a lenient run continues without it", async () => {
      let isApplied = false;
      const applied = apply(() => new Promise(() => {}), true).finally(() => {
        isApplied = true;
      });
      mock.timers.tick(5_999);
      await Promise.resolve();
      assert.equal(isApplied, false);
      mock.timers.tick(1);
      const { body, warnings } = await applied;
      assert.equal(body.partial, true);
      assert.match(warnings[0]?.message ?? "", /code host isn't responding/);
      assert.equal(warned.length, 1);
    });
  });
});
