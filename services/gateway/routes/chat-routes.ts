import { chatAppBody, chatAppList, chatAppView } from "../../../shared/contracts/monitors/chat-apps.ts";
import { linkChatPerson, showChatLinkPage } from "../handlers/chat/serve-chat-link.ts";
import { deliveryRoute } from "./delivery-route.ts";
import { actionRoute, type Route } from "./route.ts";

const LINK = "/v1/chat/link/:content/:signature";

/** Routes of apps of chat tools, whose buttons review runs. */
export const CHAT_ROUTES: Record<string, Route> = {
  "GET /v1/teams/:id/chat-apps": actionRoute("alerts.chatApps", {
    role: "admin",
    teamInPath: true,
    summary: "List the chat tools whose buttons can review runs, and the URL to set in each app",
    answers: { 200: chatAppList },
    input: () => ({}),
  }),
  "PUT /v1/teams/:id/chat-apps/:tool": actionRoute("alerts.putChatApp", {
    role: "admin",
    teamInPath: true,
    summary: "Set the Slack app or Discord application of a team",
    body: chatAppBody,
    answers: { 200: chatAppView },
    input: ({ params: { tool = "" }, body }) => ({ tool, ...body }),
  }),
  "DELETE /v1/teams/:id/chat-apps/:tool": actionRoute("alerts.deleteChatApp", {
    role: "admin",
    teamInPath: true,
    summary: "Remove the app of a chat tool, and the links of its people",
    answers: { 204: null },
    input: ({ params: { tool = "" } }) => ({ tool }),
  }),
  "DELETE /v1/account/chat-links": actionRoute("alerts.unlinkChatPeople", {
    role: "any",
    summary: "Unlink all people of chat tools that can review as you",
    answers: { 204: null },
    input: () => ({}),
  }),
  "POST /v1/chat/:tool/:team": deliveryRoute("alerts.chatInteraction", {
    summary: "Receive a click on a button of a chat message. Its signature gives access",
    headers: [
      "x-slack-request-timestamp",
      "x-slack-signature",
      "x-signature-timestamp",
      "x-signature-ed25519",
    ],
    answers: { 200: "application/json", 400: "application/json", 401: "application/json" },
  }),
  [`GET ${LINK}`]: {
    role: "signed",
    summary: "Show a page that links a person of a chat tool to the signed-in user",
    answers: { 200: "text/html" },
    serve: showChatLinkPage,
  },
  [`POST ${LINK}`]: {
    role: "signed",
    summary: "Link a person of a chat tool to the signed-in user",
    answers: { 200: "text/html" },
    serve: linkChatPerson,
  },
};
