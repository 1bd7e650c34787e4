import { CommandError, EXIT } from "../terminal.ts";
import { MCP_HELP as HELP } from "../texts/help-service.ts";
import { MCP_ERRORS } from "../texts/mcp.ts";
import { type AddCommand, examples } from "./command.ts";

interface Flags {
  http?: string;
  readOnly: boolean;
}

/** `vrs mcp` */
export const addMcp: AddCommand = (program, run) => {
  program
    .command("mcp")
    .summary(HELP.summary)
    .description(HELP.description)
    .option("--http <port>", HELP.http)
    .option("--read-only", HELP.readOnly, false)
    .addHelpText("after", examples(...HELP.examples))
    .action(async ({ http, readOnly }: Flags) =>
      run(async ({ terminal }) => {
        if (http === undefined) {
          const { serveOnStdio } = await import("../mcp/serve-mcp.ts");
          await serveOnStdio(terminal, readOnly);
        } else {
          const port = portOf(http);
          const { serveOverHttp } = await import("../mcp/serve-http.ts");
          await serveOverHttp(terminal, port, readOnly);
        }
        return EXIT.ok;
      }),
    );
};

/** @throws CommandError for another text */
function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new CommandError("usage", MCP_ERRORS.port(text));
}
