import type { EntityManager } from "./open-schema.ts";

/** A row as PostgreSQL writes it in JSON. Its keys are column names. */
export type TableRow = Record<string, unknown>;

/** How the rows of a team are read from a table, and written into it. */
export interface TeamTable {
  /** Name with its schema. */
  table: string;
  /** The type of its rows, if `table` is a subquery. */
  record?: string;
  /** Columns of a unique key. Rows are read in their order. */
  key: readonly string[];
  /** All columns to read, with those of the key. */
  columns: readonly string[];
  /** SQL condition of a team's rows `t`. Its only parameter is the team. Rows that break it are not written. */
  ofTeam: string;
  /** SQL condition of the rows to read, beyond those of the team. */
  where?: string;
  /** SQL that replaces columns when they are read. */
  reads?: Readonly<Record<string, string>>;
  /** SQL of columns that are written with a value of their own. */
  writes?: Readonly<Record<string, string>>;
  /** Columns that are read, and generated when they are written. */
  generated?: readonly string[];
  /** SQL condition of rows `t` that exist already. Only for tables without a key that stays. */
  exists?: string;
  /** Columns with JSON that must be arrays. */
  arrays?: readonly string[];
  /** Columns with their only values. Null is allowed. */
  values?: Readonly<Record<string, readonly string[]>>;
  /** Returns a row without secrets, or null to leave it out. */
  open?(em: EntityManager, row: TableRow): TableRow | null;
  /** Returns a row to write, or null if it is invalid. */
  close?(em: EntityManager, row: TableRow): TableRow | null;
}

/** Rows of a table, and the key to continue after. */
export interface RowPage {
  rows: TableRow[];
  /** Null after the last row. */
  next: string | null;
}

const PAGE_ROWS = 500;

/** A row that no export has. The message names its table. */
export class InvalidRowError extends Error {
  override name = "InvalidRowError";
}

/** Returns a table by its name in exports. @throws InvalidRowError for a name that no export has */
export function tableOf(tables: Readonly<Record<string, TeamTable>>, name: string): TeamTable {
  const table = Object.hasOwn(tables, name) ? tables[name] : undefined;
  if (!table) throw new InvalidRowError(name);
  return table;
}

/**
 * Reads rows of a team, in the order of their key.
 * @param after `next` of the page before
 * @param maxBytes of the rows together. A larger row comes alone
 */
export async function readTeamRows(
  em: EntityManager,
  spec: TeamTable,
  { teamId, after, maxBytes }: { teamId: string; after: string | null; maxBytes: number },
): Promise<RowPage> {
  const { table, key, columns, ofTeam, where = "true", reads = {} } = spec;
  const names = key.map(each => `t.${each}`).join(", ");
  const later = `(${names}) > (select ${key.map(each => `r.${each}`).join(", ")}
    from jsonb_populate_record(null::${spec.record ?? table}, ?::jsonb) r)`;
  const found: { line: string; key: string; isLast: boolean }[] = await em.execute(
    `with page as (
       select ${columns.map(each => [reads[each] ?? `t.${each}`, each].join(" as ")).join(", ")}
       from ${table} t where ${ofTeam} and ${where} ${after === null ? "" : `and ${later}`}
       order by ${names} limit ${PAGE_ROWS}),
     lines as (
       select row_to_json(page)::text as line, row_number() over (order by ${key.join(", ")}) as n,
         json_build_object(${key.map(each => `'${each}', ${each}`).join(", ")})::text as key
       from page),
     sized as (select *, sum(octet_length(line)) over (order by n) as bytes, count(*) over () as total from lines)
     select line, key, n = total and total < ${PAGE_ROWS} as "isLast" from sized
     where n = 1 or bytes <= ? order by n`,
    [teamId, ...(after === null ? [] : [after]), maxBytes],
  );
  const last = found.at(-1);
  const rows = found.flatMap(({ line }) => {
    const row: TableRow = JSON.parse(line);
    const opened = spec.open ? spec.open(em, row) : row;
    return opened === null ? [] : [opened];
  });
  return { rows, next: last === undefined || last.isLast ? null : last.key };
}

/**
 * Writes rows of a team that don't exist yet. Rows of other teams' objects are left out.
 * @returns the number of new rows
 * @throws InvalidRowError
 */
export async function writeTeamRows(
  em: EntityManager,
  spec: TeamTable,
  teamId: string,
  rows: readonly TableRow[],
): Promise<number> {
  const { table, columns, ofTeam, writes = {}, generated = [], exists } = spec;
  const closed = rows.map(row =>
    closedRow(em, spec, { ...row, ...("team_id" in row && { team_id: teamId }) }),
  );
  const names = columns.filter(each => !generated.includes(each) && !(each in writes));
  const all = [...names, ...Object.keys(writes)].join(", ");
  const values = [...names.map(each => `t.${each}`), ...Object.values(writes)].join(", ");
  try {
    const written: object[] = await em.execute(
      `insert into ${table} (${all})
       select ${values} from jsonb_populate_recordset(null::${table}, ?::jsonb) t
       where ${ofTeam} ${exists === undefined ? "" : `and not (${exists})`}
       on conflict do nothing returning 1 as one`,
      [JSON.stringify(closed), teamId],
    );
    return written.length;
  } catch (error) {
    throw isInvalidData(error) ? new InvalidRowError(table, { cause: error }) : error;
  }
}

function closedRow(em: EntityManager, spec: TeamTable, row: TableRow): TableRow {
  const { table, arrays = [], values = {}, close } = spec;
  const isValid =
    arrays.every(column => row[column] === null || row[column] === undefined || Array.isArray(row[column])) &&
    Object.entries(values).every(([column, allowed]) => {
      const value = row[column];
      return value === null || value === undefined || (typeof value === "string" && allowed.includes(value));
    });
  const closed = isValid ? (close ? close(em, row) : row) : null;
  if (closed === null) throw new InvalidRowError(table);
  return closed;
}

/** Whether the database refused values: SQLSTATE classes 22, data exception, and 23, integrity violation. */
function isInvalidData(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^2[23]/.test(String(error.code));
}
