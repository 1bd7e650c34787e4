/** The parts of a statement that leases rows of a table. */
interface RowLease {
  /** The table, with its alias if `where` needs one. */
  table: string;
  /** Columns of the table's primary key. */
  key?: string;
  /** Marks a row as leased. */
  set: string;
  /** The rows that are due and not leased. */
  where: string;
  orderBy: string;
  /** Columns to return. The key by default. */
  returning?: string;
}

/**
 * Returns the SQL that leases rows, in order. Concurrent statements get different rows: each skips those that another
 * one has locked. Its parameters are those of `set`, those of `where`, and the maximum number of rows.
 */
export function leaseRows({ table, key = "id", set, where, orderBy, returning = key }: RowLease): string {
  return `update ${table} set ${set} where (${key}) in (
      select ${key} from ${table} where ${where} order by ${orderBy} limit ? for update skip locked)
    returning ${returning}`;
}
