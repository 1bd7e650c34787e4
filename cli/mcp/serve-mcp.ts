import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { visibleLine } from "../../shared/text/visible-text.ts";
import type { Terminal } from "../terminal.ts";
import { makeServer } from "./make-server.ts";
import { localContext } from "./mcp-context.ts";

/** Serves MCP on standard input and output until the client closes them, or until the signal is aborted. */
export async function serveOnStdio(terminal: Terminal, isReadOnly: boolean): Promise<void> {
  const context = localContext(terminal, isReadOnly);
  const transport = new StdioServerTransport();
  const server = serveStdio(() => makeServer(context), {
    transport,
    onerror: error => terminal.err(`${visibleLine(error.message)}\n`),
  });
  await new Promise<void>(resolve => {
    for (const event of ["end", "close"]) process.stdin.once(event, () => resolve());
    terminal.signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await server.close();
}
