import { type EntityManager, openJson, sealJson, secretsOf } from "../../../mixins/database.ts";
import {
  CHAT_APP_TOOLS,
  type ChatAppTool,
  type ChatPerson,
} from "../../../shared/contracts/monitors/chat-apps.ts";

const PURPOSE = "chat app";

/** An app of a chat tool. */
export interface ChatApp {
  tool: ChatAppTool;
  /** Verifies its requests. */
  secret: string;
  changedBy: string;
  changedAt: Date;
}

type Row = Omit<ChatApp, "secret" | "changedAt"> & { target: { secret: string }; changedAt: Date | string };

/** Finds the apps of a team. */
export async function findChatApps(em: EntityManager, teamId: string): Promise<ChatApp[]> {
  const rows: Row[] = await em.execute(
    `select tool, target, changed_by as "changedBy", changed_at as "changedAt" from alerts.chat_app where team_id = ?`,
    [teamId],
  );
  return rows.map(({ target, changedAt, ...row }) => ({
    ...row,
    secret: openJson(secretsOf(em), target, PURPOSE).secret,
    changedAt: new Date(changedAt),
  }));
}

/** Returns the tool with this name. Null for another text. */
export function chatToolOf(name: string | undefined): ChatAppTool | null {
  return CHAT_APP_TOOLS.find(tool => tool === name) ?? null;
}

export async function putChatApp(
  em: EntityManager,
  { id, teamId, tool, secret, changedBy }: Omit<ChatApp, "changedAt"> & { id: string; teamId: string },
): Promise<void> {
  await em.execute(
    `insert into alerts.chat_app (id, team_id, tool, target, changed_by) values (?, ?, ?, ?::jsonb, ?)
     on conflict (team_id, tool) do update set target = excluded.target, changed_by = excluded.changed_by,
       changed_at = now()`,
    [id, teamId, tool, JSON.stringify(sealJson(secretsOf(em), { secret }, PURPOSE)), changedBy],
  );
}

/** Deletes an app, and the links of its people. */
export async function deleteChatApp(em: EntityManager, teamId: string, tool: ChatAppTool): Promise<void> {
  await em.execute("delete from alerts.chat_app where team_id = ? and tool = ?", [teamId, tool]);
  await em.execute("delete from alerts.chat_person where team_id = ? and tool = ?", [teamId, tool]);
}

/** Deletes the apps of a deleted team. */
export async function deleteTeamChatApps(em: EntityManager, teamId: string): Promise<void> {
  await em.execute("delete from alerts.chat_app where team_id = ?", [teamId]);
  await em.execute("delete from alerts.chat_person where team_id = ?", [teamId]);
}

/** Notes a verified request. @returns whether it is the first one with this digest */
export async function insertRequest(em: EntityManager, digest: string): Promise<boolean> {
  await em.execute("delete from alerts.chat_request where at < now() - interval '1 hour'");
  const rows: object[] = await em.execute(
    "insert into alerts.chat_request (digest) values (?) on conflict do nothing returning digest",
    [digest],
  );
  return rows.length === 1;
}

type Person = Pick<ChatPerson, "teamId" | "tool" | "workspaceId" | "userId">;

/** A user who linked a person of a chat tool. */
export interface LinkedUser {
  userId: string;
  /** The identity provider of the user's session. Null for the code host. */
  provider: string | null;
}

/** Finds the user who linked a person of a chat tool. */
export async function findLinkedUser(
  em: EntityManager,
  { teamId, tool, workspaceId, userId }: Person,
): Promise<LinkedUser | null> {
  const rows: LinkedUser[] = await em.execute(
    `select user_id as "userId", provider from alerts.chat_person
     where team_id = ? and tool = ? and workspace_id = ? and chat_user_id = ?`,
    [teamId, tool, workspaceId, userId],
  );
  return rows[0] ?? null;
}

export async function putPerson(
  em: EntityManager,
  person: Person,
  { userId, provider }: LinkedUser,
): Promise<void> {
  await em.execute(
    `insert into alerts.chat_person (team_id, tool, workspace_id, chat_user_id, user_id, provider)
     values (?, ?, ?, ?, ?, ?)
     on conflict (team_id, tool, workspace_id, chat_user_id) do update set user_id = excluded.user_id,
       provider = excluded.provider, linked_at = now()`,
    [person.teamId, person.tool, person.workspaceId, person.userId, userId, provider],
  );
}

export async function deletePeopleOf(em: EntityManager, userId: string): Promise<void> {
  await em.execute("delete from alerts.chat_person where user_id = ?", [userId]);
}
