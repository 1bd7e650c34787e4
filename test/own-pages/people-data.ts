import { projectChatView } from "../../shared/contracts/monitors/project-chat.ts";
import { inbox } from "../../shared/contracts/runs/inbox.ts";
import { reviewerRulesView, runReviewers } from "../../shared/contracts/runs/reviewers.ts";
import type { RunView } from "../../shared/contracts/runs/runs.ts";
import { noticePreferencesView } from "../../shared/contracts/teams/notices.ts";

const PROJECT = "/v1/projects/acme%2Fshop";

/** Responses about the inbox, reviewers and notifications. @param image of a page of 1280 × 900 px */
export function peopleAnswers(run: RunView, image: string): [string, unknown][] {
  const ada = { id: "user_ada", login: "ada", assignedAt: run.createdAt };
  const reviewers = [
    { ...ada, assignedBy: null },
    { ...ada, id: "user_bob", login: "bob", assignedBy: "ada" },
  ];
  const page = { route: "/pricing", state: null, environment: null, viewport: 1280 };
  const size = { width: 1280, height: 900, image };
  const shot = { ...page, ...size, id: "scr_1_price", status: "changed", diffRatio: 0.018 };
  const item = {
    run,
    open: 4,
    isAssigned: true,
    reviewers,
    screenshots: [
      { ...shot, regions: [{ x: 40, y: 120, width: 400, height: 60 }] },
      { ...shot, id: "scr_2_home", regions: [] },
    ],
    mentions: [
      {
        ...{ commentId: "com_1", screenshotId: "scr_1_price", by: "bob" },
        ...{ text: "@ada is this the new green?", at: run.createdAt },
      },
    ],
    superseded: ["run_01k8z4m2q6"],
    commit: {
      ...{ message: "Fix the header on small screens", author: "bob" },
      links: {
        branch: "https://github.com/acme/shop/tree/fix-header",
        pullRequest: "https://github.com/acme/shop/pull/482",
        commit: "https://github.com/acme/shop/commit/3f9c1aa",
      },
    },
  };
  return [
    ["/v1/inbox", inbox.parse({ data: [item], nextCursor: null, counts: { mine: 1, all: 1, mentions: 1 } })],
    [`/v1/runs/${run.id}/reviewers`, runReviewers.parse({ reviewers })],
    [
      `${PROJECT}/reviewers`,
      reviewerRulesView.parse({
        project: "acme/shop",
        rules: [{ routes: ["/pricing*"], reviewers: ["ada"] }],
      }),
    ],
    [
      `${PROJECT}/chat`,
      projectChatView.parse({
        ...{ project: "acme/shop", slack: "hooks.slack.com/…aB3d" },
        ...{ changedBy: "ada", changedAt: run.createdAt },
      }),
    ],
    [
      "/v1/account/notices",
      noticePreferencesView.parse({
        ...{ reviews: "assigned", mentions: true, decisions: true, monitors: false },
        email: "ada@example.com",
      }),
    ],
  ];
}
