import type { EntityManager } from "../../../mixins/database.ts";
import type { ListScreenshotsQuery } from "../../../shared/contracts/runs/runs.ts";
import { invalidCursor } from "../../../shared/pagination.ts";
import { groupScreenshots } from "../../../shared/report/group-screenshots.ts";
import { type Tally, tallyOf } from "../../../shared/report/tally.ts";
import type { Screenshot } from "../screenshot.entity.ts";
import { findScreenshots, listOutlines } from "../screenshot.store.ts";

interface Part {
  /** One more than the limit when there are more. */
  rows: Screenshot[];
  /** Of all of the run's screenshots, what they count as, and which widths there are. */
  summary: Tally & { viewports: number[] };
}

/**
 * A part of a run's screenshots in the order in which pages show them: what needs a reviewer first, and equal changes
 * together. Of the others it reads as little as that takes. A part goes on after the last of the one before, wherever
 * that is by now.
 * @param after the last screenshot of the part before
 * @throws ServiceError where the run does not have that one
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
    },
  };
}
