import { z } from "zod";
import { pickPage } from "../../shared/contracts/capture/page-fields.ts";
import { RESULT_FIELDS as FIELDS, MCP_NOTES } from "../texts/mcp.ts";
import { withService } from "./mcp-context.ts";
import { runId } from "./run-tools.ts";
import { tool } from "./tool.ts";
import { limited } from "./views.ts";

const RULES = 30;
/** A moving element is named as `selector (what it is)`. */
const NAMED = /^(.{1,500}) \([^()]*\)$/;

const ruleSchema = z.object({
  route: z.string(),
  state: z.string().nullable(),
  environment: z.string().nullable(),
  viewport: z.number(),
  region: z
    .object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
    .nullable()
    .describe(FIELDS.region),
  selector: z.string().nullable().describe(FIELDS.selector),
  reason: z.string(),
});

export const NOISE_TOOLS = [
  tool({
    name: "propose_ignore_rules",
    effect: "reads",
    input: z.object({ runId }),
    output: z.object({
      project: z.string(),
      rules: z.array(ruleSchema),
      note: z.string(),
    }),
    run: (context, { runId: id }) =>
      withService(context, async ({ client }) => {
        const { project } = await client.call("GET /v1/runs/{id}", { params: { id } });
        const { suggestions } = await client.call("GET /v1/noise", { query: { project } });
        const rules: z.input<typeof ruleSchema>[] = suggestions.map(
          ({ x, y, width, height, observations, ...page }) => ({
            ...pickPage(page),
            region: { x, y, width, height },
            selector: null,
            reason: MCP_NOTES.suggested(observations),
          }),
        );
        const all = client.list("GET /v1/screenshots/{runId}", {
          params: { runId: id },
          query: { limit: 500 },
        });
        for await (const shot of all) {
          if (rules.length >= RULES) break;
          if (shot.stable !== false) continue;
          for (const name of shot.moving) {
            const selector = limited(NAMED.exec(name)?.[1] ?? name, 500);
            rules.push({ ...pickPage(shot), region: null, selector, reason: MCP_NOTES.unstable });
          }
        }
        return { result: { project, rules: rules.slice(0, RULES), note: MCP_NOTES.accept } };
      }),
  }),
];
