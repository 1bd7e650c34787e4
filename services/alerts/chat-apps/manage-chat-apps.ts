import {
  CHAT_APP_TOOLS,
  type ChatAppList,
  type ChatAppTool,
  type ChatAppView,
  type ChatPerson,
} from "../../../shared/contracts/monitors/chat-apps.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { invalidField, notFound, ServiceError } from "../../../shared/errors.ts";
import { newId } from "../../../shared/ids.ts";
import type { AlertsContext } from "../alerts-context.ts";
import { noteActivity } from "../decisions/snooze-monitor.ts";
import { CHAT_APP_TEXTS } from "../texts.ts";
import {
  type ChatApp,
  chatToolOf,
  deleteChatApp,
  deletePeopleOf,
  findChatApps,
  type LinkedUser,
  putChatApp,
  putPerson,
} from "./chat-app.store.ts";
import { isWeakKey } from "./weak-key.rule.ts";

const SECRET_CHARS = { slack: 32, discord: 64 };

/** Lists the chat tools with buttons, and whether the team has an app for each. */
export async function listChatApps(context: AlertsContext, { teamId }: Caller): Promise<ChatAppList> {
  const apps = await findChatApps(context.em(), teamId);
  return { data: CHAT_APP_TOOLS.map(tool => viewOf(context, teamId, tool, apps)) };
}

/** Sets the app of a tool. A new secret removes the links of its people. @throws ServiceError not_found for another tool, invalid_request */
export async function changeChatApp(
  context: AlertsContext,
  caller: Caller,
  { tool: name, secret }: { tool: string; secret: string },
): Promise<ChatAppView> {
  const { teamId, actor } = caller;
  const tool = requireTool(name);
  if (secret.length !== SECRET_CHARS[tool])
    throw invalidField("secret", CHAT_APP_TEXTS.secretChars(tool, SECRET_CHARS[tool]));
  if (isPlaceholder(secret) || (tool === "discord" && isWeakKey(secret)))
    throw invalidField("secret", CHAT_APP_TEXTS.weakSecret(tool));
  // Who has the secret can click as everyone who is linked. They linked with the app before.
  const before = (await findChatApps(context.em(), teamId)).find(app => app.tool === tool);
  if (before && before.secret !== secret) await deleteChatApp(context.em(), teamId, tool);
  await putChatApp(context.em(), { id: newId("whk"), teamId, tool, secret, changedBy: actor.name });
  await note(context, caller, tool, "set");
  return viewOf(context, teamId, tool, await findChatApps(context.em(), teamId));
}

/** Removes the app of a tool. Its buttons no longer work. */
export async function removeChatApp(
  context: AlertsContext,
  caller: Caller,
  { tool: name }: { tool: string },
): Promise<null> {
  const tool = requireTool(name);
  await deleteChatApp(context.em(), caller.teamId, tool);
  await note(context, caller, tool, "-");
  return null;
}

/** Links a person of a chat tool to a user, who confirmed it in a session of the service. */
export async function linkPerson(
  { em }: AlertsContext,
  { person, ...user }: { person: ChatPerson } & LinkedUser,
): Promise<null> {
  await putPerson(em(), person, user);
  return null;
}

/** Removes all links of a user. @throws ServiceError conflict for keys */
export async function unlinkPeople({ em }: AlertsContext, actor: Caller["actor"]): Promise<null> {
  if (actor.kind !== "user") throw new ServiceError("conflict", CHAT_APP_TEXTS.usersOnly);
  await deletePeopleOf(em(), actor.id);
  return null;
}

/** Whether it repeats one digit, which anyone can guess. */
function isPlaceholder(secret: string): boolean {
  return new Set(secret).size === 1;
}

function requireTool(name: string): ChatAppTool {
  const tool = chatToolOf(name);
  if (!tool) throw notFound("chat app", name);
  return tool;
}

async function note(
  context: AlertsContext,
  { teamId, actor }: Caller,
  tool: string,
  app: string,
): Promise<void> {
  await noteActivity(context, { teamId, type: "project.changed", actor, target: tool, details: { app } });
}

function viewOf({ baseUrl }: AlertsContext, teamId: string, tool: ChatAppTool, apps: ChatApp[]): ChatAppView {
  const app = apps.find(each => each.tool === tool);
  return {
    tool,
    requestUrl: `${baseUrl}/v1/chat/${tool}/${teamId}`,
    isSet: app !== undefined,
    changedBy: app?.changedBy ?? null,
    changedAt: app?.changedAt.toISOString() ?? null,
  };
}
