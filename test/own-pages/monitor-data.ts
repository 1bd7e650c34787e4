import { looksView } from "../../shared/contracts/comparisons/looks.ts";
import { alertsView } from "../../shared/contracts/monitors/alerts.ts";
import { uptimeView } from "../../shared/contracts/monitors/availability.ts";
import { checkList } from "../../shared/contracts/monitors/checks.ts";
import { incidentList, incidentView } from "../../shared/contracts/monitors/incidents.ts";
import { driftView } from "../../shared/contracts/monitors/monitor-series.ts";
import { type MonitorView, monitorList, monitorView } from "../../shared/contracts/monitors/monitors.ts";
import { EXPLANATIONS } from "./explanation-data.ts";

/** The monitor of the captured page. */
export const MONITOR = "mon_01k8shop";

/** The incident of the captured page. */
export const INCIDENT = "inc_01k8shop";

const HOUR_MS = 3_600_000;
const LAST = Date.parse("2026-11-20T11:30:00.000Z");
const CHECKS = 48;

const hoursAgo = (hours: number) => new Date(LAST - hours * HOUR_MS).toISOString();

/** Differences of the home page: small, and large for five hours. */
const ratioAt = (hours: number) => (hours < 5 ? 0.082 : 0.002 + (hours % 7) / 2_000);
const outcomeAt = (hours: number) => (hours < 5 ? "changed" : hours === 20 ? "down" : "ok");

const check = (hours: number, runId: string) => ({
  id: `chk_${hours}`,
  runId,
  kind: hours === 2 ? ("manual" as const) : ("scheduled" as const),
  outcome: outcomeAt(hours),
  error: outcomeAt(hours) === "down" ? "The site answered 503 Service Unavailable." : null,
  maintenance: hours === 30,
  attempts: hours < 5 ? 3 : 1,
  startedAt: hoursAgo(hours),
  endedAt: new Date(LAST - hours * HOUR_MS + 40_000).toISOString(),
  report: `http://own/v1/reports/${runId}?token=t`,
});

const shop = (runId: string) => ({
  id: MONITOR,
  name: "Shop",
  url: "https://shop.acme.test",
  routes: ["/", "/pricing"],
  viewports: [375, 1280],
  intervalMinutes: 60,
  alertThreshold: 0.02,
  options: {},
  alerts: {
    slack: { tail: "b7Kd" },
    email: ["oncall@acme.test"],
    pagerduty: null,
    incidents: null,
    webhook: { tail: "/in", host: "hooks.acme.test" },
  },
  paused: false,
  scheduled: true,
  hold: null,
  notScheduledBecause: null,
  status: "changed",
  nextRunAt: hoursAgo(-1),
  currentCheck: null,
  lastCheck: check(0, runId),
  recentChecks: Array.from({ length: 30 }, (_, index) => {
    const hours = 29 - index;
    const ratio = outcomeAt(hours) === "down" ? null : ratioAt(hours);
    return { id: `chk_${hours}`, runId, outcome: outcomeAt(hours), startedAt: hoursAgo(hours), ratio };
  }),
  lastChangeAt: hoursAgo(4),
  uptime: 0.9792,
  availability: availabilityOf(0.9792),
  maintenance: null,
  tags: ["production"],
  badgeUrl: null,
  certificate: {
    ...{ expiresAt: hoursAgo(-24 * 61), daysLeft: 61, issuer: "Acme CA", error: null },
    checkedAt: hoursAgo(2),
  },
  snoozedUntil: null,
  alertingSince: hoursAgo(4),
  createdAt: "2026-09-01T08:00:00.000Z",
});

const idle = (own: Partial<MonitorView> & { id: string; name: string }) => ({
  ...shop("run_01k8z4gggg"),
  ...{ url: `https://${own.name.toLowerCase()}.acme.test`, status: "ok" as const },
  ...{ alertingSince: null, lastChangeAt: null, recentChecks: [], lastCheck: null },
  ...own,
});

/** Responses of the service about monitors, by path. @param runId the run of the last check */
export function monitorAnswers(runId: string): [string, unknown][] {
  const own = `/v1/monitors/${MONITOR}`;
  return [
    [
      "/v1/monitors",
      monitorList.parse({
        data: [
          shop(runId),
          idle({ id: "mon_2", name: "Journal", snoozedUntil: hoursAgo(-6) }),
          idle({ id: "mon_3", name: "Archive", status: "never", paused: true, nextRunAt: null }),
        ],
        nextCursor: null,
      }),
    ],
    [own, monitorView.parse(shop(runId))],
    [`${own}/drift`, driftView.parse(drift(runId))],
    [`${own}/alerts`, alertsView.parse(ALERTS)],
    [`${own}/uptime`, uptimeView.parse(uptime())],
    ["/v1/incidents", incidentList.parse({ data: [incident(runId)], nextCursor: null })],
    [`/v1/incidents/${INCIDENT}`, incidentView.parse(incident(runId))],
    [`${own}/looks`, looksView.parse(looks(runId))],
    [`${own}/history`, checkList.parse({ data: checks(runId), nextCursor: null })],
  ];
}

/** Returns an uptime that is the same over all periods. */
function availabilityOf(share: number) {
  const period = { uptime: share, checks: 720, responseMs: 412, slowestMs: 1_840 };
  return { day: { ...period, uptime: 1, checks: 24 }, week: period, month: period, quarter: period };
}

