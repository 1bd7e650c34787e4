import { refuseUrl } from "../../../shared/capture/network/address-guard.ts";
import type { ProjectChatBody, ProjectChatView } from "../../../shared/contracts/monitors/project-chat.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { invalidField } from "../../../shared/errors.ts";
import { newId } from "../../../shared/ids.ts";
import type { AlertsContext } from "../alerts-context.ts";
import { noteActivity } from "../decisions/snooze-monitor.ts";
import { urlTail } from "../notifications/receiver.ts";
import { WEBHOOK_TEXTS } from "../texts.ts";
import { deleteProjectChat, findProjectChat, putProjectChat } from "./project-chat.store.ts";

/** Returns the chat channel of a project, without the secret part of its URL. */
export async function readProjectChat(
  { em }: AlertsContext,
  { teamId }: Caller,
  project: string,
): Promise<ProjectChatView> {
  const chat = await findProjectChat(em(), teamId, project);
  return {
    project,
    slack: chat && urlTail(chat.address),
    changedBy: chat?.changedBy ?? null,
    changedAt: chat?.changedAt.toISOString() ?? null,
  };
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
    refuseAddress(context, slack);
    const chat = { id: newId("whk"), address: slack, changedBy: actor.name };
    await putProjectChat(context.em(), { ...chat, teamId, project });
  }
  const details = { chat: slack === null ? "-" : urlTail(slack) };
  await noteActivity(context, { teamId, type: "project.changed", actor, target: project, details });
  return readProjectChat(context, caller, project);
}

function refuseAddress({ policy }: AlertsContext, address: string): void {
  const refusal = refuseUrl(new URL(address), policy);
  if (refusal !== null) throw invalidField("slack", WEBHOOK_TEXTS.notAllowed(refusal));
}
