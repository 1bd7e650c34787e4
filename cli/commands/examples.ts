/** The end of a command's help: how it is called for what, one example a line. */
export function examples(...lines: [call: string, why: string][]): string {
  const width = Math.max(...lines.map(([call]) => call.length));
  return `\nExamples:\n${lines.map(([call, why]) => `  ${call.padEnd(width)}  ${why}`.trimEnd()).join("\n")}`;
}
