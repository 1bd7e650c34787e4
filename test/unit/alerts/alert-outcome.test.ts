import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { nextAttemptMs } from "../../../services/alerts/notifications/backoff.rule.ts";
import { messageOf } from "../../../services/alerts/notifications/message.ts";
import { tail, urlTail } from "../../../services/alerts/notifications/receiver.ts";
import {
  isContentRefused,
  type Outcome,
  outcomeOf,
  parseRetryAfterMs,
  plainAnswer,
} from "../../../shared/alerts/outcome.rule.ts";
import { reportOn } from "../../support/contexts/alerts-context.ts";

const NOW = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;

describe("The meaning of a receiver's response", () => {
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
    { status: 408, kind: "retry" },
    { status: 425, kind: "retry" },
    { status: 429, kind: "retry" },
    { status: 500, kind: "retry" },
    { status: 503, kind: "retry" },
  ] as const;
  for (const { status, kind } of CASES)
    it(`${status}: ${kind}`, () => {
      const outcome = outcomeOf({ status, retryAfter: "7", text: "so" }, NOW);
      assert.equal(outcome.kind, kind);
      assert.ok(outcome.answer.startsWith(String(status)));
      if (outcome.kind === "retry") assert.equal(outcome.retryAfterMs, 7_000);
    });

  const REDIRECT = "The address redirects, and redirects are not followed. Set the final address.";
  const ANSWERS: [status: number, answer: string][] = [
    [199, "199 so"],
    [300, `300: ${REDIRECT}`],
    [399, `399: ${REDIRECT}`],
    [400, "400 so"],
  ];
  for (const [status, answer] of ANSWERS)
    it(`explains only redirects: ${status}`, () => {
      const outcome = outcomeOf({ status, retryAfter: undefined, text: "so" }, NOW);
      assert.deepEqual(outcome, { kind: "refused", answer });
    });

  const CONTENT: [outcome: Outcome, isRefused: boolean][] = [
    [{ kind: "refused", answer: "400 invalid" }, true],
    [{ kind: "refused", answer: "413" }, true],
    [{ kind: "refused", answer: "422 too long" }, true],
    [{ kind: "refused", answer: "404 no 400" }, false],
    [{ kind: "refused", answer: "4000 so" }, false],
    [{ kind: "sent", answer: "400 so" }, false],
  ];
  for (const [outcome, isRefused] of CONTENT)
    it(`${isRefused ? "concerns" : "doesn't concern"} the content: ${outcome.kind}, ${outcome.answer}`, () => {
      assert.equal(isContentRefused(outcome), isRefused);
    });

  it("is stored as one short line", () => {
    assert.equal(plainAnswer("  500 so\n"), "500 so");
    assert.equal(plainAnswer("x".repeat(200)), "x".repeat(200));
    assert.equal(plainAnswer("500 a\r\n\tb\u0000\u001b[31mc  d"), "500 a b [31mc d");
    assert.equal(plainAnswer("x".repeat(5_000)).length, 200);
    assert.equal(plainAnswer(`${"x".repeat(198)}😀 or more`), `${"x".repeat(198)}…`);
  });
});

describe("The reason in an alert", () => {
  it("is cut between characters, because the database stores no half of one", () => {
    const reason = `${"x".repeat(499)}😀 or more`;
    const outcome = { kind: "down" as const, reason, routes: ["/"], isWhole: true, regressions: [] };
    const about = { kind: "down" as const, about: "f", since: null, incidentId: null };
    const message = messageOf(reportOn("mon_1", {}, outcome), about);
    assert.equal(message.reason, `${"x".repeat(499)}…`);
  });
});

describe("The delay before the next attempt", () => {
  it("doubles up to an hour, with a random part", () => {
    const least = [1, 2, 3, 4, 20].map(attempts =>
      nextAttemptMs({ attempts, ageMs: 0, retryAfterMs: null }, 0),
    );
    assert.deepEqual(least, [5_000, 10_000, 20_000, 40_000, HOUR / 2]);
    const most = [1, 2, 20].map(attempts => nextAttemptMs({ attempts, ageMs: 0, retryAfterMs: null }, 1));
    assert.deepEqual(most, [10_000, 20_000, HOUR]);
  });

  it("is at least what the receiver asked for", () => {
    const retryAfterMs = 90_000;
    for (const random of [0, 0.5, 1])
      assert.ok((nextAttemptMs({ attempts: 1, ageMs: 0, retryAfterMs }, random) ?? 0) >= retryAfterMs);
  });

  it("has no next attempt after a day or 40 attempts", () => {
    assert.equal(nextAttemptMs({ attempts: 3, ageMs: 24 * HOUR, retryAfterMs: null }, 0.5), null);
    assert.equal(nextAttemptMs({ attempts: 40, ageMs: 0, retryAfterMs: null }, 0.5), null);
    assert.equal(nextAttemptMs({ attempts: 1, ageMs: 0, retryAfterMs: 25 * HOUR }, 0.5), null);
    assert.notEqual(nextAttemptMs({ attempts: 39, ageMs: 22 * HOUR, retryAfterMs: null }, 0), null);
  });

  it("accepts seconds and dates in Retry-After, and nothing else", () => {
    for (const seconds of ["120", " 120", "120 "]) assert.equal(parseRetryAfterMs(seconds, NOW), 120_000);
    assert.equal(parseRetryAfterMs(new Date(NOW + 5_000).toUTCString(), NOW), 5_000);
    assert.equal(parseRetryAfterMs(new Date(NOW - 5_000).toUTCString(), NOW), 0);
    for (const bad of [undefined, "", "soon", "-5x", "1234567890"])
      assert.equal(parseRetryAfterMs(bad, NOW), null);
  });
});

describe("The display name of a receiver", () => {
  it("shows only the end of a secret", () => {
    assert.equal(tail("0123456789abcdef"), "…cdef");
    assert.equal(tail("short"), "…");
    assert.equal(urlTail("https://hooks.example/services/T000/B000/abcdefghijkl"), "hooks.example/…ijkl");
    assert.equal(urlTail("https://a.example/x?token=secretsecretsecret"), "a.example/…cret");
  });
});
