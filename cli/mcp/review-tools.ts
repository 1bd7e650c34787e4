import { z } from "zod";
import { CommandError } from "../terminal.ts";
import { RESULT_FIELDS as FIELDS, MCP_ERRORS, PARAMETER_TEXTS as TEXTS } from "../texts/mcp.ts";
import { withService } from "./mcp-context.ts";
import { runId } from "./run-tools.ts";
import { tool } from "./tool.ts";

const selection = {
  runId,
  screenshots: z.array(z.string().max(64)).min(1).max(200).optional().describe(TEXTS.screenshots),
  all: z.boolean().default(false).describe(TEXTS.all),
};

/** An agent must not decide on everything because it forgot an argument. */
function requireSelection({ screenshots, all }: { screenshots?: string[] | undefined; all: boolean }): void {
  if ((screenshots !== undefined) === all) throw new CommandError("no_selection", MCP_ERRORS.noSelection);
}

export const REVIEW_TOOLS = [
  tool({
    name: "approve_changes",
    effect: "destroys",
    input: z.object(selection),
    output: z.object({
      runId: z.string(),
      approved: z.number(),
      pending: z.number().describe(FIELDS.pending),
      rejected: z.number().describe(FIELDS.rejectedByOthers),
      conclusion: z.string(),
    }),
    async run(context, { runId: id, screenshots, all }) {
      requireSelection({ screenshots, all });
      const result = await withService(context, ({ client }) =>
        client.call("POST /v1/baselines/{runId}/approve", {
          params: { runId: id },
          body: screenshots ? { screenshots } : {},
        }),
      );
      return { result };
    },
  }),
  tool({
    name: "reject_changes",
    effect: "destroys",
    input: z.object({ ...selection, reason: z.string().min(1).max(2000).describe(TEXTS.reason) }),
    output: z.object({ runId: z.string(), rejected: z.number(), conclusion: z.string() }),
    async run(context, { runId: id, screenshots, all, reason }) {
      requireSelection({ screenshots, all });
      const result = await withService(context, ({ client }) =>
        client.call("POST /v1/baselines/{runId}/reject", {
          params: { runId: id },
          body: { reason, ...(screenshots && { screenshots }) },
        }),
      );
      return { result };
    },
  }),
];
