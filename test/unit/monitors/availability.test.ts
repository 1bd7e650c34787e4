import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { slotsOf } from "../../../dashboard/monitors/uptime/uptime-slots.rule.ts";
import { availabilityOf } from "../../../services/monitors/checks/availability.rule.ts";
import { evaluateCheck, type PageResult } from "../../../services/monitors/checks/evaluate-check.rule.ts";

const IMAGES = { baseline: null, current: null, diff: null };

/** Returns the results of an attempt: `/a 200` for a response time, `/b down`, and `/c lost`. */
function attempt(...pages: string[]): PageResult[] {
  return pages.map((words, index) => {
    const [route = "", result = ""] = words.split(" ");
    const isFailed = result === "down" || result === "lost";
    return {
      ...{ route, viewport: 1280 + index, state: isFailed ? "failed" : "ok", ratio: null },
      ...{ reason: null, pageFailed: result === "down", images: IMAGES, runId: "run" },
      screenshotId: `${route} ${index}`,
      responseMs: isFailed ? null : Number(result),
    };
  });
}

/** Returns the availability as texts: `/a up 200`, with the monitor as `all`. */
const of = (...attempts: PageResult[][]) =>
  availabilityOf(evaluateCheck(attempts), attempts).map(({ route, up, responses, responseMs }) =>
    [route || "all", up === 1 ? "up" : "down", ...(responses > 0 ? [responseMs] : [])].join(" "),
  );

describe("The availability of a check", () => {
  it("has the mean response time of each route, and of the monitor over its routes", () => {
    assert.deepEqual(of(attempt("/a 100", "/a 300", "/b 50")), ["all up 125", "/a up 200", "/b up 50"]);
  });

  it("counts a confirmed failure as down, without a response time", () => {
    const down = attempt("/b down");
    for (const page of down) page.viewport = 1281;
    assert.deepEqual(of(attempt("/a 100", "/b down"), down), ["all down 100", "/a up 100", "/b down"]);
  });

  it("takes response times from the first attempt only", () => {
    const [first, second] = [attempt("/a 100", "/b lost"), attempt("/b 900")];
    for (const page of second) page.viewport = 1281;
    assert.deepEqual(of(first, second), ["all up 100", "/a up 100", "/b up"]);
  });

  it("leaves out what the service couldn't capture", () => {
    const lost = attempt("/a lost");
    assert.deepEqual(of(lost, lost), []);
    const [first, second] = [attempt("/a 10", "/b lost", "/c down"), attempt("/b lost", "/c down")];
    for (const page of second) page.viewport += 1;
    assert.deepEqual(of(first, second), ["all down 10", "/a up 10", "/c down"]);
  });
});

describe("The slots of an uptime chart", () => {
  it("are all hours or days of the period, also those without checks", () => {
    const point = { at: "2026-03-29T00:00:00.000Z", up: 3, down: 1, responseMs: null };
    const days = slotsOf({ unit: "day", days: 30, to: "2026-03-30T11:00:00.000Z" }, [point]);
    assert.equal(days.length, 30);
    assert.deepEqual(days.slice(-2), [
      { at: point.at, point },
      { at: "2026-03-30T00:00:00.000Z", point: null },
    ]);
    const hours = slotsOf({ unit: "hour", days: 1, to: "2026-03-30T11:59:00.000Z" }, []);
    assert.deepEqual([hours.length, hours.at(-1)?.at], [24, "2026-03-30T11:00:00.000Z"]);
  });
});
