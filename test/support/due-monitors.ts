import assert from "node:assert/strict";
import type { EntityManager } from "../../mixins/database.ts";
import type { MonitorsNode } from "../../services/monitors/monitors-node.ts";
import { phaseOf } from "../../services/monitors/phase.ts";
import { addressPolicy } from "../../shared/capture/address-guard.ts";
import type { Bus } from "../../shared/contracts/bus.ts";
import type { SubmitRun } from "../../shared/contracts/submit-run.ts";
import { newId } from "../../shared/ids.ts";
import { Links } from "../../shared/links.ts";

/** Adds monitors of one team that have been due for a while. */
export async function insertMonitors(em: EntityManager, count: number): Promise<void> {
  const ids = Array.from({ length: count }, () => newId("mon"));
  const rows = ids.map(id => ({ id, phase: phaseOf(id) }));
  await em.execute(
    `insert into monitors.monitor (id, team_id, name, url, routes, viewports, interval_minutes, alert_threshold,
       channels, paused, phase, generation, status, checks_up, checks_down, next_at, created_by, created_at)
     select id, 'team', 'Site', 'https://example.com', '["/"]', '[1280]', 60, 0.02, '{}', false, phase, 1, 'never', 0, 0,
       now() - interval '3 hours', 'key', now()
     from jsonb_to_recordset(?::jsonb) as v (id text, phase float8)`,
    [JSON.stringify(rows)],
  );
}

/** A node of the monitors service at whose other end runs are taken at once. */
export function watchingNode(em: () => EntityManager) {
  const submitted: { id: string; body: SubmitRun }[] = [];
  const bus: Bus = {
    async call<Result>(name: string, params: object): Promise<Result> {
      assert.equal(name, "runs.submit");
      // biome-ignore lint/plugin: what runs.submit is asked with.
      submitted.push(params as { id: string; body: SubmitRun });
      // biome-ignore lint/plugin: nobody reads the answer.
      return null as Result;
    },
    async emit() {},
    async broadcast() {},
  };
  const node: MonitorsNode = {
    em,
    bus,
    as: () => bus,
    links: async () => new Links("http://localhost", "key"),
    policy: addressPolicy([]),
    confirmAfterMs: 0,
    warn: error => assert.fail(String(error)),
  };
  return { node, submitted };
}

/** Counts every statement that an ORM sends, whoever makes it. @returns how many there were since */
export function countQueries(em: EntityManager): () => number {
  const connection = em.getConnection();
  const executeQuery: unknown = Reflect.get(connection, "executeQuery");
  assert.ok(typeof executeQuery === "function");
  let queries = 0;
  Reflect.set(connection, "executeQuery", (...args: unknown[]) => {
    queries += 1;
    return Reflect.apply(executeQuery, connection, args);
  });
  return () => queries;
}
