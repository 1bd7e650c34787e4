import assert from "node:assert/strict";
import { type CardTool, cardToolOf } from "../../../shared/alerts/chat-tool.ts";

const TRIGGER = "/workflows/0123456789abcdef0123456789abcdef/triggers/manual/paths/invoke";

describe("The chat tool of a webhook", () => {
  const addresses: [address: string, tool: CardTool | null][] = [
    ["https://chat.googleapis.com/v1/spaces/AAA/messages?key=k&token=t", "google-chat"],
    ["https://chat.googleapis.com/v2/rooms/AAA/posts", "google-chat"],
    ["https://proxy.example/v1/spaces/AAA/messages", "google-chat"],
    ["https://acme.webhook.office.com/webhookb2/id/IncomingWebhook/x/y", "teams"],
    ["https://outlook.office365.com/webhook/id", "teams"],
    [`https://prod-1.westus.logic.azure.com:443${TRIGGER}?sig=s`, "teams"],
    [
      "https://x.environment.api.powerplatform.com/powerautomate/automations/direct/workflows/w/triggers/manual/paths/invoke",
      "teams",
    ],
    [`https://proxy.example${TRIGGER}`, "teams"],
    ["https://discord.com/api/webhooks/123/abc", "discord"],
    ["https://canary.discord.com/api/v10/webhooks/123/abc?wait=true", "discord"],
    ["https://proxy.example/api/webhooks/123/abc", "discord"],
    ["https://discord.com/api/webhooks/123/abc/slack", null],
    ["https://discord.com/api/webhooks/123/abc/github", null],
    ["https://notdiscord.com/x/webhooks/1", null],
    ["https://prod-1.westus.logic.azure.com/workflows", null],
    ["https://proxy.example/triggers/manual/paths/invoke", null],
    ["https://chat.googleapis.com.example/hook", null],
    ["https://office.com.example/webhook", null],
    ["https://notwebhook.office.com.example/", null],
    ["https://hooks.slack.com/services/T0/B0/x", null],
    ["not an address", null],
  ];
  for (const [address, tool] of addresses)
    it(`is ${tool ?? "none"} for ${address}`, () => assert.equal(cardToolOf(address), tool));
});
