import type { ServerResponse } from "node:http";
import { statusHtml } from "../../services/gateway/handlers/status-pages/status-page-html.ts";
import { comparisonView } from "../../shared/contracts/comparisons/comparisons.ts";
import { configurationView } from "../../shared/contracts/configuration/configuration.ts";
import { secretList } from "../../shared/contracts/configuration/secrets.ts";
import { availableChannels } from "../../shared/contracts/monitors/alerts.ts";
import { maintenanceList } from "../../shared/contracts/monitors/maintenance.ts";
import { projectEmailView } from "../../shared/contracts/monitors/project-email.ts";
import { type StatusContent, statusPageList } from "../../shared/contracts/monitors/status-pages.ts";
import { exportView, importView } from "../../shared/contracts/transfers/transfers.ts";
import { EXPLANATIONS } from "./explanation-data.ts";
import { MONITOR } from "./monitor-data.ts";

const AT = "2026-11-20T09:14:00.000Z";
const CHANGED = { changedBy: "ada", changedAt: AT };

const email = (project: string, addresses: string[], unsubscribed: string[] = []) =>
  projectEmailView.parse({ project, addresses, unsubscribed, ...CHANGED });

const LEFT_OUT = [
  { kind: "secret", name: "acme/shop: CUSTOMER_PASSWORD" },
  { kind: "channels", name: "Shop" },
  { kind: "webhook", name: "https://ci.acme.test/hooks/visual-changes-of-every-project" },
];
const TRANSFER = {
  ...{ counts: { "runs.baseline": { rows: 240, new: 236 } }, leftOut: LEFT_OUT },
  ...{ createdAt: AT, endedAt: "2026-11-20T09:20:00.000Z" },
};

/** Responses about exports, maintenance, status pages, email addresses and the settings of all monitors. */
export function settingsAnswers(teamId: string): [string, unknown][] {
  const ofTeam = `/v1/teams/${teamId}`;
  return [
    ["/v1/alerts/channels", availableChannels.parse({ email: true })],
    [
      "/v1/projects/acme%2Fshop/email",
      email("acme/shop", ["web-team@acme.test", "qa@acme.test"], ["qa@acme.test"]),
    ],
    ["/v1/projects/monitors/email", email("monitors", ["oncall@acme.test"])],
    [
      "/v1/projects/monitors/configuration",
      configurationView.parse({
        ...{
          project: "monitors",
          version: 1,
          configuration: { environments: { dark: { colorScheme: "dark" } } },
        },
        ...{ missingSecrets: [], ...CHANGED },
      }),
    ],
    ["/v1/projects/monitors/secrets", secretList.parse({ data: [{ name: "STAGING_TOKEN", ...CHANGED }] })],
    [
      `${ofTeam}/export`,
      exportView.parse({
        ...{ ...TRANSFER, id: "exp_1", status: "completed", progress: { done: 31, total: 31 }, error: null },
        ...{ files: 4_210, expiresAt: "2026-11-27T09:20:00.000Z" },
        links: { self: `http://own${ofTeam}/export`, file: `http://own${ofTeam}/export/file` },
      }),
    ],
    [
      `${ofTeam}/import`,
      importView.parse({
        ...{ ...TRANSFER, id: "imp_1", status: "failed", progress: { done: 12, total: 31 } },
        error: "The file ends too early. Upload it again.",
        projects: [
          { name: "acme/shop", importedAs: "acme/shop-imported" },
          { name: "acme/docs", importedAs: null },
        ],
        ...{
          receivedBytes: null,
          receivedManifest: null,
          notes: ["Monitors are paused until you resume them."],
        },
        links: { self: `http://own${ofTeam}/import` },
      }),
    ],
    [
      "/v1/maintenance",
      maintenanceList.parse({
        data: [
          {
            ...{ id: "mtn_1", title: "Database upgrade", monitors: null, mode: "pause", isActive: true },
            schedule: { kind: "once", from: AT, until: "2026-11-20T13:00:00.000Z" },
            next: { from: AT, until: "2026-11-20T13:00:00.000Z" },
            ...{ createdBy: "ada", createdAt: AT },
          },
          {
            ...{
              id: "mtn_2",
              title: "Nightly deployments",
              monitors: [MONITOR],
              mode: "quiet",
              isActive: false,
            },
            schedule: {
              ...{ kind: "weekly", weekdays: [1, 2, 3, 4, 5], start: "02:30" },
              ...{ durationMinutes: 45, timeZone: "Europe/Vienna" },
            },
            next: { from: "2026-11-23T01:30:00.000Z", until: "2026-11-23T02:15:00.000Z" },
            ...{ createdBy: "ada", createdAt: AT },
          },
        ],
        nextCursor: null,
      }),
    ],
    [
      "/v1/status-pages",
      statusPageList.parse({
        data: [
          {
            ...{ id: "stp_1", title: "Acme status", slug: "acme", hasPassword: false },
            components: [{ monitorId: MONITOR, name: "Online shop" }],
            ...{ url: "https://vrs.acme.test/status/acme", ...CHANGED },
          },
          {
            ...{ id: "stp_2", title: "Status for partners", slug: "partners", hasPassword: true },
            components: [{ monitorId: MONITOR, name: "Partner portal" }],
            ...{ url: "https://vrs.acme.test/status/partners", ...CHANGED },
          },
        ],
        nextCursor: null,
      }),
    ],
  ];
}

