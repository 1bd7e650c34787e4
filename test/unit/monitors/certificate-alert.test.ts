import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  daysLeft,
  decideCertificate,
} from "../../../services/monitors/certificates/certificate-alert.rule.ts";

const NOW = new Date("2026-03-01T12:00:00.000Z");
const inDays = (days: number) => new Date(NOW.getTime() + days * 86_400_000);

describe("An alert about a certificate", () => {
  /** Days left, lifetime, what was alerted, and what is due and alerted then. */
  const cases: [
    left: number,
    lifetime: number,
    before: number | null,
    due: string | null,
    after: number | null,
  ][] = [
    [31, 365, null, null, null],
    [30, 365, null, "certificate", 30],
    [29, 365, 30, null, 30],
    [14, 365, 30, "certificate", 14],
    // It is renewed when a third of its life is left.
    [30, 90, null, null, null],
    [15, 90, null, null, null],
    [14, 90, null, "certificate", 14],
    [6.5, 90, 14, "certificate", 7],
    [0.5, 90, 7, "certificate", 1],
    [-0.1, 90, 1, "certificate", 0],
    [-5, 90, 0, null, 0],
    // Several thresholds at once are one alert.
    [0.5, 90, null, "certificate", 1],
    [89, 90, 7, "renewed", null],
    // Another certificate that expires soon, too.
    [20, 365, 7, null, 30],
    [13, 365, 30, "certificate", 14],
    [2, 6, null, null, null],
    [1, 6, null, "certificate", 1],
    [15, 45, null, null, null],
    [8, 45, null, null, null],
    [7, 45, null, "certificate", 7],
  ];
  for (const [left, lifetimeDays, before, due, after] of cases)
    it(`with ${left} of ${lifetimeDays} days left after ${before} is ${due}`, () => {
      const facts = { expiresAt: inDays(left), lifetimeDays, alertedDays: before };
      assert.deepEqual(decideCertificate(facts, NOW), { due, alertedDays: after });
    });

  it("counts whole days", () => {
    assert.deepEqual(
      [1.9, 0.5, -0.5].map(days => daysLeft(inDays(days), NOW)),
      [1, 0, -1],
    );
  });
});
