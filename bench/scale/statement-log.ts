import type { Client } from "pg";

/** What one statement cost on average. */
export interface StatementCost {
  /** What was measured meanwhile, such as a page's name. */
  during: string;
  sql: string;
  calls: number;
  msPerCall: number;
  /** Pages of 8 kB that it read, from memory or disk. They don't depend on the machine's load. */
  pagesPerCall: number;
}

/** Statements that the server executed in a database since the reset, by its own statistics. */
export class StatementLog {
  readonly #database: Client;

  constructor(database: Client) {
    this.#database = database;
  }

  async reset(): Promise<void> {
    await this.#database.query("create extension if not exists pg_stat_statements");
    await this.#database.query("select pg_stat_statements_reset()");
  }

  /** Returns the costs, without those of this log. */
  async read(during: string): Promise<StatementCost[]> {
    const { rows } = await this.#database.query<StatementCost>(
      `select $1::text as during, query as sql, calls::int, total_exec_time / calls as "msPerCall",
         ((shared_blks_hit + shared_blks_read)::float8 / calls) as "pagesPerCall"
       from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())
         and query !~* '^(begin|commit|rollback|set|create extension|vacuum)' and query !~ 'pg_stat|pg_advisory|pg_class'
       order by total_exec_time desc`,
      [during],
    );
    return rows;
  }
}

/** Pages that a statement reads anyway, such as the levels of a few indexes. */
const FEW_PAGES = 40;

/** A statement that costs more with more data. */
export interface GrowingStatement {
  sql: string;
  small: StatementCost;
  large: StatementCost;
}

/**
 * Returns the statements that read over twice the pages per call, the worst first. Each is compared with itself during
 * the same work, because a periodic statement reads more while runs are open.
 */
export function growingStatements(small: StatementCost[], large: StatementCost[]): GrowingStatement[] {
  const keyOf = ({ during, sql }: StatementCost) => `${during}: ${sql}`;
  const before = new Map(small.map(cost => [keyOf(cost), cost]));
  return large
    .flatMap(cost => {
      const earlier = before.get(keyOf(cost));
      return earlier ? [{ sql: cost.sql, small: earlier, large: cost }] : [];
    })
    .filter(({ small: a, large: b }) => b.pagesPerCall > 2 * a.pagesPerCall + FEW_PAGES)
    .toSorted((a, b) => b.large.pagesPerCall * b.large.calls - a.large.pagesPerCall * a.large.calls);
}
