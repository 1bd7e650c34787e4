import { baselineHistory, baselineList } from "../../shared/contracts/runs/baselines.ts";
import { projectList } from "../../shared/contracts/runs/projects.ts";

const PROJECT = "acme/shop";
/** Images as in the pages' data. */
interface Drawn {
  before: string;
  after: string;
}

const approval = (id: string, own: object) => ({
  ...{ id, project: PROJECT, route: "/pricing", viewport: 1280 },
  ...{ state: null, environment: null },
  ...{ branch: "main", pr: null, commit: "3f9c1aa0c2d94be5c6a7f0d1e2b3a4958677d1c0" },
  ...{ inForce: false, removed: false, width: 1280, height: 2400, browser: "chromium 153.0.8010.0" },
  ...{ runId: "run_01k8z4gggg", screenshotId: "scr_1_price", runKept: true, approvedBy: ["ada"] },
  ...{ approvedAt: "2026-11-10T09:00:00.000Z", carriedFrom: null, restored: null },
  ...own,
});

/** Responses of the service about baselines, by path. */
export function baselineAnswers({ before, after }: Drawn): [string, unknown][] {
  const project = {
    ...{ id: "prj_1", name: PROJECT, defaultBranch: "main", createdAt: "2026-03-02T08:00:00.000Z" },
    nullReruns: true,
    ...{ branches: ["main", "next"], pullRequests: [482] },
  };
  const inForce = [
    ["/", 375, before],
    ["/", 1280, before],
    ["/about/a-route-with-a-name-that-is-longer-than-its-column", 1280, after],
    ["/pricing", 1280, after],
  ] as const;
  return [
    ["/v1/projects", projectList.parse({ data: [project], nextCursor: null })],
    [
      "/v1/baselines",
      baselineList.parse({
        data: inForce.map(([route, viewport, image], index) =>
          approval(`bas_${index}`, { route, viewport, image, inForce: true }),
        ),
        nextCursor: null,
      }),
    ],
    ["/v1/baselines/history", baselineHistory.parse({ data: history({ before, after }), nextCursor: null })],
  ];
}

function history({ before, after }: Drawn) {
  const change = {
    diffRatio: 0.081,
    regions: [{ x: 0, y: 0, width: 1280, height: 96 }],
    ...{ width: 1280, height: 2400 },
    images: { current: after, baseline: before, diff: null },
  };
  return [
    approval("bas_3", { image: after, height: 2700, inForce: true, change, approvedBy: ["ada", "bob"] }),
    approval("bas_2", {
      ...{ image: after, height: 2700, branch: null, pr: 482, change, carriedFrom: "run_01k8z4hhhh" },
      approvedAt: "2026-11-09T09:00:00.000Z",
    }),
    approval("bas_1", { image: before, runKept: false, commit: null, change: null }),
  ];
}
