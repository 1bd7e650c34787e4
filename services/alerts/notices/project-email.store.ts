import { type EntityManager, openJson, sealJson, secretsOf } from "../../../mixins/database.ts";
import { PROJECT_OF_ALL_MONITORS } from "../../../shared/monitor-project.ts";
import { type ProjectReceiver, receiversOf } from "./email-receivers.rule.ts";

/** Of the sealed addresses. */
export const EMAIL_PURPOSE = "project email";

/** The email addresses of a project. */
export interface ProjectEmail {
  /** Signed in the links that unsubscribe. It stays when the addresses change. */
  id: string;
  project: string;
  addresses: string[];
  /** Addresses that unsubscribed, in lower case. They stay, so that no admin can subscribe them again. */
  optedOut: string[];
  changedBy: string;
  changedAt: Date;
}

interface Row extends Omit<ProjectEmail, "addresses" | "changedAt"> {
  target: { addresses: string[] };
  changedAt: Date | string;
}

/** Finds the email addresses of a project. Null if there never were any. */
export async function findProjectEmail(
  em: EntityManager,
  teamId: string,
  project: string,
): Promise<ProjectEmail | null> {
  const rows: Row[] = await em.execute(
    `select id, project, target, opted_out as "optedOut", changed_by as "changedBy", changed_at as "changedAt"
     from alerts.project_email where team_id = ? and project = ?`,
    [teamId, project],
  );
  const [row] = rows;
  if (!row) return null;
  const { target, changedAt, ...email } = row;
  const { addresses } = openJson(secretsOf(em), target, EMAIL_PURPOSE);
  return { ...email, addresses, changedAt: new Date(changedAt) };
}

/** Finds the addresses that get the alerts of all monitors of a team. */
export async function findReceiversOfMonitors(em: EntityManager, teamId: string): Promise<ProjectReceiver[]> {
  return receiversOf(teamId, await findProjectEmail(em, teamId, PROJECT_OF_ALL_MONITORS));
}

/** Sets the email addresses of a project. Those that unsubscribed stay unsubscribed. */
export async function putProjectEmail(
  em: EntityManager,
  {
    id,
    teamId,
    project,
    addresses,
    changedBy,
  }: Pick<ProjectEmail, "id" | "project" | "addresses" | "changedBy"> & { teamId: string },
): Promise<void> {
  await em.execute(
    `insert into alerts.project_email (id, team_id, project, target, changed_by) values (?, ?, ?, ?::jsonb, ?)
     on conflict (team_id, project) do update set target = excluded.target, changed_by = excluded.changed_by,
       changed_at = now()`,
    [id, teamId, project, JSON.stringify(sealJson(secretsOf(em), { addresses }, EMAIL_PURPOSE)), changedBy],
  );
}

/** Unsubscribes an address from a project. @returns the project; null if the address was unsubscribed already */
export async function optOutOfProject(
  em: EntityManager,
  { teamId, id, address }: { teamId: string; id: string; address: string },
): Promise<string | null> {
  const name = address.toLowerCase();
  const rows: { project: string }[] = await em.execute(
    `update alerts.project_email set opted_out = opted_out || to_jsonb(?::text)
     where id = ? and team_id = ? and not opted_out @> to_jsonb(?::text) returning project`,
    [name, id, teamId, name],
  );
  return rows[0]?.project ?? null;
}

export async function deleteTeamEmails(em: EntityManager, teamId: string): Promise<void> {
  await em.execute("delete from alerts.project_email where team_id = ?", [teamId]);
}
