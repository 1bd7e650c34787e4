import type { EntityManager } from "../../../mixins/database.ts";
import type { ListScreenshotsQuery } from "../../../shared/contracts/runs/screenshots.ts";
import { invalidCursor } from "../../../shared/pagination.ts";
import { groupScreenshots } from "../../../shared/report/group-screenshots.ts";
import { type Tally, tallyOf } from "../../../shared/report/tally.ts";
import type { Screenshot } from "../screenshot.entity.ts";
import { findScreenshots, listOutlines } from "../screenshot.store.ts";

interface Part {
  /** One row more than the limit if there are more. */
  rows: Screenshot[];
  /** Tally, viewport widths and environments of all the run's screenshots. */
  summary: Tally & { viewports: number[]; environments: (string | null)[] };
}

/**
 * Returns one page of a run's screenshots, in the order of the interface: first those that need review, identical
 * changes together.
 * It reads only outlines of the others. A page starts after the last screenshot of the previous page, wherever that is
 * by now.
 * @param after the last screenshot of the previous page
 * @throws ServiceError if the run doesn't have that screenshot
 */
export async function listByNeed(
  em: EntityManager,
  runId: string,
  { limit, after, status }: Pick<ListScreenshotsQuery, "limit" | "status"> & { after: string | undefined },
): Promise<Part> {
  const outlines = await listOutlines(em, runId);
  const inOrder = groupScreenshots(outlines).flatMap(({ stacks }) => stacks.flat());
  const at = inOrder.findIndex(({ id }) => id === after);
  if (after !== undefined && at < 0) throw invalidCursor();
  const part = inOrder
    .slice(at + 1)
    .filter(outline => status === undefined || outline.status === status)
    .slice(0, limit + 1)
    .map(({ id }) => id);
  const byId = new Map((await findScreenshots(em, runId, part)).map(row => [row.id, row]));
  return {
    rows: part.flatMap(id => byId.get(id) ?? []),
    summary: {
      ...tallyOf(outlines),
      viewports: [...new Set(outlines.map(({ viewport }) => viewport))].sort((one, other) => one - other),
      environments: [...new Set(outlines.map(({ environment }) => environment))].sort(byName),
    },
  };
}

/** Sorts names. The default environment is first. */
function byName(one: string | null, other: string | null): number {
  return (one ?? "").localeCompare(other ?? "", "en");
}
