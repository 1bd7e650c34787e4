import { join } from "node:path";
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { z } from "zod";

const MAIN = join(import.meta.dirname, "../../../../cli/main.ts");

const answer = z.object({
  isError: z.boolean().default(false),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  content: z.array(
    z.object({
      type: z.string(),
      text: z.string().optional(),
      data: z.string().optional(),
      mimeType: z.string().optional(),
    }),
  ),
});

export interface ToolAnswer {
  isError: boolean;
  /** The first text: the result as JSON, or the error. */
  text: string;
  result: Record<string, unknown>;
  /** Bytes of each image. */
  images: Buffer[];
}

/** A scripted agent: a client of `vrs mcp` that counts its calls and the bytes of the answers. */
export class McpDriver {
  readonly client: Client;
  calls = 0;
  bytes = 0;

  private constructor(client: Client) {
    this.client = client;
  }

  /** Starts `vrs mcp` as a process. */
  static stdio(args: string[], cwd: string, env: Record<string, string>): Promise<McpDriver> {
    const { PATH = "", NODE_COMPILE_CACHE = "" } = process.env;
    const own = { PATH, NODE_COMPILE_CACHE, HOME: cwd, CI: "true", ...env };
    const command = { command: process.execPath, args: [MAIN, "mcp", ...args], cwd, env: own };
    return McpDriver.#connect(new StdioClientTransport(command));
  }

  /** Connects to `vrs mcp --http`. */
  static http(url: string, apiKey: string): Promise<McpDriver> {
    const headers = { authorization: `Bearer ${apiKey}` };
    return McpDriver.#connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  }

  static async #connect(transport: Transport): Promise<McpDriver> {
    const client = new Client({ name: "test", version: "1" });
    await client.connect(transport);
    return new McpDriver(client);
  }

  /** Calls a tool. The client checks the result against the tool's schema. */
  async call(name: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> {
    const given = await this.client.callTool({ name, arguments: args });
    this.calls++;
    this.bytes += Buffer.byteLength(JSON.stringify(given));
    const { isError, structuredContent = {}, content } = answer.parse(given);
    return {
      isError,
      text: content[0]?.text ?? "",
      result: structuredContent,
      images: content.flatMap(({ data }) => (data === undefined ? [] : [Buffer.from(data, "base64")])),
    };
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
