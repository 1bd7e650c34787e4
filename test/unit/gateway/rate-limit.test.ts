import assert from "node:assert/strict";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { RateLimit } from "../../../services/gateway/auth/rate-limit.ts";
import { RequestBuckets } from "../../../services/gateway/auth/request-buckets.ts";
import { ServiceError } from "../../../shared/errors.ts";

const response = () => new ServerResponse(new IncomingMessage(new Socket()));

/** Sends requests until one is refused. On a slow machine, the bucket is refilled meanwhile. */
async function refusal(
  limit: RateLimit,
  perMinute: number,
): Promise<{ error: unknown; res: ServerResponse }> {
  for (let asked = 0; asked < perMinute * 5; asked++) {
    const res = response();
    const error = await limit.take("key", res).catch((reason: unknown) => reason);
    if (error !== undefined) return { error, res };
  }
  throw new assert.AssertionError({ message: "It was never refused." });
}

describe("The rate limit of a key", () => {
  it("reports the remaining requests and the time of the reset", async () => {
    const res = response();
    await new RateLimit(600).take("key", res);
    const headers = res.getHeaders();
    assert.equal(headers["ratelimit-limit"], 600);
    assert.equal(headers["ratelimit-remaining"], 599);
    assert.equal(headers["ratelimit-reset"], 1);
  });

  const refusals: [perMinute: number, retryAfterSeconds: number, resetSeconds: number][] = [
    [600, 1, 60],
    [60, 1, 60],
    // Two requests every 1.2 s.
    [100, 2, 60],
    [30, 2, 60],
    [1, 60, 60],
  ];
  for (const [perMinute, retryAfterSeconds, resetSeconds] of refusals) {
    it(`lets ${perMinute} a minute through at once, and the next one after ${retryAfterSeconds} s`, async () => {
      const limit = new RateLimit(perMinute);
      const { error, res } = await refusal(limit, perMinute);
      assert.ok(error instanceof ServiceError);
      assert.equal(error.type, "rate_limited");
      assert.equal(error.data.retryAfterSeconds, retryAfterSeconds);
      assert.equal(res.getHeader("ratelimit-remaining"), 0);
      assert.equal(res.getHeader("ratelimit-reset"), resetSeconds);
      await limit.take("another key", response());
    });
  }

  it("applies to a key that keeps sending requests", async () => {
    const [perMinute, minutes] = [60, 12];
    let nowMs = 0;
    const limit = new RateLimit(perMinute, "key", new RequestBuckets(perMinute, () => nowMs));
    let taken = 0;
    for (; nowMs <= minutes * 60_000; nowMs += 50) {
      const error = await limit.take("key", response()).catch((reason: unknown) => reason);
      if (error === undefined) taken += 1;
    }
    // The full bucket, and its refills.
    assert.equal(taken, perMinute * (1 + minutes));
  });

  it("costs no timer for a key, and no memory without bound for any number of keys", async () => {
    const timers = () => process.getActiveResourcesInfo().filter(kind => kind === "Timeout").length;
    const before = timers();
    const buckets = new RequestBuckets(1);
    assert.equal((await buckets.draw("first")).requests, 1);
    assert.equal((await buckets.draw("first")).requests, 0);
    for (let key = 0; key < 20_000; key++) await buckets.draw(String(key));
    assert.ok(timers() < before + 10, `${timers()} timers, ${before} before`);
    assert.equal((await buckets.draw("first")).requests, 1);
  });
});
