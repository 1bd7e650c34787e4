import { type EntityManager, openJson, sealJson, secretsOf } from "../../../mixins/database.ts";

const PURPOSE = "project chat";

/** The chat webhook of a project. */
export interface ProjectChat {
  id: string;
  address: string;
  changedBy: string;
  changedAt: Date;
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
