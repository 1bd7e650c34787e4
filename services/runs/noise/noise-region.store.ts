import type { EntityManager } from "../../../mixins/database.ts";
import type { Region } from "../../../shared/compare/comparison.ts";
import type { ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { ChangeRule, RuleScope } from "../../../shared/contracts/noise/ignore-rules.ts";
import { newId } from "../../../shared/ids.ts";
import { isPage, isSamePage, pageColumns, pageFields, pageValues } from "../page-columns.ts";
import type { IgnoreRule, RuleEffect } from "./ignore-rule.rule.ts";

/** An ignore rule with who made it, and when. */
export interface StoredRule extends IgnoreRule {
  projectId: string;
  project: string;
  reason: string | null;
  decidedBy: string;
  decidedAt: Date;
  changedBy: string | null;
  changedAt: Date | null;
  expiresAt: Date | null;
  isActive: boolean;
}

type NoiseVerdict = "accepted" | "dismissed";

/** A decision on noise of a page. */
export interface RegionDecision extends Omit<RuleEffect, "scale"> {
  projectId: string;
  verdict: NoiseVerdict;
  reason: string | null;
  expiresAt: Date | null;
  /** Name of the user or API key. */
  decidedBy: string;
}

const ACTIVE = "(n.expires_at is null or n.expires_at > now())";

// A raised threshold has an empty region, so that a page has one of each scope.
const EFFECT = `n.applies_to as "appliesTo", n.threshold, n.scale, case when n.threshold is null
    then jsonb_build_object('x', n.x, 'y', n.y, 'width', n.width, 'height', n.height) end as region`;

const RULE = `n.id, n.project_id as "projectId", p.name as project, ${pageFields("n")}, ${EFFECT},
    n.reason, n.decided_by as "decidedBy", n.decided_at as "decidedAt", n.changed_by as "changedBy",
    n.changed_at as "changedAt", n.expires_at as "expiresAt", ${ACTIVE} as "isActive"
  from runs.noise_region n join runs.project p on p.id = n.project_id`;

/** Finds the active rules of a project, in a fixed order. */
export function findActiveRules(em: EntityManager, projectId: string): Promise<IgnoreRule[]> {
  return em.execute(
    `select n.id, ${pageFields("n")}, ${EFFECT} from runs.noise_region n
     where n.project_id = ? and n.verdict = 'accepted' and ${ACTIVE}
     order by ${pageColumns("n")}, n.y, n.x, n.height, n.width, n.id`,
    [projectId],
  );
}

/** Finds the regions of a project's pages that reviewers dismissed as suggestions. */
export function findDismissedRegions(
  em: EntityManager,
  projectId: string,
): Promise<(Region & ScreenshotKey & { at: Date })[]> {
  return em.execute(
    `select ${pageFields()}, x, y, width, height, decided_at as at from runs.noise_region
     where project_id = ? and verdict = 'dismissed'`,
    [projectId],
  );
}

/**
 * Lists a project's rules, latest first, before that one. Returns one row more than the limit if there are more.
 */
export function listRules(
  em: EntityManager,
  teamId: string,
  project: string,
  { limit, before, isActive }: { limit: number; before: string | undefined; isActive: boolean },
): Promise<StoredRule[]> {
  return em.execute(
    `select ${RULE} where p.team_id = ? and p.name = ? and n.verdict = 'accepted' and ${ACTIVE} = ?
       ${before === undefined ? "" : "and n.id < ?"}
     order by n.id desc limit ?`,
    [teamId, project, isActive, ...(before === undefined ? [] : [before]), limit + 1],
  );
}

/** Counts what is active with a verdict: of one page or of all pages together, and in the whole project. */
export async function countRules(
  em: EntityManager,
  {
    projectId,
    verdict,
    appliesTo,
    ...page
  }: ScreenshotKey & Pick<RegionDecision, "projectId" | "verdict" | "appliesTo">,
): Promise<{ ofPage: number; ofProject: number }> {
  const isOfProject = appliesTo === "project";
  const same = isOfProject ? "n.applies_to = 'project'" : `n.applies_to <> 'project' and ${isPage("n")}`;
  const rows: { ofPage: number; ofProject: number }[] = await em.execute(
    `select count(*) filter (where ${same})::int as "ofPage", count(*)::int as "ofProject"
     from runs.noise_region n where n.project_id = ? and n.verdict = ? and ${ACTIVE}`,
    [...(isOfProject ? [] : pageValues(page)), projectId, verdict],
  );
  return rows[0] ?? { ofPage: 0, ofProject: 0 };
}

const NO_REGION: Region = { x: 0, y: 0, width: 0, height: 0 };

/**
 * Writes a decision on noise, and replaces a dismissal or an ended rule of the same region. An active rule stays until it
 * ends, but its threshold can change. @returns the rule, and whether anything was written
 */
export async function putRule(
  em: EntityManager,
  decision: RegionDecision,
): Promise<{ rule: StoredRule | null; isChanged: boolean }> {
  const { projectId, appliesTo, region, threshold, verdict, reason, decidedBy, expiresAt } = decision;
  const { x, y, width, height } = region ?? NO_REGION;
  const page = pageValues(decision);
  const key = [...page, x, y, width, height, appliesTo];
  const written: object[] = await em.execute(
    `insert into runs.noise_region as n
       (id, project_id, ${pageColumns()}, x, y, width, height, applies_to, threshold, verdict, reason, decided_by,
         expires_at, scale)
     select v.*, coalesce(
       -- The latest image of the page tells how many px of it are a CSS px.
       (select greatest(1, round(s.width::numeric / s.viewport * 8) / 8) from runs.screenshot s
        join runs.run r on r.id = s.run_id
        where r.project_id = v.project_id and s.route = v.route and s.state = v.state
          and s.environment = v.environment and s.viewport = v.viewport and s.width is not null
        order by s.run_id desc limit 1), 1)
     from (select ?::text as id, ?::text as project_id, ?::text as route, ?::text as state, ?::text as environment,
       ?::int as viewport, ?::int as x, ?::int as y, ?::int as width, ?::int as height, ?::text as applies_to,
       ?::double precision as threshold, ?::text as verdict, ?::text as reason, ?::text as decided_by,
       ?::timestamptz as expires_at) v
     on conflict (project_id, ${pageColumns()}, x, y, width, height, applies_to) do update
       set id = excluded.id, verdict = excluded.verdict, reason = excluded.reason, decided_by = excluded.decided_by,
         decided_at = now(), threshold = excluded.threshold, expires_at = excluded.expires_at, scale = excluded.scale,
         changed_by = null, changed_at = null
       where n.verdict = 'dismissed' or not ${ACTIVE} or n.threshold is distinct from excluded.threshold
     returning id`,
    [newId("ign"), projectId, ...key, threshold, verdict, reason, decidedBy, expiresAt],
  );
  const rows: StoredRule[] = await em.execute(
    `select ${RULE} where n.project_id = ? and ${isPage("n")} and n.x = ? and n.y = ?
       and n.width = ? and n.height = ? and n.applies_to = ?`,
    [projectId, ...key],
  );
  return { rule: rows[0] ?? null, isChanged: written.length > 0 };
}

/** Finds a rule of a team, active or ended. */
export async function findRule(em: EntityManager, teamId: string, id: string): Promise<StoredRule | null> {
  const [rule]: StoredRule[] = await em.execute(
    `select ${RULE} where p.team_id = ? and n.id = ? and n.verdict = 'accepted'`,
    [teamId, id],
  );
  return rule ?? null;
}

/** What can change in a rule. */
export interface RuleChange {
  appliesTo: RuleScope;
  threshold: number | null;
  reason: string | null;
  expiresAt: Date | null;
}

/** Returns a rule's fields after a change. */
export function changedRule(
  { appliesTo, threshold, reason, expiresAt }: RuleChange,
  change: ChangeRule,
): RuleChange {
  return {
    appliesTo: change.appliesTo ?? appliesTo,
    threshold: change.threshold ?? threshold,
    reason: change.reason === undefined ? reason : change.reason,
    expiresAt:
      change.expiresAt === undefined
        ? expiresAt
        : change.expiresAt === null
          ? null
          : new Date(change.expiresAt),
  };
}

/**
 * Changes a rule. Call it with the project locked. @returns false if another rule of the project has the same region or
 * page there
 */
export async function updateRule(
  em: EntityManager,
  id: string,
  { appliesTo, threshold, reason, expiresAt }: RuleChange,
  by: string,
): Promise<boolean> {
  const rows: object[] = await em.execute(
    `update runs.noise_region n set applies_to = ?, threshold = ?, reason = ?, expires_at = ?, changed_by = ?,
       changed_at = now()
     where id = ? and verdict = 'accepted' and not exists (
       select from runs.noise_region o
       where o.project_id = n.project_id and ${isSamePage("o", "n")} and o.applies_to = ? and o.id <> n.id
         and (o.x, o.y, o.width, o.height) = (n.x, n.y, n.width, n.height))
     returning id`,
    [appliesTo, threshold, reason, expiresAt, by, id, appliesTo],
  );
  return rows.length === 1;
}

/** Deletes a rule of a team's project. @returns the rule, to the one caller who deleted it */
export async function deleteRule(em: EntityManager, teamId: string, id: string): Promise<StoredRule | null> {
  const rule = await findRule(em, teamId, id);
  if (!rule) return null;
  const deleted: object[] = await em.execute(
    "delete from runs.noise_region where id = ? and verdict = 'accepted' returning id",
    [id],
  );
  return deleted.length === 1 ? rule : null;
}
