import { codeHostAppView } from "../../shared/contracts/code-host/code-host.ts";
import { fleet } from "../../shared/contracts/fleet.ts";

const drawing = (id: string, browser: string) => ({
  ...{ id: id.repeat(16), browser, fonts: id.repeat(16), fontCount: 1_204 },
  ...{ flags: "f".repeat(16), pixels: id.repeat(16) },
});
const RENDERER = {
  ...{ services: ["renderer"], version: "0.1.0", startedAt: "2026-11-19T08:00:00.000Z" },
  ...{ cpuPercent: 71, memoryBytes: 812_000_000 },
};
const NODES = [
  {
    ...{ id: "render-1", hostname: "render-1.acme.test", ...RENDERER },
    rendering: { busy: 3, capacity: 4, failures: 1, sandbox: "off" },
    fingerprint: drawing("a", "chromium 153.0.8010.0"),
  },
  {
    ...{ id: "render-2", hostname: "render-2.acme.test", ...RENDERER },
    rendering: { busy: 1, capacity: 4, failures: 1_020, sandbox: "on" },
    fingerprint: drawing("b", "chromium 152.0.7990.2"),
  },
  {
    ...{ id: "front-1", hostname: "front-1.acme.test", services: ["gateway", "runs", "teams", "billing"] },
    ...{ version: "0.1.0", startedAt: null, cpuPercent: null, memoryBytes: null },
    ...{ rendering: null, fingerprint: null },
  },
];
const MIXED = {
  code: "mixed_renderers",
  message:
    "The renderers draw pages differently (browser build, fonts). " +
    "Install the same version, fonts, and browser on all of them.",
  differs: ["browser", "fonts"],
  groups: [
    { rendering: "a".repeat(16), nodes: ["render-1"] },
    { rendering: "b".repeat(16), nodes: ["render-2"] },
  ],
};
const QUEUES = ["capture", "compare"].map((queue, index) => ({
  ...{ queue, waiting: 12 * index, underWay: 3 * index },
  oldestAt: index === 0 ? null : "2026-11-20T11:58:30.000Z",
}));
const FAILURE = {
  ...{ at: "2026-11-20T09:14:40.000Z", screenshotId: "scr_6_failed", route: "/checkout", viewport: 1280 },
  ...{ state: null, environment: null },
  error: "The page answered 502 Bad Gateway.",
};

/** An app without one permission and one event. */
const APP = {
  ...{ state: "checked", error: null, webhookUrl: "https://vrs.acme.test/codehost/webhook" },
  app: { name: "vrs vrs.acme.test", url: "https://host.test/apps/vrs" },
  missing: {
    permissions: [
      {
        ...{ name: "checks", label: "Checks", access: "write", isOptional: false },
        purpose: "To create and update check runs",
      },
    ],
    events: [{ name: "merge_group", label: "Merge group", isOptional: true }],
  },
};

/** Responses for operators, by path. @param runId a run with a failed screenshot */
export function fleetAnswers(now: string, runId: string): [path: string, answer: unknown][] {
  const nodes = fleet.parse({
    data: NODES.map(node => ({ ...node, lastSeenAt: now })),
    faults: [MIXED],
    queues: QUEUES,
    recentFailures: [{ ...FAILURE, runId }],
  });
  return [
    ["/v1/admin/nodes", nodes],
    ["/v1/admin/code-host", codeHostAppView.parse({ ...APP, checkedAt: now })],
  ];
}
