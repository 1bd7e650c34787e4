import { randomUUID } from "node:crypto";
import { z } from "zod";
import { intentInput } from "../../shared/contracts/runs/intent.ts";
import { CONCLUSIONS, RUN_STATUSES } from "../../shared/contracts/runs/runs.ts";
import { MCP_NOTES, PARAMETER_TEXTS as TEXTS } from "../texts/mcp.ts";
import { type McpContext, waitAtMost, withService } from "./mcp-context.ts";
import { tool } from "./tool.ts";
import { runSchema, viewOfRun } from "./views.ts";

/** Below the timeout of common clients, which is 60 seconds. */
export const MAX_WAIT_SECONDS = 50;

const waitSeconds = (preset: number) =>
  z.int().min(0).max(MAX_WAIT_SECONDS).default(preset).describe(TEXTS.waitSeconds);
export const runId = z.string().min(1).max(64).describe(TEXTS.runId);
export const cursor = z.string().max(400).optional().describe(TEXTS.cursor);

const oneRun = z.object({ run: runSchema, note: z.string().nullable() });

async function runAfter(context: McpContext, id: string, seconds: number): Promise<z.input<typeof oneRun>> {
  await waitAtMost(context, id, seconds);
  const run = await withService(context, ({ client }) =>
    client.call("GET /v1/runs/{id}", { params: { id } }),
  );
  const hasEnded = ["completed", "failed", "canceled"].includes(run.status);
  return { run: viewOfRun(run), note: hasEnded ? null : MCP_NOTES.stillRunning };
}

export const RUN_TOOLS = [
  tool({
    name: "list_runs",
    effect: "reads",
    input: z.object({
      project: z.string().max(200).optional().describe(TEXTS.project),
      branch: z.string().max(255).optional().describe(TEXTS.branch),
      status: z.enum(RUN_STATUSES).optional(),
      conclusion: z.enum(CONCLUSIONS).optional(),
      limit: z.int().min(1).max(50).default(10).describe(TEXTS.limit),
      cursor,
    }),
    output: z.object({ runs: z.array(runSchema), nextCursor: z.string().nullable() }),
    async run(context, query) {
      const { data, nextCursor } = await withService(context, ({ client }) =>
        client.call("GET /v1/runs", { query }),
      );
      return { result: { runs: data.map(viewOfRun), nextCursor } };
    },
  }),
  tool({
    name: "get_run",
    effect: "reads",
    input: z.object({ runId, waitSeconds: waitSeconds(0) }),
    output: oneRun,
    run: async (context, { runId: id, waitSeconds: seconds }) => ({
      result: await runAfter(context, id, seconds),
    }),
  }),
  tool({
    name: "start_run",
    effect: "adds",
    input: z.object({
      url: z.string().max(2000).describe(TEXTS.url),
      routes: z.array(z.string().max(2000)).min(1).max(50).optional().describe(TEXTS.routes),
      viewports: z.array(z.int()).min(1).max(10).optional().describe(TEXTS.viewports),
      project: z.string().max(200).optional().describe(TEXTS.project),
      branch: z.string().max(255).optional().describe(TEXTS.branch),
      intent: intentInput.optional().describe(TEXTS.intent),
      waitSeconds: waitSeconds(30),
    }),
    output: oneRun,
    async run(context, { waitSeconds: seconds, ...body }) {
      // Routes of the call are only some of the project's pages: the others weren't removed.
      const partial = body.routes !== undefined || body.viewports !== undefined;
      const { id } = await withService(context, ({ client }) =>
        client.call("POST /v1/run", { body: { ...body, partial }, idempotencyKey: randomUUID() }),
      );
      return { result: await runAfter(context, id, seconds) };
    },
  }),
];