/** The response of a comparison of two runs. @param before an image, as @param after, of 1280 px */
export function comparisonAnswer(runId: string, before: string, after: string): [string, unknown] {
  const side = (label: string, id: string) => ({
    ...{ kind: "run", text: id, label, project: "acme/shop", runId: id, branch: "main" },
    ...{ monitorId: null, at: AT, commit: "3f9c1aa0c2d94be5c6a7f0d1e2b3a4958677d1c0" },
  });
  const image = {
    ...{ runId, screenshotId: "scr_1_price", environment: null, at: null },
    ...{ width: 1280, height: 2400, browser: "chromium 153.0.8010.0" },
  };
  const pair = {
    ...{ route: "/pricing", state: null, environment: null, viewport: 1280 },
    ...{ id: "cmp_1", status: "changed", minor: false, threshold: 0.01 },
    ...{ diffRatio: 0.081, diffPixels: 250_000, faintPixels: 0, fingerprint: "f-price" },
    regions: [{ x: 0, y: 0, width: 1280, height: 96 }],
    explanation: EXPLANATIONS.scr_2_home ?? null,
    ...{ base: image, head: image, images: { current: after, baseline: before, diff: null }, error: null },
  };
  const added = {
    ...{ ...pair, id: "cmp_2", route: "/gifts", status: "added", base: null, diffRatio: null },
    ...{ diffPixels: null, regions: [], fingerprint: null, explanation: null },
    images: { current: after, baseline: null, diff: null },
  };
  return [
    "/v1/compare",
    comparisonView.parse({
      ...{ status: "completed", progress: { total: 1, compared: 1 } },
      ...{ base: side("Run of November 10", "run_01k8z4gggg"), head: side("Run of November 20", runId) },
      counts: { unchanged: 0, minor: 0, changed: 1, added: 1, removed: 0, failed: 0, comparing: 0 },
      ...{ causes: [], groups: [{ cause: null, pages: ["cmp_1"] }], data: [pair, added], nextCursor: null },
    }),
  ];
}

const STATUS: StatusContent = {
  ...{ title: "Acme status", at: "2026-11-20T12:00:00.000Z" },
  components: (["operational", "outage", "maintenance", "unknown"] as const).map((state, index) => ({
    ...{ name: ["Online shop", "Checkout", "Partner portal", "API"][index] ?? "", state },
    uptime: state === "unknown" ? null : 0.9982 - index / 100,
    days: Array.from({ length: 90 }, (_, day) => ({
      date: new Date(Date.parse("2026-08-23T00:00:00.000Z") + day * 86_400_000).toISOString().slice(0, 10),
      uptime: state === "unknown" || day < 10 ? null : day % 17 === index ? 0.92 : 1,
    })),
  })),
  outages: [
    { name: "Checkout", from: "2026-11-20T11:20:00.000Z", until: null },
    { name: "Online shop", from: "2026-11-02T03:00:00.000Z", until: "2026-11-02T03:40:00.000Z" },
  ],
};

/** Sends a public status page. */
export function sendStatusPage(res: ServerResponse): void {
  res.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(statusHtml(STATUS));
}
