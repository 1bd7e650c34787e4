import assert from "node:assert/strict";
import { BrowserPool } from "../../../../shared/capture/browser/browser-pool.ts";
import type { Lease } from "../../../../shared/capture/browser/lease.ts";
import { thrownInPage } from "../../../../shared/capture/page/load-failures.ts";
import { poolOptions } from "../../../support/contexts/capture-context.ts";

/** Playwright's own limit for the stack trace of a call. */
const FRAMES_OF_CALL = 50;

describe("calls of a leased page", () => {
  let pool: BrowserPool;
  let lease: Lease;

  before(async () => {
    pool = new BrowserPool(poolOptions());
    lease = await pool.lease("a");
  });
  after(() => pool.close());

  /** Counts the stack traces that Playwright takes of its calls. */
  async function countTraces(work: () => Promise<unknown>): Promise<number> {
    const { prepareStackTrace } = Error;
    let traces = 0;
    Error.prepareStackTrace = error => {
      if (Error.stackTraceLimit === FRAMES_OF_CALL) traces++;
      return String(error);
    };
    await work().finally(() => {
      Error.prepareStackTrace = prepareStackTrace;
    });
    return traces;
  }

  it("take no stack traces when they run scripts or advance the clock", async () => {
    assert.ok((await countTraces(() => lease.page.title())) > 0, "another call takes one");
    assert.equal(await countTraces(() => lease.page.evaluate(() => 1)), 0);
    assert.equal(await countTraces(() => lease.clock.advance(100)), 0);
  });

  it("name the method in errors, once", async () => {
    const failing = () => {
      throw new Error("broken");
    };
    const error: unknown = await lease.page.evaluate(failing).catch((thrown: unknown) => thrown);
    assert.equal(thrownInPage(error), "Error: broken");
  });
});
