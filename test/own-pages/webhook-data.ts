import { type WebhookView, webhookList } from "../../shared/contracts/webhooks/webhooks.ts";

const WORKING: WebhookView = {
  ...{
    id: "whk_1",
    url: "https://ci.example.com/hooks/vrs",
    description: "Starts the release",
    project: "acme/shop",
  },
  ...{ events: ["run.completed", "run.reviewed"], status: "active", pausedBecause: null, pausedAt: null },
  ...{
    failingSince: null,
    previousSecretUntil: null,
    createdBy: "ada",
    createdAt: "2026-03-02T08:00:00.000Z",
  },
};
const PAUSED: WebhookView = {
  ...WORKING,
  ...{ id: "whk_2", url: "https://chat.example.com/in", description: "", project: null },
  ...{ events: ["monitor.down"], status: "paused", pausedBecause: "failures" },
  ...{ pausedAt: "2026-03-02T08:00:00.000Z", failingSince: "2026-02-27T08:00:00.000Z" },
};

/** The answers of the page about webhooks. */
export const webhookAnswers: [string, object][] = [
  ["/v1/webhooks", webhookList.parse({ data: [WORKING, PAUSED] })],
];
