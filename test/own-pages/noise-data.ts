import { ignoreRegionList } from "../../shared/contracts/noise/ignore-rules.ts";
import { noiseView } from "../../shared/contracts/noise/noise.ts";

const PROJECT = "acme/shop";
const DAYS = 30;
const DAY_MS = 24 * 3_600_000;

/** The days before the captured one, with noise on every `each`th. */
function history(each: number, top: number) {
  return Array.from({ length: DAYS }, (_, index) => ({
    day: new Date(Date.parse("2026-11-20") - (DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10),
    captures: 4,
    noisy: index % each === 0 ? 1 : 0,
    score: (top * index) / (DAYS - 1),
  }));
}

/** Responses of the service about noise, by path. @param image of a page of 1,280 × 2,400 px */
export function noiseAnswers(image: string): [string, unknown][] {
  const pages = [
    ["/pricing", 1280, 0.12, 3],
    ["/", 375, 0.06, 6],
    ["/about/a-route-with-a-name-that-is-longer-than-its-column", 1280, 0.01, 30],
  ] as const;
  const suggestion = (route: string, y: number, kinds: string[]) => ({
    ...{ state: null, environment: null },
    ...{ route, viewport: 1280, x: 80, y, width: 640, height: 120, observations: 4, kinds },
    lastAt: "2026-11-19T10:00:00.000Z",
    screenshot: { id: "scr_1_price", runId: "run_01k8z4gggg", image, width: 1280, height: 2400 },
  });
  const rerun = (id: string, day: number, own: object) => ({
    ...{ runId: `run_${id}`, ofRunId: "run_01k8z4gggg", at: `2026-11-${day}T08:31:40.000Z` },
    ...{ compared: 8, falseAlarms: 0, skipped: null, kept: true },
    ...own,
  });
  return [
    [
      "/v1/noise",
      noiseView.parse({
        ...{ project: PROJECT, projectId: "prj_1" },
        pages: pages.map(([route, viewport, score, each]) => ({
          ...{ state: null, environment: null },
          ...{ route, viewport, score, captures: 120, noisy: DAYS / each },
          ...{ lastAt: "2026-11-19T10:00:00.000Z", history: history(each, score) },
        })),
        suggestions: [
          suggestion("/pricing", 180, ["unstable", "rejectedAsNoise"]),
          { ...suggestion("/live", 2160, ["nullRerun"]), screenshot: null },
        ],
        nullReruns: {
          ...{ enabled: true, compared: 16, falseAlarms: 1, rate: 1 / 16 },
          history: [
            rerun("01k8z4nnnn", 19, { falseAlarms: 1 }),
            rerun("01k8z4mmmm", 18, {}),
            rerun("01k8z4llll", 17, {
              ...{ compared: null, falseAlarms: null, skipped: "plan_limit_exceeded", kept: false },
            }),
          ],
        },
      }),
    ],
    [
      "/v1/ignore-regions",
      ignoreRegionList.parse({
        data: [
          {
            ...{ id: "ign_1", project: PROJECT, route: "/pricing", viewport: 1280 },
            ...{ state: null, environment: null },
            ...{ x: 80, y: 360, width: 1120, height: 120, reason: "The number of visitors" },
            ...{ acceptedBy: "ada", acceptedAt: "2026-11-12T10:00:00.000Z" },
            ...{ threshold: null, appliesTo: "page", changedBy: null, changedAt: null },
            ...{ expiresAt: null, isActive: true },
          },
          {
            ...{ id: "ign_2", project: PROJECT, route: "/", viewport: 1280, state: null, environment: null },
            ...{ x: 960, y: 640, width: 300, height: 80, reason: "Chat button" },
            ...{ acceptedBy: "grace", acceptedAt: "2026-11-10T10:00:00.000Z" },
            ...{
              threshold: null,
              appliesTo: "project",
              changedBy: "ada",
              changedAt: "2026-11-11T10:00:00.000Z",
            },
            ...{ expiresAt: "2026-12-24T10:00:00.000Z", isActive: true },
          },
          {
            ...{
              id: "ign_3",
              project: PROJECT,
              route: "/map",
              viewport: 375,
              state: null,
              environment: null,
            },
            ...{ x: 0, y: 0, width: 0, height: 0, reason: null },
            ...{ acceptedBy: "ada", acceptedAt: "2026-11-09T10:00:00.000Z" },
            ...{ threshold: 0.05, appliesTo: "widths", changedBy: null, changedAt: null },
            ...{ expiresAt: null, isActive: true },
          },
        ],
        nextCursor: null,
      }),
    ],
  ];
}
