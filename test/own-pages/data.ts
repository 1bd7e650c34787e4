import sharp from "sharp";
import { compareScreenshots } from "../../shared/compare/compare.ts";
import { billingView } from "../../shared/contracts/billing/billing.ts";
import { usage, usageHistory } from "../../shared/contracts/billing/usage.ts";
import { runList, runView } from "../../shared/contracts/runs/runs.ts";
import { screenshotList } from "../../shared/contracts/runs/screenshots.ts";
import { keyList } from "../../shared/contracts/teams/keys.ts";
import * as people from "../../shared/contracts/teams/people.ts";
import * as sessions from "../../shared/contracts/teams/sessions.ts";
import { waysIn } from "../../shared/contracts/teams/sign-in.ts";
import { DEFAULT_TEAM_ID } from "../../shared/ids.ts";
import { diagnosticsAt } from "../support/fixtures/diagnostics.ts";
import { makeReview, screenshot } from "../support/fixtures/report-sample.ts";
import { baselineAnswers } from "./baseline-data.ts";
import { configurationAnswers } from "./configuration-data.ts";
import { connectionAnswers } from "./connection-data.ts";
import { EXPLANATIONS, RUN_CAUSES } from "./explanation-data.ts";
import { fleetAnswers } from "./fleet-data.ts";
import { monitorAnswers } from "./monitor-data.ts";
import { noiseAnswers } from "./noise-data.ts";
import { overviewAnswers } from "./overview-data.ts";
import { peopleAnswers } from "./people-data.ts";
import { comparisonAnswer, settingsAnswers } from "./settings-data.ts";
import { signInAnswers } from "./sign-in-data.ts";
import { webhookAnswers } from "./webhook-data.ts";

/** The fixed time on the captured pages. */
export const NOW = "2026-11-20T12:00:00.000Z";

const TEAM = {
  id: DEFAULT_TEAM_ID,
  name: "Acme",
  role: "admin",
  requiredApprovals: 2,
  allowSelfApproval: true,
  linkDays: 90,
  publicLinks: true,
  readOnlyBecause: null,
  createdAt: "2026-03-02T08:00:00.000Z",
  deletesAt: null,
};
const ADA = { kind: "user", id: "user_ada", name: "ada" };
const NONE = { unchanged: 0, minor: 0, changed: 0, new: 0, removed: 0, failed: 0 };

const run = (id: string, own: object) => ({
  id,
  kind: "run",
  status: "completed",
  conclusion: "passed",
  project: "acme/shop",
  url: "https://pr-482.preview.acme.test",
  branch: "main",
  scm: null,
  threshold: 0,
  warnings: [],
  progress: { total: 8, captured: 8, compared: 8 },
  counts: { ...NONE, unchanged: 8 },
  submittedBy: "ada",
  createdAt: "2026-11-20T09:14:00.000Z",
  startedAt: "2026-11-20T09:14:02.000Z",
  completedAt: "2026-11-20T09:15:12.000Z",
  error: null,
  links: { self: `http://own/v1/runs/${id}`, report: `http://own/v1/reports/${id}?token=t` },
  ...own,
});

const WARNING = {
  message: "`pages()` is not a literal. Write the routes as a list of strings.",
  place: { path: "service.config.ts", line: 4, column: 11, endLine: 4, endColumn: 18 },
};

const REVIEWED = run("run_01k8z4m2q7", {
  conclusion: "changed",
  branch: "fix-header",
  scm: { owner: "acme", repo: "shop", sha: "3f9c1aa0c2d94be5c6a7f0d1e2b3a4958677d1c0", pr: 482 },
  threshold: 0.01,
  counts: { unchanged: 4, minor: 2, changed: 3, new: 1, removed: 1, failed: 1 },
  progress: { total: 9, captured: 9, compared: 9 },
  warnings: [WARNING],
  causes: RUN_CAUSES,
});

const RUNS = [
  REVIEWED,
  run("run_01k8z4kkkk", {
    status: "rendering",
    conclusion: null,
    completedAt: null,
    counts: { ...NONE, unchanged: 3 },
    progress: { total: 8, captured: 3, compared: 3 },
  }),
  run("run_01k8z4jjjj", {
    conclusion: "approved",
    createdAt: "2026-11-19T17:02:00.000Z",
    completedAt: "2026-11-19T17:03:07.000Z",
  }),
  run("run_01k8z4hhhh", {
    conclusion: "rejected",
    createdAt: "2026-11-18T08:30:00.000Z",
    completedAt: "2026-11-18T08:30:59.000Z",
  }),
  run("run_01k8z4gggg", { createdAt: "2026-11-10T08:30:00.000Z", completedAt: "2026-11-10T08:31:30.000Z" }),
];

