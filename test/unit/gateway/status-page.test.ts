import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { badgeSvg } from "../../../services/gateway/handlers/status-pages/badge-svg.ts";
import {
  passwordHtml,
  statusHtml,
} from "../../../services/gateway/handlers/status-pages/status-page-html.ts";
import { daysOf, stateOf } from "../../../services/monitors/status-pages/component-state.rule.ts";
import type { StatusContent } from "../../../shared/contracts/monitors/status-pages.ts";

const CONTENT: StatusContent = {
  title: "Acme",
  at: "2026-01-01T10:00:00.000Z",
  components: [
    { name: "Shop", state: "operational", uptime: 0.99999, days: [{ date: "2026-01-01", uptime: 0.5 }] },
    { name: "Blog", state: "maintenance", uptime: null, days: [{ date: "2026-01-01", uptime: null }] },
  ],
  outages: [{ name: "Shop", from: "2026-01-01T09:00:00.000Z", until: "2026-01-01T09:30:00.000Z" }],
};

describe("A status page", () => {
  it("shows the worst state, and never rounds an uptime up to 100%", () => {
    const html = statusHtml(CONTENT);
    assert.match(html, /Maintenance is in progress/);
    assert.match(html, /99\.99% uptime/);
    assert.match(html, /Lasted 30 min/);
    const [shop] = CONTENT.components;
    assert.ok(shop);
    const down = statusHtml({ ...CONTENT, components: [{ ...shop, state: "outage" }, shop] });
    assert.match(down, /Some systems are down/);
  });

  it("escapes names and titles, and has no scripts", () => {
    const name = `<script>alert("1")</script>\u202e`;
    const html = statusHtml({
      ...CONTENT,
      title: name,
      components: CONTENT.components.map(component => ({ ...component, name })),
      outages: CONTENT.outages.map(outage => ({ ...outage, name })),
    });
    for (const page of [html, passwordHtml(name, null)]) {
      assert.ok(!page.includes("<script"));
      assert.ok(!page.includes("\u202e"));
    }
  });
});

describe("The public state of a monitor", () => {
  it("hides visual changes, and shows maintenance first", () => {
    const of = (status: "never" | "ok" | "changed" | "down", isInMaintenance = false, isOutdated = false) =>
      stateOf({ status, isInMaintenance, isOutdated });
    assert.deepEqual(
      [of("ok"), of("changed"), of("down"), of("never"), of("down", true)],
      ["operational", "operational", "outage", "unknown", "maintenance"],
    );
    assert.deepEqual(
      [of("ok", false, true), of("down", false, true), of("ok", true, true)],
      ["unknown", "unknown", "maintenance"],
    );
  });

  it("has an entry for each day, also without checks", () => {
    const now = new Date("2026-03-01T00:30:00.000Z");
    const days = daysOf([{ at: "2026-02-28T00:00:00.000Z", up: 3, down: 1 }], now, 3);
    assert.deepEqual(days, [
      { date: "2026-02-27", uptime: null },
      { date: "2026-02-28", uptime: 0.75 },
      { date: "2026-03-01", uptime: null },
    ]);
  });
});

describe("A badge", () => {
  it("shows the uptime while the site is up, else the state", () => {
    assert.match(badgeSvg({ state: "operational", uptime: 0.9995 }), />99\.95%</);
    assert.match(badgeSvg({ state: "operational", uptime: null }), />up</);
    assert.match(badgeSvg({ state: "outage", uptime: 0.9995 }), />down</);
  });
});
