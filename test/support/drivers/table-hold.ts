import pg from "pg";
import { until } from "./until.ts";

const LOCK = 4_711;

/** Blocks statements that change a table, so that a test can kill a node between two of its steps. */
export class TableHold {
  readonly #client: pg.Client;
  readonly #table: string;

  private constructor(client: pg.Client, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** Blocks updates of the table's rows for which `condition` (SQL on `new` and `old`) is true. */
  static ofUpdates(url: string, table: string, condition = "true"): Promise<TableHold> {
    return TableHold.#of("update", url, table, condition);
  }

  /** Blocks inserts of rows for which `condition` (SQL on `new`) is true. */
  static ofInserts(url: string, table: string, condition = "true"): Promise<TableHold> {
    return TableHold.#of("insert", url, table, condition);
  }

  static async #of(kind: "update" | "insert", url: string, table: string, condition: string) {
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => {});
    await client.connect();
    await client.query(`select pg_advisory_lock(${LOCK})`);
    await client.query(`
      create or replace function public.test_hold() returns trigger language plpgsql as $$
        begin perform pg_advisory_xact_lock_shared(${LOCK}); return new; end
      $$`);
    await client.query(
      `create trigger test_hold before ${kind} on ${table}
       for each row when (${condition}) execute function public.test_hold()`,
    );
    return new TableHold(client, table);
  }

  /** Waits until a statement is blocked. */
  async caught(): Promise<void> {
    await until(() => this.#isAwaited(`locktype = 'advisory' and objid = ${LOCK}`));
  }

  /** Returns whether another transaction waits for a blocked one. */
  keepsWaiting(): Promise<boolean> {
    return this.#isAwaited("locktype = 'transactionid'");
  }

  /** Releases blocked statements, and blocks no more. */
  async release(): Promise<void> {
    try {
      await this.#client.query(`select pg_advisory_unlock(${LOCK})`);
      await this.#client.query(`drop trigger if exists test_hold on ${this.#table}`);
    } finally {
      await this.#client.end();
    }
  }

  /**
   * Returns whether a transaction in this database waits for such a lock. Tests of other files have their own
   * on the same server.
   */
  async #isAwaited(lock: string): Promise<boolean> {
    const waiting = `select 1 from pg_locks join pg_stat_activity using (pid)
      where datname = current_database() and not granted and ${lock}`;
    return (await this.#client.query(waiting)).rows.length > 0;
  }
}
