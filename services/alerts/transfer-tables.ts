import { type TableRow, type TeamTable, tableOf, writeTeamRows } from "../../mixins/database/team-rows.ts";
import { type EntityManager, openJson, sealJson, secretsOf } from "../../mixins/database.ts";
import { pageUrl } from "../../shared/contracts/fields.ts";
import { projectEmailBody } from "../../shared/contracts/monitors/project-email.ts";
import type { ImportedRows, ImportRows } from "../../shared/contracts/transfers/transfers.ts";
import { createWebhookBody, WEBHOOK_BOUNDS } from "../../shared/contracts/webhooks/webhooks.ts";
import type { LeftOut } from "../../shared/transfers/export-manifest.ts";
import { EMAIL_PURPOSE } from "./notices/project-email.store.ts";
import { findWebhooks, lockWebhooks } from "./webhooks/webhook.store.ts";
import { newSecret } from "./webhooks/webhook-secret.ts";

const words = (text: string) => text.trim().split(/\s+/);
const PURPOSE = "webhook";

/** A webhook without its secrets. An imported one has a new secret, and is paused until an admin resumes it. */
const WEBHOOK: TeamTable = {
  table: "alerts.webhook",
  key: ["id"],
  columns: words("id team_id project description events target created_by created_at"),
  ofTeam: "t.team_id = ?",
  writes: { status: "'paused'", paused_because: "'member'", paused_at: "now()" },
  arrays: ["events"],
  open: (em, row) => ({ ...row, target: { url: urlOf(em, row) } }),
  close(em, row) {
    const { target, events, project, description } = row;
    const url = typeof target === "object" && target !== null && "url" in target ? target.url : null;
    const { success, data } = createWebhookBody.safeParse({ url, events, project, description });
    if (!success) return null;
    const sealed = sealJson(secretsOf(em), { url: data.url, secret: newSecret(), previous: null }, PURPOSE);
    return { ...row, ...data, target: sealed };
  },
};

/** A URL can have a token in its query. Its path is needed to find the receiver. */
function urlOf(em: EntityManager, { target }: TableRow): string {
  const opened = openJson(secretsOf(em), target, PURPOSE);
  const url = typeof opened === "object" && opened !== null && "url" in opened ? opened.url : null;
  const parsed = new URL(pageUrl.parse(url));
  parsed.search = "";
  return parsed.href;
}

/** Writes rows of a team. Webhooks beyond their limit are left out. @throws InvalidRowError, ServiceError */
export async function importRows(
  em: EntityManager,
  { teamId, table, rows }: ImportRows,
): Promise<ImportedRows> {
  const spec = tableOf(ALERT_TABLES, table);
  if (table !== "webhook") return { written: await writeTeamRows(em, spec, teamId, rows) };
  return await em.transactional(async tx => {
    await lockWebhooks(tx, teamId);
    const known = new Set((await findWebhooks(tx, teamId)).map(({ id }) => id));
    const fresh = rows.filter(({ id }) => !known.has(String(id)));
    const free = Math.max(0, WEBHOOK_BOUNDS.perTeam - known.size);
    return { written: await writeTeamRows(tx, spec, teamId, fresh.slice(0, free)) };
  });
}

/** The tables of this service in an export, by their name there. */
export const ALERT_TABLES: Readonly<Record<string, TeamTable>> = {
  incident: {
    table: "alerts.incident",
    key: ["id"],
    columns:
      words(`id team_id monitor_id monitor_name kind about title check_id run_id opened_at opened_source
      acknowledged_at acknowledged_by assignee_id assignee_login resolved_at resolved_source resolution resolved_by track
      covered`),
    ofTeam: "t.team_id = ?",
    // An open one would alert in two installations.
    where: "t.resolved_at is not null",
    arrays: ["covered"],
    // The last two are missing in files of an earlier version.
    close: (_em, row) =>
      typeof row.resolved_at === "string"
        ? { ...row, track: row.track ?? "pages", covered: row.covered ?? [] }
        : null,
  },
  incident_entry: {
    table: "alerts.incident_entry",
    key: ["id"],
    columns: words("id incident_id at entry"),
    ofTeam:
      "t.incident_id in (select i.id from alerts.incident i where i.team_id = ? and i.resolved_at is not null)",
    generated: ["id"],
    exists: `exists (select from alerts.incident_entry e
      where e.incident_id = t.incident_id and e.at = t.at and e.entry = t.entry)`,
  },
  chart_mark: {
    table: "alerts.chart_mark",
    key: ["id"],
    columns: words("id monitor_id team_id kind check_id at until"),
    ofTeam: "t.team_id = ?",
    generated: ["id"],
    exists: `exists (select from alerts.chart_mark m
      where m.monitor_id = t.monitor_id and m.kind = t.kind and m.at = t.at)`,
  },
  webhook: WEBHOOK,
  project_email: {
    table: "alerts.project_email",
    key: ["id"],
    columns: words("id team_id project target opted_out changed_by changed_at"),
    ofTeam: "t.team_id = ?",
    arrays: ["opted_out"],
    open: (em, row) => ({ ...row, target: openJson(secretsOf(em), row.target, EMAIL_PURPOSE) }),
    close(em, row) {
      const { success, data } = projectEmailBody.safeParse(row.target);
      return success ? { ...row, target: sealJson(secretsOf(em), data, EMAIL_PURPOSE) } : null;
    },
  },
};

/** Returns the secrets of this service that an export leaves out. */
export async function listLeftOut(em: EntityManager, teamId: string): Promise<LeftOut[]> {
  const webhooks = await findWebhooks(em, teamId);
  const chats: { project: string }[] = await em.execute(
    "select project from alerts.project_chat where team_id = ? order by project",
    [teamId],
  );
  const apps: { tool: string }[] = await em.execute(
    "select tool from alerts.chat_app where team_id = ? order by tool",
    [teamId],
  );
  return [
    ...webhooks.map(({ id, description }) => ({ kind: "webhook" as const, name: description || id })),
    ...chats.map(({ project }) => ({ kind: "chat" as const, name: project })),
    ...apps.map(({ tool }) => ({ kind: "chat" as const, name: `${tool} app` })),
  ];
}
