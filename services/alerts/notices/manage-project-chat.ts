import type { ListQuery } from "../../../shared/contracts/fields.ts";
import type {
  ProjectChatBody,
  ProjectChatList,
  ProjectChatView,
} from "../../../shared/contracts/monitors/project-chat.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { newId } from "../../../shared/ids.ts";
import { decodeCursor, pageOf } from "../../../shared/pagination.ts";
import type { AlertsContext } from "../alerts-context.ts";
import { noteActivity } from "../decisions/snooze-monitor.ts";
import { urlTail } from "../notifications/receiver.ts";
import { refuseReceiver } from "../notifications/refuse-receiver.ts";
import {
  deleteProjectChat,
  findProjectChats,
  type ProjectChatRow,
  putProjectChat,
} from "./project-chat.store.ts";

const CHATS = "chat-channels";

/** Returns the chat channel of a project, without the secret part of its URL. */
export async function readProjectChat(
  { em }: AlertsContext,
  { teamId }: Caller,
  project: string,
): Promise<ProjectChatView> {
  const [chat] = await findProjectChats(em(), teamId, { project }, 1);
  return chat ? viewOf(chat) : { project, slack: null, changedBy: null, changedAt: null, lastMessage: null };
}

/** Lists the chat channels of a team's projects. */
export async function listProjectChats(
  { em }: AlertsContext,
  { teamId }: Caller,
  { query: { limit, cursor } }: { query: ListQuery },
): Promise<ProjectChatList> {
  const after = decodeCursor(CHATS, cursor);
  return pageOf(CHATS, await findProjectChats(em(), teamId, { after }, limit + 1), limit, viewOf);
}

function viewOf({ project, address, changedBy, changedAt, last }: ProjectChatRow): ProjectChatView {
  const slack = urlTail(address);
  return { project, slack, changedBy, changedAt: changedAt.toISOString(), lastMessage: last };
}

/** Sets or removes the chat channel of a project. @throws ServiceError invalid_request */
export async function changeProjectChat(
  context: AlertsContext,
  caller: Caller,
  { project, slack }: { project: string } & ProjectChatBody,
): Promise<ProjectChatView> {
  const { teamId, actor } = caller;
  if (slack === null) {
    if (!(await deleteProjectChat(context.em(), teamId, project)))
      return readProjectChat(context, caller, project);
  } else {
    refuseReceiver(context, "slack", slack);
    const chat = { id: newId("whk"), address: slack, changedBy: actor.name };
    await putProjectChat(context.em(), { ...chat, teamId, project });
  }
  const details = { chat: slack === null ? "-" : urlTail(slack) };
  await noteActivity(context, { teamId, type: "project.changed", actor, target: project, details });
  return readProjectChat(context, caller, project);
}
