import type { ListQuery } from "../../../shared/contracts/fields.ts";
import type { HttpResultList } from "../../../shared/contracts/monitors/http-checks.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { decodeCursor, pageOf } from "../../../shared/pagination.ts";
import type { MonitorsContext } from "../monitors-context.ts";
import { monitorOf } from "../queries/read-monitors.ts";
import { listHttpResults } from "./http-check.store.ts";

/** The position of a result in its history. */
const POSITION = /^\d{1,18}$/;

/** Lists the results of a monitor's HTTP check, newest first. @throws ServiceError not_found, or for an invalid cursor */
export async function readHttpChecks(
  context: MonitorsContext,
  caller: Caller,
  { id, query }: { id: string; query: ListQuery },
): Promise<HttpResultList> {
  const list = `http ${id}`;
  const before = decodeCursor(list, query.cursor, POSITION);
  await monitorOf(context, caller, id);
  const rows = await listHttpResults(context.em(), id, { limit: query.limit, before });
  return pageOf(list, rows, query.limit, ({ result }) => result);
}
