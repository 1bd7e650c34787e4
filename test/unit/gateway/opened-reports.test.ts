import assert from "node:assert/strict";
import { OpenedReports } from "../../../services/gateway/handlers/opened-reports.ts";
import { ServiceError } from "../../../shared/errors.ts";

describe("Reports that are opened", () => {
  it("are made four at a time, and refused if too many wait", async () => {
    const reports = new OpenedReports();
    const made = Promise.withResolvers<void>();
    const allRefused = Promise.withResolvers<void>();
    const refused: unknown[] = [];
    let [running, most] = [0, 0];
    const opened = Array.from({ length: 100 }, () =>
      reports
        .open(async () => {
          running += 1;
          most = Math.max(most, running);
          await made.promise;
          running -= 1;
        })
        .catch((error: unknown) => {
          if (refused.push(error) === 32) allRefused.resolve();
        }),
    );
    await allRefused.promise;
    made.resolve();
    await Promise.all(opened);
    assert.equal(refused.length, 100 - 4 - 64);
    const [error] = refused;
    assert.ok(error instanceof ServiceError);
    assert.deepEqual([error.type, error.data.retryAfterSeconds], ["unavailable", 5]);
    assert.equal(most, 4);
    assert.equal(await reports.open(async () => "later"), "later");
  });

  it("fail with their own error", async () => {
    const failure = new Error("no such run");
    await assert.rejects(
      new OpenedReports().open(async () => {
        throw failure;
      }),
      failure,
    );
  });
});
