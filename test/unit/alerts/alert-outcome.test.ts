import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { nextTryMs } from "../../../services/alerts/notifications/backoff.rule.ts";
import { tail, urlTail } from "../../../services/alerts/notifications/receiver.ts";
import { askedToWaitMs, outcomeOf, plainAnswer } from "../../../shared/alerts/outcome.rule.ts";

const NOW = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;

describe("What a receiver's answer means", () => {
  const CASES = [
    { status: 200, kind: "sent" },
    { status: 202, kind: "sent" },
    { status: 204, kind: "sent" },
    { status: 301, kind: "refused" },
    { status: 307, kind: "refused" },
    { status: 400, kind: "refused" },
    { status: 401, kind: "refused" },
    { status: 404, kind: "refused" },
    { status: 410, kind: "refused" },
    { status: 408, kind: "later" },
    { status: 425, kind: "later" },
    { status: 429, kind: "later" },
    { status: 500, kind: "later" },
    { status: 503, kind: "later" },
  ] as const;
  for (const { status, kind } of CASES)
    it(`${status}: ${kind}`, () => {
      const outcome = outcomeOf({ status, retryAfter: "7", text: "so" }, NOW);
      assert.equal(outcome.kind, kind);
      assert.ok(outcome.answer.startsWith(String(status)));
      if (outcome.kind === "later") assert.equal(outcome.askedMs, 7_000);
    });

  it("is kept as one short line", () => {
    assert.equal(plainAnswer("500 a\r\n\tb\u0000\u001b[31mc  d"), "500 a b [31mc d");
    assert.equal(plainAnswer("x".repeat(5_000)).length, 200);
  });
});

describe("How long a delivery waits for its next try", () => {
  it("is twice as long each time, up to an hour, and never the same for all", () => {
    const least = [1, 2, 3, 4, 20].map(tries => nextTryMs({ tries, ageMs: 0, askedMs: null }, 0));
    assert.deepEqual(least, [5_000, 10_000, 20_000, 40_000, HOUR / 2]);
    const most = [1, 2, 20].map(tries => nextTryMs({ tries, ageMs: 0, askedMs: null }, 1));
    assert.deepEqual(most, [10_000, 20_000, HOUR]);
  });

  it("is not shorter than the receiver asked for", () => {
    const askedMs = 90_000;
    for (const random of [0, 0.5, 1])
      assert.ok((nextTryMs({ tries: 1, ageMs: 0, askedMs }, random) ?? 0) >= askedMs);
  });

  it("ends after a day, or forty tries", () => {
    assert.equal(nextTryMs({ tries: 3, ageMs: 24 * HOUR, askedMs: null }, 0.5), null);
    assert.equal(nextTryMs({ tries: 40, ageMs: 0, askedMs: null }, 0.5), null);
    assert.equal(nextTryMs({ tries: 1, ageMs: 0, askedMs: 25 * HOUR }, 0.5), null);
    assert.notEqual(nextTryMs({ tries: 39, ageMs: 22 * HOUR, askedMs: null }, 0), null);
  });

  it("understands seconds and dates, and nothing else", () => {
    assert.equal(askedToWaitMs("120", NOW), 120_000);
    assert.equal(askedToWaitMs(new Date(NOW + 5_000).toUTCString(), NOW), 5_000);
    assert.equal(askedToWaitMs(new Date(NOW - 5_000).toUTCString(), NOW), 0);
    for (const bad of [undefined, "", "soon", "-5x"]) assert.equal(askedToWaitMs(bad, NOW), null);
  });
});

describe("How a receiver is named to people", () => {
  it("shows no more of a secret than its end", () => {
    assert.equal(tail("0123456789abcdef"), "…cdef");
    assert.equal(tail("short"), "…");
    assert.equal(urlTail("https://hooks.example/services/T000/B000/abcdefghijkl"), "hooks.example/…ijkl");
    assert.equal(urlTail("https://a.example/x?token=secretsecretsecret"), "a.example/…cret");
  });
});
