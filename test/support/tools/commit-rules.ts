const TYPES = ["build", "chore", "ci", "docs", "feat", "fix", "perf", "refactor", "revert", "style", "test"];
const HEADER = /^(?<type>\w+)(?:\([\w/.,-]+\))?!?: (?<subject>\S.*)$/;
const MAX_HEADER_CHARS = 72;

/** Returns what is wrong with a commit's message by Conventional Commits; empty if nothing is. */
export function commitFailures(message: string): string[] {
  const [header = "", second = ""] = message.split("\n");
  const { type = "", subject = "" } = HEADER.exec(header)?.groups ?? {};
  const faults = [];
  if (subject === "") faults.push("The first line must be `type(scope): subject` or `type: subject`.");
  else if (!TYPES.includes(type)) faults.push(`The type must be one of ${TYPES.join(", ")}.`);
  if (header.length > MAX_HEADER_CHARS)
    faults.push(`The first line must have at most ${MAX_HEADER_CHARS} characters.`);
  if (subject.endsWith(".")) faults.push("The first line must not end with a period.");
  if (second !== "") faults.push("The second line must be empty.");
  return faults;
}
