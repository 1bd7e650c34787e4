import { call } from "../../../shared/contracts/bus.ts";
import type { ListScreenshotsQuery, ScreenshotList } from "../../../shared/contracts/runs/screenshots.ts";
import type { Gateway } from "../gateway-context.ts";
import type { Answer, Input } from "../routes/route.ts";

/** Screenshots to read for one message on the bus. It has fewer if they don't fit. */
const PART = 500;

/** Answers with a run's screenshots, which are read in parts. */
export async function serveScreenshots(
  _gateway: Gateway,
  { context, params: { runId = "" }, query }: Input<unknown, ListScreenshotsQuery>,
): Promise<Answer> {
  const read = (limit: number, cursor: string | undefined): Promise<ScreenshotList> =>
    call(context, "runs.screenshots", { runId, query: { ...query, limit: Math.min(limit, PART), cursor } });
  let page = await read(query.limit, query.cursor);
  const { summary } = page;
  const data = [...page.data];
  while (page.nextCursor !== null && data.length < query.limit) {
    page = await read(query.limit - data.length, page.nextCursor);
    data.push(...page.data);
  }
  return { status: 200, body: { data, nextCursor: page.nextCursor, ...(summary && { summary }) } };
}
