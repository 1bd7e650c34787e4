import { PROGRAM_HELP } from "../texts/help.ts";

/** Width of most windows. A purpose that doesn't fit beside its call is printed above it. */
const COLUMNS = 80;

/** Returns the end of a command's help: one example per line, with its purpose. */
export function examples(...lines: [call: string, why: string][]): string {
  const width = Math.max(...lines.map(([call]) => call.length));
  const fits = lines.every(([, why]) => 4 + width + why.length <= COLUMNS);
  const said = lines.map(([call, why]) =>
    fits || why === "" ? `  ${call.padEnd(width)}  ${why}`.trimEnd() : `  # ${why}\n  ${call}`,
  );
  return `\n${PROGRAM_HELP.examplesTitle}\n${said.join("\n")}`;
}
