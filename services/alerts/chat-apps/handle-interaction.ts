import { createHash } from "node:crypto";
import { type Bus, call } from "../../../shared/contracts/bus.ts";
import type { ChatAppTool } from "../../../shared/contracts/monitors/chat-apps.ts";
import type { Delivery, DeliveryAnswer } from "../../../shared/contracts/platform/delivery.ts";
import { ROLES } from "../../../shared/contracts/runs/runs.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import type { Links } from "../../../shared/links/links.ts";
import type { AlertsContext } from "../alerts-context.ts";
import { CHAT_APP_TEXTS as TEXTS } from "../texts.ts";
import { answerDiscord, answerSlack, type Reply } from "./answer-click.ts";
import { chatToolOf, findChatApps, findLinkedUser, insertRequest } from "./chat-app.store.ts";
import { isSignedByDiscord, isSignedBySlack } from "./chat-signature.rule.ts";
import { type Click, readDiscordClick, readSlackClick } from "./read-interaction.ts";

/** A person needs a moment to sign in. */
const LINK_MINUTES = 15;
const REFUSALS = new Set(["forbidden", "not_found", "conflict", "invalid_request", "plan_limit_exceeded"]);
const UNKNOWN: DeliveryAnswer = { status: 400, body: { message: "unknown interaction" } };
const REFUSED: DeliveryAnswer = { status: 401, body: { message: "invalid signature" } };
/** Types of Discord's responses (https://discord.com/developers/docs/interactions/receiving-and-responding). */
const DISCORD = { pong: 1, deferredUpdate: 6 } as const;

/** The dependencies of interactions. */
export interface InteractionContext extends AlertsContext {
  /** Returns the bus for requests on behalf of a member. */
  as(caller: Caller): Bus;
  links(): Promise<Links>;
}

/**
 * Handles a click on a button of a message. Each request counts once, so it can't be replayed. Chat tools
 * wait for three seconds only, so they get an answer at once, and the result later.
 */
export async function handleInteraction(
  context: InteractionContext,
  { headers, params, body: encoded }: Delivery,
): Promise<DeliveryAnswer> {
  const body = Buffer.from(encoded, "base64");
  const tool = chatToolOf(params.tool);
  const { team: teamId = "" } = params;
  const app = tool && (await findChatApps(context.em(), teamId)).find(each => each.tool === tool);
  if (!tool || !app) return REFUSED;
  const isSigned = tool === "slack" ? isSignedBySlack : isSignedByDiscord;
  const request = { ...signedHeaders(tool, headers), body };
  if (!isSigned(app.secret, request, Date.now())) return REFUSED;
  const digest = createHash("sha256").update(
    // A signature in capitals is the same one.
    JSON.stringify([teamId, tool, request.timestamp, request.signature.toLowerCase()]),
  );
  if (!(await insertRequest(context.em(), digest.digest("hex")))) return REFUSED;
  return tool === "slack" ? takeSlack(context, teamId, body) : takeDiscord(context, teamId, body);
}

function takeSlack(context: InteractionContext, teamId: string, body: Buffer): DeliveryAnswer {
  const click = readSlackClick(body);
  if (!click) return UNKNOWN;
  if (click !== "link")
    decide(context, teamId, "slack", click)
      .then(reply => answerSlack(context, click, reply))
      .catch(error => context.warn(error, TEXTS.notAnswered));
  return { status: 200, body: {} };
}

function takeDiscord(context: InteractionContext, teamId: string, body: Buffer): DeliveryAnswer {
  const click = readDiscordClick(body);
  if (!click) return UNKNOWN;
  if (click === "ping") return { status: 200, body: { type: DISCORD.pong } };
  decide(context, teamId, "discord", click)
    .then(reply => answerDiscord(context, click, reply))
    .catch(error => context.warn(error, TEXTS.notAnswered));
  return { status: 200, body: { type: DISCORD.deferredUpdate } };
}

function signedHeaders(tool: ChatAppTool, headers: Record<string, string>) {
  const [time, signature] =
    tool === "slack"
      ? ["x-slack-request-timestamp", "x-slack-signature"]
      : ["x-signature-timestamp", "x-signature-ed25519"];
  return { timestamp: headers[time] ?? "", signature: headers[signature] ?? "" };
}

/** Decides a run on behalf of the member, with the member's rights at this moment. */
async function decide(
  context: InteractionContext,
  teamId: string,
  tool: ChatAppTool,
  click: Click,
): Promise<Reply> {
  const person = { teamId, tool, workspaceId: click.workspaceId, userId: click.userId };
  const user = await findLinkedUser(context.em(), person);
  const member = user && (await call(context.bus, "teams.memberById", { teamId, ...user }));
  // A team that enforces its provider since then asks for a sign-in with it.
  if (!user || member?.isClosed) {
    const until = Date.now() + LINK_MINUTES * 60_000;
    const links = await context.links();
    return {
      ...{ text: TEXTS.linkFirst(LINK_MINUTES), isDecided: false },
      link: { label: TEXTS.link, url: links.chatPerson({ ...person, name: click.name, until }) },
    };
  }
  if (!member) return { text: TEXTS.noMember, isDecided: false };
  if (ROLES.indexOf(member.role) < ROLES.indexOf("reviewer"))
    return { text: TEXTS.needsReviewer, isDecided: false };
  const { role, actor } = member;
  return await review(context, { teamId, role, actor }, tool, click);
}

async function review(
  { as, baseUrl, warn }: InteractionContext,
  caller: Caller,
  tool: ChatAppTool,
  { runId, decision }: Click,
): Promise<Reply> {
  const { name } = caller.actor;
  const link = { label: TEXTS.open, url: `${baseUrl}/runs/${runId}` };
  try {
    if (decision === "reject") {
      await call(as(caller), "runs.reject", { runId, reason: TEXTS.reason(tool) });
      return { text: TEXTS.rejected(name), link, isDecided: true };
    }
    const { pending } = await call(as(caller), "runs.approve", { runId });
    // Others need the buttons for their approvals.
    if (pending > 0) return { text: TEXTS.needsOthers(pending), link, isDecided: false };
    return { text: TEXTS.approved(name), link, isDecided: true };
  } catch (error) {
    if (isRefusal(error)) return { text: error.message, isDecided: false };
    // Other messages are for operators.
    warn(error, TEXTS.notReviewed);
    return { text: TEXTS.failed, isDecided: false };
  }
}

/** Whether a service refused the decision, with a message for the member. */
function isRefusal(error: unknown): error is Error {
  return error instanceof Error && "type" in error && REFUSALS.has(String(error.type));
}
