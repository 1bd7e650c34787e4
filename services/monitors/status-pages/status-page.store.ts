import { UniqueConstraintViolationException } from "@mikro-orm/core";
import type { EntityManager } from "../../../mixins/database.ts";

/** A stored status page. */
export interface StatusPage {
  id: string;
  teamId: string;
  slug: string;
  title: string;
  components: { monitorId: string; name: string }[];
  passwordHash: string | null;
  changedBy: string;
  changedAt: string | Date;
}

const COLUMNS = `id, team_id as "teamId", slug, title, components, password_hash as "passwordHash",
  changed_by as "changedBy", changed_at as "changedAt"`;

export function findStatusPages(em: EntityManager, teamId: string): Promise<StatusPage[]> {
  return em.execute(`select ${COLUMNS} from monitors.status_page where team_id = ? order by id`, [teamId]);
}

export async function findStatusPage(
  em: EntityManager,
  teamId: string,
  id: string,
): Promise<StatusPage | null> {
  const rows: StatusPage[] = await em.execute(
    `select ${COLUMNS} from monitors.status_page where id = ? and team_id = ?`,
    [id, teamId],
  );
  return rows[0] ?? null;
}

/** Returns the page of any team. */
export async function findBySlug(em: EntityManager, slug: string): Promise<StatusPage | null> {
  const rows: StatusPage[] = await em.execute(`select ${COLUMNS} from monitors.status_page where slug = ?`, [
    slug,
  ]);
  return rows[0] ?? null;
}

/** Inserts or replaces a page. @returns false if another page has the slug */
export async function putStatusPage(
  em: EntityManager,
  { id, teamId, slug, title, components, passwordHash, changedBy }: Omit<StatusPage, "changedAt">,
): Promise<boolean> {
  const written: Promise<object[]> = em.execute(
    `insert into monitors.status_page as p (id, team_id, slug, title, components, password_hash, changed_by)
     select ?, ?, v.slug, ?, ?::jsonb, ?, ? from (values (?::text)) as v (slug)
     where not exists (select from monitors.status_page o where o.slug = v.slug and o.id <> ?)
     on conflict (id) do update set slug = excluded.slug, title = excluded.title, components = excluded.components,
       password_hash = excluded.password_hash, changed_by = excluded.changed_by, changed_at = now()
       where p.team_id = excluded.team_id
     returning id`,
    [id, teamId, title, JSON.stringify(components), passwordHash, changedBy, slug, id],
  );
  try {
    return (await written).length === 1;
  } catch (error) {
    // Another page took the slug at the same time.
    if (error instanceof UniqueConstraintViolationException) return false;
    throw error;
  }
}

export async function deleteStatusPage(em: EntityManager, teamId: string, id: string): Promise<boolean> {
  const rows: object[] = await em.execute(
    "delete from monitors.status_page where id = ? and team_id = ? returning id",
    [id, teamId],
  );
  return rows.length === 1;
}

export async function deleteTeamStatusPages(em: EntityManager, teamId: string): Promise<void> {
  await em.execute("delete from monitors.status_page where team_id = ?", [teamId]);
}

/**
 * Reserves an attempt to open a protected page: a burst at first, then one per interval, for all readers together.
 * @returns null if the attempt may be made. Otherwise the seconds until one is possible
 */
export async function reserveAttempt(
  em: EntityManager,
  id: string,
  { burst, intervalSeconds }: { burst: number; intervalSeconds: number },
): Promise<number | null> {
  const reserved: object[] = await em.execute(
    `update monitors.status_page set tried_at = greatest(tried_at, now()) + make_interval(secs => ?)
     where id = ? and (tried_at is null or tried_at <= now() + make_interval(secs => ?)) returning id`,
    [intervalSeconds, id, (burst - 1) * intervalSeconds],
  );
  return reserved.length === 1 ? null : intervalSeconds;
}
