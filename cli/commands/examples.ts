/** Columns of most windows; a reason that does not fit beside its call stands before it. */
const COLUMNS = 80;

/** The end of a command's help: how it is called for what, one example a line. */
export function examples(...lines: [call: string, why: string][]): string {
  const width = Math.max(...lines.map(([call]) => call.length));
  const fits = lines.every(([, why]) => 4 + width + why.length <= COLUMNS);
  const said = lines.map(([call, why]) =>
    fits || why === "" ? `  ${call.padEnd(width)}  ${why}`.trimEnd() : `  # ${why}\n  ${call}`,
  );
  return `\nExamples:\n${said.join("\n")}`;
}
