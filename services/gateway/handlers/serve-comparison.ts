import { call } from "../../../shared/contracts/bus.ts";
import type { CompareQuery, ComparisonView } from "../../../shared/contracts/runs/comparisons.ts";
import type { Gateway } from "../gateway-context.ts";
import type { Answer, Input } from "../routes/route.ts";

/** Pages per message on the bus. */
const PART = 500;

/** Answers with a comparison, whose pages are read in parts. */
export async function serveComparison(
  _gateway: Gateway,
  { context, query }: Input<unknown, CompareQuery>,
): Promise<Answer> {
  const read = (limit: number, cursor: string | undefined): Promise<ComparisonView> =>
    call(context, "runs.compare", { query: { ...query, limit: Math.min(limit, PART), cursor } });
  const first = await read(query.limit, query.cursor);
  const data = [...first.data];
  let { nextCursor } = first;
  while (nextCursor !== null && data.length < query.limit) {
    const page = await read(query.limit - data.length, nextCursor);
    data.push(...page.data);
    nextCursor = page.nextCursor;
  }
  return { status: 200, body: { ...first, data, nextCursor } };
}
