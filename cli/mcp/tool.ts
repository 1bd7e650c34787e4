import type { CallToolResult, McpServer, StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import type { z } from "zod";
import { CommandError, toJson } from "../terminal.ts";
import { MCP_ERRORS, TOOL_TEXTS } from "../texts/mcp.ts";
import type { McpContext } from "./mcp-context.ts";
import type { Picture } from "./pictures.ts";

/** Of one answer's text. A model reads about 15,000 tokens in it. */
const MAX_TEXT_BYTES = 60_000;

type ToolName = keyof typeof TOOL_TEXTS;

interface Tool<In extends z.ZodObject, Out extends z.ZodObject> {
  name: ToolName;
  input: In;
  output: Out;
  /** `destroys`: a call replaces something that others rely on, such as baselines. */
  effect: "reads" | "adds" | "destroys";
  run(context: McpContext, input: z.output<In>): Promise<{ result: z.input<Out>; pictures?: Picture[] }>;
}

/** A tool that can be added to a server. */
export interface AnyTool {
  isLocalOnly: boolean;
  changes: boolean;
  addTo(server: McpServer, context: McpContext): void;
}

/** Returns a tool. Its answers are bounded, and its errors say what to do. */
export function tool<In extends z.ZodObject, Out extends z.ZodObject>(
  { name, input, output, effect, run }: Tool<In, Out>,
  { isLocalOnly = false } = {},
): AnyTool {
  return {
    isLocalOnly,
    changes: effect !== "reads",
    addTo(server, context) {
      const annotations = {
        readOnlyHint: effect === "reads",
        destructiveHint: effect === "destroys",
        idempotentHint: effect === "destroys",
        openWorldHint: !isLocalOnly,
      };
      const inputSchema: StandardSchemaWithJSON = input;
      const outputSchema: StandardSchemaWithJSON = output;
      const config = { ...TOOL_TEXTS[name], inputSchema, outputSchema, annotations };
      const call = async (given: unknown): Promise<CallToolResult> => {
        try {
          const { result, pictures = [] } = await run(context, input.parse(given));
          return answer(output.parse(result), pictures);
        } catch (error) {
          context.terminal.signal.throwIfAborted();
          if (!(error instanceof CommandError)) throw error;
          return { isError: true, content: [{ type: "text", text: `${error.code}: ${error.message}` }] };
        }
      };
      server.registerTool(name, config, call);
    },
  };
}

/** @throws CommandError `too_large` */
function answer(structuredContent: Record<string, unknown>, pictures: Picture[]): CallToolResult {
  const text = toJson(structuredContent, 0);
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_TEXT_BYTES) throw new CommandError("too_large", MCP_ERRORS.tooLarge(bytes));
  const images = pictures.flatMap(({ name, bytes: picture, mimeType }): CallToolResult["content"] => [
    { type: "text", text: name },
    { type: "image", data: picture.toString("base64"), mimeType },
  ]);
  return { structuredContent, content: [{ type: "text", text }, ...images] };
}
