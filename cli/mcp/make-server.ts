import { McpServer } from "@modelcontextprotocol/server";
import { version } from "../../shared/process.ts";
import { MCP_TEXTS } from "../texts/mcp.ts";
import { CHANGE_TOOLS } from "./change-tools.ts";
import { CHECK_TOOLS } from "./check-tools.ts";
import { COMPARE_SIDES_TOOL } from "./compare-sides-tool.ts";
import { COMPARE_TOOLS } from "./compare-tools.ts";
import type { McpContext } from "./mcp-context.ts";
import { NOISE_TOOLS } from "./noise-tools.ts";
import { addReports } from "./reports.ts";
import { REVIEW_TOOLS } from "./review-tools.ts";
import { RUN_TOOLS } from "./run-tools.ts";
import type { AnyTool } from "./tool.ts";

const TOOLS: AnyTool[] = [
  ...RUN_TOOLS,
  ...CHANGE_TOOLS,
  ...COMPARE_TOOLS,
  COMPARE_SIDES_TOOL,
  ...NOISE_TOOLS,
  ...REVIEW_TOOLS,
  ...CHECK_TOOLS,
];

/** Returns a server with the tools that its client may use, and the reports. */
export function makeServer(context: McpContext): McpServer {
  const { isLocal, isReadOnly } = context;
  const server = new McpServer(
    { name: "vrs", title: MCP_TEXTS.serverTitle, version },
    { instructions: MCP_TEXTS.instructions },
  );
  for (const tool of TOOLS) {
    const isOffered = (isLocal || !tool.isLocalOnly) && !(isReadOnly && tool.changes);
    if (isOffered) tool.addTo(server, context);
  }
  addReports(server, context);
  return server;
}
