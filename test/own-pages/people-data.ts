import { chatAppList } from "../../shared/contracts/monitors/chat-apps.ts";
import {
  type ProjectChatView,
  projectChatList,
  projectChatView,
} from "../../shared/contracts/monitors/project-chat.ts";
import { inbox } from "../../shared/contracts/reviews/inbox.ts";
import { reviewerRulesView, runReviewers } from "../../shared/contracts/reviews/reviewers.ts";
import type { RunView } from "../../shared/contracts/runs/runs.ts";
import { noticePreferencesView } from "../../shared/contracts/teams/notices.ts";

const PROJECT = "/v1/projects/acme%2Fshop";

const failedTest = (at: string): ProjectChatView["lastMessage"] => ({
  ...{ kind: "test", status: "failed", tries: 1, answer: "404 Unknown Webhook" },
  ...{ createdAt: at, nextTryAt: null, endedAt: at },
});

const chatOf = (project: string, at: string): ProjectChatView => ({
  ...{ project, slack: "hooks.slack.com/…aB3d", changedBy: "ada", changedAt: at },
  lastMessage: {
    ...{ kind: "digest", status: "sent", tries: 1, answer: "200 ok" },
    ...{ createdAt: at, nextTryAt: null, endedAt: at },
  },
});

/** Responses about the inbox, reviewers and notifications. @param image of a page of 1280 × 900 px */
export function peopleAnswers(run: RunView, image: string, teamId: string): [string, unknown][] {
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
    [`${PROJECT}/chat`, projectChatView.parse(chatOf("acme/shop", run.createdAt))],
    [
      `/v1/teams/${teamId}/chat-channels`,
      projectChatList.parse({
        data: [
          chatOf("acme/shop", run.createdAt),
          {
            ...chatOf("acme/docs", run.createdAt),
            slack: "discord.com/…x9Yz",
            lastMessage: failedTest(run.createdAt),
          },
        ],
        nextCursor: null,
      }),
    ],
    [
      `/v1/teams/${teamId}/chat-apps`,
      chatAppList.parse({
        data: (["slack", "discord"] as const).map(tool => ({
          ...{
            tool,
            requestUrl: `https://vrs.example.com/v1/chat/${tool}/${teamId}`,
            isSet: tool === "slack",
          },
          ...{
            changedBy: tool === "slack" ? "ada" : null,
            changedAt: tool === "slack" ? run.createdAt : null,
          },
        })),
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
