import type { EntityManager } from "../../../mixins/database.ts";

/** SQL for whether an incident `i` stands for a monitor among others. Its parameter is the monitor's id. */
export const COVERS = "i.covered @> jsonb_build_array(jsonb_build_object('id', ?::text))";

/** Adds to the monitors that an incident stands for. */
export async function coverMonitors(
  tx: EntityManager,
  incidentId: string,
  monitors: readonly { id: string; name: string }[],
): Promise<void> {
  await tx.execute(
    `update alerts.incident i set covered = i.covered || coalesce((
       select jsonb_agg(m) from jsonb_array_elements(?::jsonb) m
       where not i.covered @> jsonb_build_array(jsonb_build_object('id', m ->> 'id'))), '[]'::jsonb)
     where i.id = ?`,
    [JSON.stringify(monitors.map(({ id, name }) => ({ id, name }))), incidentId],
  );
}

/** Returns the ids of the monitors that an incident stands for, besides the one that it belongs to. */
export async function findCovered(em: EntityManager, incidentId: string): Promise<string[]> {
  const rows: { id: string }[] = await em.execute(
    `select c ->> 'id' as id from alerts.incident i cross join lateral jsonb_array_elements(i.covered) c
     where i.id = ? and c ->> 'id' <> i.monitor_id`,
    [incidentId],
  );
  return rows.map(({ id }) => id);
}

/** Returns the ids of the other monitors of the open incident that stands for this one among others. */
export async function findCompanions(
  em: EntityManager,
  { id, teamId }: { id: string; teamId: string },
): Promise<string[]> {
  const rows: { id: string }[] = await em.execute(
    `select distinct c ->> 'id' as id from alerts.incident i cross join lateral jsonb_array_elements(i.covered) c
     where i.team_id = ? and i.resolved_at is null and ${COVERS} and c ->> 'id' <> ? order by 1`,
    [teamId, id, id],
  );
  return rows.map(row => row.id);
}

/**
 * Takes a deleted monitor off the incidents that stand for several monitors. Those that belong to it go to the next one.
 * An incident without another monitor stays as it is.
 */
export async function handOverIncidents(
  tx: EntityManager,
  { id, teamId }: { id: string; teamId: string },
): Promise<void> {
  await tx.execute(
    `with rest as materialized (
       select i.id, (select jsonb_agg(c.one order by c.place)
         from jsonb_array_elements(i.covered) with ordinality as c (one, place) where c.one ->> 'id' <> ?) as others
       from alerts.incident i where i.team_id = ? and ${COVERS}
     )
     update alerts.incident i set covered = rest.others,
       monitor_id = case when i.monitor_id = ? then rest.others -> 0 ->> 'id' else i.monitor_id end,
       monitor_name = case when i.monitor_id = ? then coalesce(rest.others -> 0 ->> 'name', '') else i.monitor_name end
     from rest where i.id = rest.id and rest.others is not null`,
    [id, teamId, id, id, id],
  );
}
