const TYPES = ["build", "chore", "ci", "docs", "feat", "fix", "perf", "refactor", "revert", "style", "test"];
const HEADER = /^(?<type>\w+)(?:\([\w/.,-]+\))?!?: (?<subject>\S.*)$/;
const MAX_HEADER_CHARS = 72;

/** Returns the problems of a commit's message by Conventional Commits. Empty if there are none. */
export function commitFailures(message: string): string[] {
  const [header = "", second = ""] = message.split("\n");
  const { type = "", subject = "" } = HEADER.exec(header)?.groups ?? {};
  const failures = [];
  if (subject === "") failures.push("The first line must be `type(scope): subject` or `type: subject`.");
  else if (!TYPES.includes(type)) failures.push(`The type must be one of ${TYPES.join(", ")}.`);
  if (header.length > MAX_HEADER_CHARS)
    failures.push(`The first line must have at most ${MAX_HEADER_CHARS} characters.`);
  if (subject.endsWith(".")) failures.push("The first line must not end with a period.");
  if (second !== "") failures.push("The second line must be empty.");
  return failures;
}
