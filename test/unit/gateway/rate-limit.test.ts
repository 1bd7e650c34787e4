import assert from "node:assert/strict";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { mock } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { RateLimit } from "../../../services/gateway/auth/rate-limit.ts";
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
    // Two requests every 1.25 s: never more than 100 per minute.
    [100, 2, 63],
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
    mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"] });
    try {
      const [perMinute, minutes] = [60, 12];
      const limit = new RateLimit(perMinute);
      const beganMs = Date.now();
      const pastMinutes = () => (Date.now() - beganMs) / 60_000;
      let taken = 0;
      let isAnswered = true;
      const ask = async () => {
        isAnswered = false;
        const error = await limit.take("key", response()).catch((reason: unknown) => reason);
        if (error === undefined) taken += 1;
        isAnswered = true;
      };
      while (pastMinutes() < minutes) {
        if (isAnswered) void ask();
        mock.timers.tick(50);
        await turn();
      }
      // The full bucket, and its refills.
      assert.ok(taken <= perMinute * (1 + pastMinutes()), String(taken));
      assert.ok(taken > perMinute * minutes * 0.9, String(taken));
    } finally {
      mock.timers.reset();
    }
  });
});
