import { z } from "zod";
import { pickPage } from "../../shared/contracts/capture/page-fields.ts";
import { describeFirstCause } from "../../shared/report/describe-explanation.ts";
import { compareSides } from "../compare/compare-sides.ts";
import { RESULT_FIELDS as FIELDS, PARAMETER_TEXTS as TEXTS } from "../texts/mcp.ts";
import { tool } from "./tool.ts";
import { limited } from "./views.ts";

/** Agents call the tool again. What is compared by then stays stored. */
const TIMEOUT_MS = 60_000;
const TEXT_CHARS = 300;
const side = z.string().min(1).max(600);

/** Compares any two sides that the service has. */
export const COMPARE_SIDES_TOOL = tool({
  name: "compare",
  effect: "reads",
  input: z.object({
    base: side.describe(TEXTS.baseSide),
    head: side.describe(TEXTS.headSide),
    baseEnvironment: z.string().max(40).optional().describe(TEXTS.sideEnvironment),
    headEnvironment: z.string().max(40).optional().describe(TEXTS.sideEnvironment),
    route: z.string().max(2000).optional().describe(TEXTS.route),
    viewport: z.int().optional().describe(TEXTS.viewport),
    limit: z.int().min(1).max(50).default(20).describe(TEXTS.limit),
  }),
  output: z.object({
    base: z.string(),
    head: z.string(),
    counts: z.record(z.string(), z.number()),
    causes: z.array(z.object({ text: z.string(), pages: z.number() })),
    differences: z
      .array(
        z.object({
          route: z.string(),
          state: z.string().nullable(),
          environment: z.string().nullable(),
          viewport: z.number(),
          status: z.string(),
          diffRatio: z.number().nullable(),
          cause: z.string().nullable(),
          error: z.string().nullable(),
        }),
      )
      .describe(FIELDS.differences),
    more: z.number().describe(FIELDS.moreDifferences),
  }),
  async run({ access, terminal: { signal } }, { limit, base, head, ...filters }) {
    const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
    const waiting = { signal, timeoutMs: TIMEOUT_MS, onProgress() {} };
    const compared = await compareSides(await access(), { base, head, ...given }, waiting);
    const different = compared.data.filter(({ status, minor }) => status !== "unchanged" || minor);
    const short = (text: string | null) => text && limited(text, TEXT_CHARS);
    return {
      result: {
        base: limited(compared.base.label, TEXT_CHARS),
        head: limited(compared.head.label, TEXT_CHARS),
        counts: compared.counts,
        causes: compared.causes.map(({ text, screenshots }) => ({
          text: limited(text, TEXT_CHARS),
          pages: screenshots,
        })),
        differences: different.slice(0, limit).map(({ explanation, error, status, diffRatio, ...page }) => ({
          ...pickPage({ ...page, route: limited(page.route, TEXT_CHARS) }),
          ...{ status, diffRatio, error: short(error), cause: short(describeFirstCause(explanation)) },
        })),
        more: Math.max(0, different.length - limit),
      },
    };
  },
});
