import { type EntityManager, openJson, sealJson, secretsOf } from "../../../mixins/database.ts";
import type { ChatMessageView } from "../../../shared/contracts/monitors/project-chat.ts";

const PURPOSE = "project chat";

/** The chat webhook of a project. */
export interface ProjectChat {
  id: string;
  address: string;
  changedBy: string;
  changedAt: Date;
}

/** A chat webhook with its project and its last message. */
export interface ProjectChatRow extends ProjectChat {
  project: string;
  /** Null if nothing was sent since it was set. */
  last: ChatMessageView | null;
}

interface Row extends Omit<ProjectChatRow, "address" | "changedAt" | "last"> {
  target: { address: string };
  changedAt: Date | string;
  kind: ChatMessageView["kind"] | null;
  status: ChatMessageView["status"];
  tries: number;
  answer: string | null;
  createdAt: Date | string;
  nextAt: Date | string;
  endedAt: Date | string | null;
}

/** Finds a team's chat webhooks with their last messages, oldest first. @param filter one project, or those after an id */
export async function findProjectChats(
  em: EntityManager,
  teamId: string,
  { project, after }: { project?: string; after?: string | undefined },
  limit: number,
): Promise<ProjectChatRow[]> {
  const rows: Row[] = await em.execute(
    `select c.id, c.project, c.target, c.changed_by as "changedBy", c.changed_at as "changedAt", last.kind, last.status,
       last.attempts as tries, last.answer, last.created_at as "createdAt", last.next_at as "nextAt",
       last.ended_at as "endedAt"
     from alerts.project_chat c left join lateral (
       select n.* from alerts.notification n
       where n.team_id = c.team_id and n.receiver = c.project and n.channel = 'slack' and n.monitor_id is null
         and n.created_at >= c.changed_at
       order by n.id desc limit 1) last on true
     where c.team_id = ? and (?::text is null or c.project = ?) and (?::text is null or c.id > ?)
     order by c.id limit ?`,
    [teamId, project ?? null, project ?? null, after ?? null, after ?? null, limit],
  );
  return rows.map(({ id, project: name, target, changedBy, changedAt, ...last }) => ({
    ...{ id, project: name, changedBy, changedAt: new Date(changedAt) },
    address: openJson(secretsOf(em), target, PURPOSE).address,
    last: last.kind === null ? null : messageOf({ ...last, kind: last.kind }),
  }));
}

function messageOf({
  kind,
  status,
  tries,
  answer,
  createdAt,
  nextAt,
  endedAt,
}: Omit<Row, "id" | "project" | "target" | "changedBy" | "changedAt" | "kind"> & {
  kind: ChatMessageView["kind"];
}): ChatMessageView {
  return {
    ...{ kind, status, tries, answer, createdAt: new Date(createdAt).toISOString() },
    nextTryAt: status === "queued" ? new Date(nextAt).toISOString() : null,
    endedAt: endedAt && new Date(endedAt).toISOString(),
  };
}

/**
 * Locks a project's chat webhook, and returns how many seconds ago its recent test messages were queued, newest first.
 */
export async function lockTests(
  tx: EntityManager,
  { teamId, project, seconds }: { teamId: string; project: string; seconds: number },
): Promise<number[]> {
  await tx.execute("select id from alerts.project_chat where team_id = ? and project = ? for update", [
    teamId,
    project,
  ]);
  const rows: { age: string | number }[] = await tx.execute(
    `select extract(epoch from now() - created_at) as age from alerts.notification
     where team_id = ? and receiver = ? and channel = 'slack' and monitor_id is null and kind = 'test'
       and created_at > now() - make_interval(secs => ?) order by id desc`,
    [teamId, project, seconds],
  );
  return rows.map(({ age }) => Number(age));
}

/** Finds the chat webhook of a project. Null without one. */
export async function findProjectChat(
  em: EntityManager,
  teamId: string,
  project: string,
): Promise<ProjectChat | null> {
  const rows: { id: string; target: { address: string }; changedBy: string; changedAt: Date | string }[] =
    await em.execute(
      `select id, target, changed_by as "changedBy", changed_at as "changedAt" from alerts.project_chat
     where team_id = ? and project = ?`,
      [teamId, project],
    );
  const [row] = rows;
  if (!row) return null;
  const { address } = openJson(secretsOf(em), row.target, PURPOSE);
  return { id: row.id, address, changedBy: row.changedBy, changedAt: new Date(row.changedAt) };
}

export async function putProjectChat(
  em: EntityManager,
  {
    id,
    teamId,
    project,
    address,
    changedBy,
  }: Omit<ProjectChat, "changedAt"> & { teamId: string; project: string },
): Promise<void> {
  await em.execute(
    `insert into alerts.project_chat (id, team_id, project, target, changed_by) values (?, ?, ?, ?::jsonb, ?)
     on conflict (team_id, project) do update set target = excluded.target, changed_by = excluded.changed_by,
       changed_at = now()`,
    [id, teamId, project, JSON.stringify(sealJson(secretsOf(em), { address }, PURPOSE)), changedBy],
  );
}

/** Deletes the chat webhook of a project. @returns whether there was one */
export async function deleteProjectChat(
  em: EntityManager,
  teamId: string,
  project: string,
): Promise<boolean> {
  const rows: object[] = await em.execute(
    "delete from alerts.project_chat where team_id = ? and project = ? returning id",
    [teamId, project],
  );
  return rows.length > 0;
}
