import { call } from "../../../../shared/contracts/bus.ts";
import {
  type CompareQuery,
  type ComparisonView,
  compareQuery,
  comparisonView,
} from "../../../../shared/contracts/runs/comparisons.ts";
import type { Gateway } from "../../gateway-context.ts";
import { type Answer, type Input, type Route, servedRoute } from "../route.ts";

/** Pages per message on the bus. */
const PART = 500;

/** Routes of comparisons. */
export const COMPARISON_ROUTES: Record<string, Route> = {
  "GET /v1/compare": servedRoute({
    role: "viewer",
    summary:
      "Compare the screenshots of any two runs, branches, environments, or moments of a monitor. Repeat the request while `status` is `comparing`",
    query: compareQuery,
    answers: { 200: comparisonView },
    serve: serveComparison,
  }),
};

/** Answers with a comparison, whose pages are read in parts. */
async function serveComparison(
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