/** Thirty days with one downtime. */
function uptime() {
  const points = Array.from({ length: 30 }, (_, index) => {
    const [days, down] = [29 - index, index === 12 ? 5 : 0];
    return { at: hoursAgo(days * 24), up: 24 - down, down, responseMs: 380 + ((index * 37) % 90) };
  });
  const series = { ...availabilityOf(0.9792), points };
  const pages = ["/", "/pricing"].map(route => ({ route, ...series }));
  return { days: 30, unit: "day", from: hoursAgo(720), to: hoursAgo(0), monitor: series, pages };
}

/** An incident that a member works on. */
function incident(runId: string) {
  const openedAt = hoursAgo(4);
  const text = "1 page differs from the approved baseline.";
  return {
    ...{ id: INCIDENT, monitor: { id: MONITOR, name: "Shop" }, kind: "changed", state: "acknowledged" },
    title: "Shop: /pricing at 1280 px differs by 4.2%",
    ...{ checkId: "chk_4", runId, openedAt, acknowledgedAt: hoursAgo(3), acknowledgedBy: "ada" },
    ...{ assignee: { id: "user_1", login: "ada" }, resolvedAt: null, resolution: null, resolvedBy: null },
    timeline: [
      { at: openedAt, kind: "opened", text },
      { at: openedAt, kind: "confirmed", attempts: 2 },
      {
        ...{ at: openedAt, kind: "notified", channel: "slack", receiver: "hooks.acme.test/…wxyz" },
        ...{ message: "changed", status: "sent", answer: "200 ok" },
      },
      { at: hoursAgo(3), kind: "acknowledged", by: "ada" },
      { at: hoursAgo(3), kind: "assigned", by: "ada", login: "ada" },
      {
        at: hoursAgo(2),
        kind: "commented",
        by: "ada",
        text: "The new price table is on purpose. Asking design.",
      },
    ],
  };
}

/** Two looks of a page, of which the second began with the incident. */
function looks(runId: string) {
  const look = (index: number, from: number, until: number | null, image: string) => ({
    ...{
      id: `look_${index}`,
      hash: `${index}`.repeat(64),
      from: hoursAgo(from),
      checkId: `chk_${from}`,
      runId,
    },
    ...{ until: until === null ? null : hoursAgo(until), seenAt: hoursAgo((until ?? -1) + 1) },
    ...{
      checks: from - (until ?? -1),
      width: 1280,
      height: 2400,
      image: `http://own/v1/images/${image}.png`,
    },
  });
  const change = {
    ...{ status: "compared", diffRatio: 0.084, diffPixels: 61_440, faintPixels: 0, diff: null },
    regions: [{ x: 0, y: 0, width: 1280, height: 96 }],
    explanation: EXPLANATIONS.scr_2_home ?? null,
    thirdParties: [],
  };
  const sha = "3f9c1aa0c2d94be5c6a7f0d1e2b3a4958677d1c0";
  return {
    ...{ route: "/pricing", ...PAGE, status: "completed" },
    looks: [
      { ...look(1, 47, 4, "scr_2_home-before"), change: null, commit: null },
      {
        ...look(2, 4, null, "scr_2_home"),
        ...{ change, commit: { project: "acme/shop", branch: "main", sha, runId } },
      },
    ],
  };
}

function drift(runId: string) {
  const hours = Array.from({ length: CHECKS }, (_, index) => CHECKS - 1 - index);
  const ratios = hours.map(ago => (outcomeAt(ago) === "down" ? null : ratioAt(ago)));
  return {
    ...{ from: "2026-11-13T12:00:00.000Z", to: "2026-11-20T12:00:00.000Z" },
    ...{ stretchSeconds: 2_100, threshold: 0.02 },
    maintenance: [{ title: "Upgrade", from: hoursAgo(31), until: hoursAgo(29) }],
    stretches: hours.map(ago => ({
      at: hoursAgo(ago),
      checks: 1,
      changed: outcomeAt(ago) === "changed" ? 1 : 0,
      down: outcomeAt(ago) === "down" ? 1 : 0,
      failed: 0,
      checkId: `chk_${ago}`,
      runId,
    })),
    pages: [
      { route: "/pricing", ...PAGE, ratios },
      { route: "/", ...PAGE, ratios: ratios.map(ratio => ratio && Math.min(ratio, 0.004)) },
    ],
  };
}

const PAGE = { state: null, environment: null, viewport: 1280 };

function checks(runId: string) {
  return [0, 1, 2, 20].map(hours => ({
    ...check(hours, runId),
    drift: [
      {
        ...{ route: "/pricing", stateName: null, environment: null, viewport: 1280 },
        ...{ ratio: ratioAt(hours), state: "changed", minor: false },
      },
    ],
    warnings: [],
  }));
}

const delivery = (channel: string, receiver: string, own: object) => ({
  ...{ id: `dlv_${channel}`, channel, kind: "changed", receiver, status: "sent", tries: 1, answer: "200 ok" },
  ...{ createdAt: hoursAgo(4), nextTryAt: null, endedAt: hoursAgo(4) },
  ...own,
});

const ALERTS = {
  alerts: [
    { at: hoursAgo(20), kind: "down", checkId: "chk_20" },
    { at: hoursAgo(19), kind: "recovered", checkId: "chk_19" },
    { at: hoursAgo(4), kind: "changed", checkId: "chk_4" },
  ],
  snoozes: [{ from: hoursAgo(40), until: hoursAgo(32) }],
  receivers: [
    delivery("slack", "…b7Kd", {}),
    delivery("email", "oncall@acme.test", { answer: "250 accepted" }),
    delivery("webhook", "hooks.acme.test…/in", { status: "failed", tries: 12, answer: "410 gone for good" }),
  ],
};