/** Responses of the service for the captured pages, by path. Each is checked against its contract. */
export async function ownAnswers(): Promise<{ json: Map<string, unknown>; images: Map<string, Buffer> }> {
  const images = new Map<string, Buffer>();
  const screenshots = await ownScreenshots(images);
  const activity = ["run.approved", "member.joined", "key.created"].map((type, index) => ({
    ...{ id: `act_${index}`, type, actor: ADA, target: null, details: {} },
    at: `2026-11-${19 - index}T10:00:00.000Z`,
  }));
  const member = (login: string, role: string) => ({
    ...{ id: `user_${login}`, login, name: null, role, managedBy: null, readOnlyBecause: null },
    joinedAt: "2026-03-02T08:00:00.000Z",
  });
  const ofTeam = `/v1/teams/${TEAM.id}`;
  const json = new Map<string, unknown>([
    ["/v1/sign-in", waysIn.parse({ codeHost: true, provider: { id: "default", name: "Acme ID" } })],
    [
      "/v1/session",
      sessions.sessionView.parse({
        ...{ actor: ADA, countsAs: ADA.id, team: TEAM, teams: [TEAM] },
        expiresAt: "2026-12-20T12:00:00.000Z",
        signedInWith: "code-host",
      }),
    ],
    ["/v1/runs", runList.parse({ data: RUNS, nextCursor: null })],
    [`/v1/runs/${REVIEWED.id}`, runView.parse(REVIEWED)],
    [
      `/v1/screenshots/${REVIEWED.id}`,
      screenshotList.parse({
        data: screenshots.map(withNoise).map(withDiagnostics).map(withExplanation),
        nextCursor: null,
      }),
    ],
    [
      `${ofTeam}/members`,
      people.memberList.parse({ data: [member("ada", "admin"), member("bob", "viewer")], nextCursor: null }),
    ],
    [`${ofTeam}/invitations`, people.invitationList.parse({ data: [], nextCursor: null })],
    [`${ofTeam}/activity`, people.activityList.parse({ data: activity, nextCursor: null })],
    ["/v1/keys", keyList.parse({ data: [KEY], nextCursor: null })],
    ["/v1/usage", usage.parse(USAGE)],
    ["/v1/usage/history", usageHistory.parse(USAGE_HISTORY)],
    ["/v1/billing", billingView.parse(BILLING)],
    ["/v1/sessions", sessions.sessionList.parse({ data: SESSIONS, nextCursor: null })],
    ...fleetAnswers(NOW, REVIEWED.id),
    ...baselineAnswers({ before: imageOf("scr_1_price-before"), after: imageOf("scr_1_price") }),
    ...noiseAnswers(imageOf("scr_1_price-before")),
    ...configurationAnswers,
    ...peopleAnswers(runView.parse(REVIEWED), imageOf("scr_1_price"), TEAM.id),
    ...webhookAnswers,
    ...connectionAnswers,
    ...overviewAnswers(NOW),
    ...signInAnswers(TEAM.id),
    ...monitorAnswers(REVIEWED.id),
    ...settingsAnswers(TEAM.id),
    comparisonAnswer(REVIEWED.id, imageOf("scr_1_price-before"), imageOf("scr_1_price")),
  ]);
  return { json, images };
}

const KEY = {
  ...{
    id: "key_1",
    name: "CI",
    role: "reviewer",
    scope: "team",
    project: null,
    repository: null,
    tail: "x7Qz",
  },
  createdAt: "2026-10-02T08:00:00.000Z",
  lastUsedAt: "2026-11-20T11:58:00.000Z",
  expiresAt: "2027-10-02T08:00:00.000Z",
};
const USAGE = {
  plan: "business",
  period: { start: "2026-11-01T00:00:00.000Z", end: "2026-12-01T00:00:00.000Z" },
  runs: { used: 412, limit: 1000 },
  screenshots: { used: 18_230, limit: 20_000 },
  monitors: { used: 3, limit: null },
  members: { used: 2, limit: 25 },
  retentionDays: 90,
};
const USAGE_HISTORY = {
  data: ["11", "10", "09"].map((month, index) => ({
    period: { start: `2026-${month}-01T00:00:00.000Z`, end: `2026-${Number(month) + 1}-01T00:00:00.000Z` },
    runs: 412 - index * 40,
    screenshots: 18_230 - index * 4000,
  })),
  forecast: {
    runs: { used: 618, limitReachedAt: null },
    screenshots: { used: 27_345, limitReachedAt: "2026-11-22T08:00:00.000Z" },
  },
};
const SESSIONS = ["Firefox on Linux", "Safari on iPhone", null].map((browser, index) => ({
  ...{ id: `ses_${index}`, browser, current: index === 0, signedInWith: "code-host" },
  createdAt: `2026-11-${18 - index}T08:00:00.000Z`,
  usedAt: "2026-11-20T11:00:00.000Z",
  expiresAt: "2026-12-20T11:00:00.000Z",
}));
const BILLING = {
  ...{ enabled: false, plan: "business", status: "none", subscribedPlan: null, renewsAt: null },
  ...{ cancelsAt: null, paymentFailed: false, graceUntil: null, historyKeptUntil: null },
};

