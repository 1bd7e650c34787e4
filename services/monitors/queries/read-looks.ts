import { call } from "../../../shared/contracts/bus.ts";
import type { LooksQuery, LooksView } from "../../../shared/contracts/runs/looks.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { projectOf } from "../../../shared/monitor-project.ts";
import type { MonitorsContext } from "../monitors-context.ts";
import { monitorOf } from "./read-monitors.ts";

/** Reads how a page of a monitor looked over time, at its current URL. @throws ServiceError not_found */
export async function readLooks(
  context: MonitorsContext,
  caller: Caller,
  { id, query }: { id: string; query: LooksQuery },
): Promise<LooksView> {
  const { url: site, generation } = await monitorOf(context, caller, id);
  return call(context.as(caller), "runs.looks", { project: projectOf(id, generation), site, query });
}
