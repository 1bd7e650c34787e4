import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { dateInWords, timeInWords, timeOfDay } from "../../../shared/text/dates.ts";

describe("Dates of mails and texts", () => {
  it("are formatted in English, in UTC, with the time zone", () => {
    assert.equal(dateInWords("2026-12-01T00:00:00.000Z"), "December 1, 2026");
    assert.equal(dateInWords(new Date("2026-11-30T23:59:59.999Z")), "November 30, 2026");
    assert.equal(timeInWords("2026-12-01T14:30:00.000Z"), "December 1, 2026 at 2:30 PM UTC");
    assert.equal(timeInWords("2026-12-01T00:00:00.000Z"), "December 1, 2026 at 12:00 AM UTC");
  });

  it("have a time of day with seconds in the machine's time zone", () => {
    assert.match(timeOfDay(new Date("2026-12-01T14:30:15.000Z")), /^\d{1,2}:\d{2}:15 [AP]M [A-Z]\S*$/);
  });

  it("leave other texts unchanged", () => {
    assert.equal(timeInWords("soon"), "soon");
  });
});