/** Noise fields of a screenshot. Most have none. */
function withNoise<Screenshot extends { id: string }>(shot: Screenshot) {
  const region = { x: 80, y: 360, width: 1120, height: 120, pixels: 1234 };
  const isNoisy = shot.id === "scr_1_price";
  const flakeScore = { scr_1_price: 0.12, scr_9_plans: 0.08 }[shot.id] ?? 0;
  const ignored = isNoisy ? { pixels: region.pixels, regions: [region] } : { pixels: 0, regions: [] };
  return { ...shot, ignored, flakeScore };
}

/** Diagnostics of a screenshot. Most have none. */
function withDiagnostics<Screenshot extends { id: string }>(shot: Screenshot) {
  const { pageErrors, ...others } = diagnosticsAt("https://pr-482.preview.acme.test");
  const diagnostics = { ...others, pageErrors: pageErrors.map(error => ({ ...error, isNew: true })) };
  return { ...shot, diagnostics: shot.id === "scr_1_price" ? diagnostics : null };
}

/** Why a screenshot changed, if that is known. */
function withExplanation<Screenshot extends { id: string }>(shot: Screenshot) {
  return { ...shot, explanation: EXPLANATIONS[shot.id] ?? null };
}

function imageOf(name: string): string {
  return `http://own/v1/images/${name}.png`;
}

async function ownScreenshots(images: Map<string, Buffer>) {
  const keep = (name: string, png: Buffer) => {
    images.set(`/v1/images/${name}.png`, png);
    return imageOf(name);
  };
  const pair = async (id: string, route: string, height: number, fingerprint: string) => {
    const [before, after] = await Promise.all([draw(2400, "#204060"), draw(height, "#a03a3a")]);
    const { mask, regions, diffPixels, diffRatio } = await compareScreenshots(before, after);
    return screenshot({
      ...{ id, route, status: "changed", height, diffPixels, diffRatio, regions, fingerprint },
      baseline: { runId: "run_01k8z4gggg", reason: "main at the merge base", width: 1280, height: 2400 },
      images: {
        baseline: keep(`${id}-before`, before),
        current: keep(id, after),
        diff: mask && keep(`${id}-mask`, Buffer.from(mask)),
      },
    });
  };
  const minor = async (id: string, route: string, edge: number) => {
    const [before, after] = await Promise.all([draw(2400, "#204060"), draw(2400, "#204060", edge)]);
    const { mask, regions, diffPixels, diffRatio } = await compareScreenshots(before, after);
    return screenshot({
      ...{ id, route, height: 2400, diffPixels, diffRatio, regions, minor: true },
      baseline: { runId: "run_01k8z4gggg", reason: "main at the merge base", width: 1280, height: 2400 },
      images: {
        baseline: keep(`${id}-before`, before),
        current: keep(id, after),
        diff: mask && keep(`${id}-mask`, Buffer.from(mask)),
      },
    });
  };
  const plain = keep("plain", await draw(3000, "#204060"));
  const none = { current: null, baseline: null, diff: null };
  const bare = { width: null, height: null, diffRatio: null, diffPixels: null };
  return [
    await pair("scr_1_price", "/pricing", 2700, "f-price"),
    await pair("scr_2_home", "/", 2400, "f-header"),
    {
      ...(await pair("scr_3_about", "/about", 2400, "f-header")),
      review: { state: "pending", approvals: 1, required: 2 },
      reviews: [makeReview("bob", "approved", "10:02")],
    },
    screenshot({
      ...{ id: "scr_4_new", route: "/gifts", status: "new", baseline: null },
      images: { ...none, current: plain },
    }),
    screenshot({
      ...{ id: "scr_5_gone", route: "/sale", status: "removed", ...bare },
      images: { ...none, baseline: plain },
    }),
    screenshot({
      ...{ id: "scr_6_failed", route: "/checkout", status: "failed", ...bare },
      error: "The page answered 502 Bad Gateway. Check that the preview is up, then run again.",
    }),
    await minor("scr_9_plans", "/plans", 20),
    await minor("scr_9_team", "/about/team", 2),
    screenshot({ id: "scr_7_same", route: "/journal", images: { ...none, current: plain } }),
    screenshot({
      ...{ id: "scr_8_live", route: "/live", stable: false, attempts: 5, moving: ["#ticker (text)"] },
      images: { ...none, current: plain },
    }),
  ];
}

/** A page without text, so that fonts don't matter. @param badge edge of a small square on it, px */
async function draw(height: number, header: string, badge = 0): Promise<Buffer> {
  const block = (y: number, width: number, fill: string) =>
    `<rect x="80" y="${y}" width="${width}" height="120" rx="12" fill="${fill}"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="${height}">
    <rect width="1280" height="${height}" fill="#fff"/><rect width="1280" height="96" fill="${header}"/>
    ${block(180, 640, "#d8dde3")}${block(360, 1120, "#eceff2")}${block(height - 240, 1120, header)}
    <rect x="1140" y="36" width="${badge}" height="${badge}" fill="#e0b040"/></svg>`;
  return await sharp(Buffer.from(svg)).png().toBuffer();
}
