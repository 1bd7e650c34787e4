import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  nextOccurrence,
  occurrencesBetween,
  utcOf,
} from "../../../services/monitors/maintenance/occurrence.rule.ts";
import {
  createMaintenanceBody,
  type MaintenanceSchedule,
} from "../../../shared/contracts/monitors/maintenance.ts";

const VIENNA = "Europe/Vienna";
const weekly = (
  own: Partial<Extract<MaintenanceSchedule, { kind: "weekly" }>> = {},
): MaintenanceSchedule => ({
  ...{ kind: "weekly", weekdays: [0], start: "02:30", durationMinutes: 60, timeZone: VIENNA },
  ...own,
});
const at = (iso: string) => new Date(`${iso}:00.000Z`);
const text = (found: { from: Date; until: Date } | null) =>
  found && `${found.from.toISOString().slice(0, 16)} ${found.until.toISOString().slice(0, 16)}`;

describe("A time of a clock in a time zone", () => {
  const cases: [local: string, zone: string, utc: string][] = [
    ["2026-01-15T02:30", VIENNA, "2026-01-15T01:30"],
    ["2026-07-15T02:30", VIENNA, "2026-07-15T00:30"],
    // Skipped: clocks went from 02:00 to 03:00.
    ["2026-03-29T02:30", VIENNA, "2026-03-29T01:30"],
    // Shown twice: the first counts.
    ["2026-10-25T02:30", VIENNA, "2026-10-25T00:30"],
    ["2026-03-08T02:30", "America/New_York", "2026-03-08T07:30"],
    ["2026-11-01T01:30", "America/New_York", "2026-11-01T05:30"],
    ["2026-05-01T00:00", "Asia/Kathmandu", "2026-04-30T18:15"],
    // Clocks go back by half an hour there.
    ["2026-04-05T02:00", "Australia/Lord_Howe", "2026-04-04T15:30"],
    ["2026-05-01T00:00", "UTC", "2026-05-01T00:00"],
  ];
  for (const [local, zone, utc] of cases)
    it(`${local} in ${zone} is ${utc}`, () => {
      assert.equal(utcOf(at(local).getTime(), zone).toISOString().slice(0, 16), utc);
    });
});

describe("The next occurrence of a window", () => {
  it("is the current one until it ends", () => {
    const window = weekly();
    assert.equal(text(nextOccurrence(window, at("2026-01-18T01:00"))), "2026-01-18T01:30 2026-01-18T02:30");
    assert.equal(text(nextOccurrence(window, at("2026-01-18T02:29"))), "2026-01-18T01:30 2026-01-18T02:30");
    assert.equal(text(nextOccurrence(window, at("2026-01-18T02:30"))), "2026-01-25T01:30 2026-01-25T02:30");
  });

  it("keeps its local start and its length across clock changes", () => {
    const starts = occurrencesBetween(weekly(), at("2026-03-20T00:00"), at("2026-04-10T00:00")).map(text);
    assert.deepEqual(starts, [
      "2026-03-22T01:30 2026-03-22T02:30",
      "2026-03-29T01:30 2026-03-29T02:30",
      "2026-04-05T00:30 2026-04-05T01:30",
    ]);
  });

  it("is on each of several days, also across midnight and the date line", () => {
    const nightly = weekly({ weekdays: [1, 2], start: "23:30", timeZone: "Pacific/Auckland" });
    const found = occurrencesBetween(nightly, at("2026-06-01T00:00"), at("2026-06-08T00:00")).map(text);
    assert.deepEqual(found, ["2026-06-01T11:30 2026-06-01T12:30", "2026-06-02T11:30 2026-06-02T12:30"]);
  });

  it("of a single window is itself, and then none", () => {
    const once: MaintenanceSchedule = {
      ...{ kind: "once", from: "2026-01-01T10:00:00.000Z", until: "2026-01-01T12:00:00.000Z" },
    };
    assert.equal(text(nextOccurrence(once, at("2026-01-01T11:59"))), "2026-01-01T10:00 2026-01-01T12:00");
    assert.equal(nextOccurrence(once, at("2026-01-01T12:00")), null);
    assert.equal(occurrencesBetween(once, at("2026-01-01T00:00"), at("2026-02-01T00:00")).length, 1);
  });
});

describe("The body of a maintenance window", () => {
  const refused = (schedule: object, path: string) => {
    const { error } = createMaintenanceBody.safeParse({ title: "Upgrade", schedule });
    assert.equal(error?.issues[0]?.path.join("."), path);
  };

  it("refuses impossible times and unknown time zones", () => {
    const from = "2026-01-01T10:00:00Z";
    refused({ kind: "once", from, until: "2026-01-01T10:04:00Z" }, "schedule.until");
    refused({ kind: "once", from, until: "2026-03-01T10:00:00Z" }, "schedule.until");
    refused(weekly({ timeZone: "Europe/Atlantis" }), "schedule.timeZone");
    refused(weekly({ start: "24:00" }), "schedule.start");
    refused(weekly({ weekdays: [] }), "schedule.weekdays");
    refused(weekly({ durationMinutes: 2_000 }), "schedule.durationMinutes");
  });
});
