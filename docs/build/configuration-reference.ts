import { VARIABLE_DEFAULTS } from "../../shared/environment/variables.ts";
import { VARIABLE_GROUPS } from "./variables.ts";

/** Returns the reference of the environment's variables. @throws Error if its texts and the schema disagree. */
export function configurationReference(): string {
  const known = Object.keys(VARIABLE_DEFAULTS);
  const explained = VARIABLE_GROUPS.flatMap(({ variables }) => Object.keys(variables));
  const missing = known.filter(name => !explained.includes(name));
  const gone = explained.filter(name => !known.includes(name));
  if (missing.length + gone.length > 0)
    throw new Error(
      `docs/build/variables.ts doesn't match shared/environment/variables.ts. Add: ${missing.join(", ") || "none"}. Remove: ${gone.join(", ") || "none"}.`,
    );
  return `${[
    "# Configuration",
    "",
    "This page lists every environment variable of the service.",
    "",
    "The service reads them once, when it starts. An invalid value ends the start with an error that names the variable. An empty variable counts as unset. A variable with the prefix `SERVICE_` that is not a setting is ignored. The log warns of it and names the closest setting.",
    "",
    ...VARIABLE_GROUPS.flatMap(({ title, variables }) => [
      `## ${title}`,
      "",
      "| Variable | Default | Meaning |",
      "|---|---|---|",
      ...Object.entries(variables).map(
        ([name, { preset = shown(VARIABLE_DEFAULTS[name]), meaning }]) =>
          `| \`${name}\` | ${preset} | ${meaning} |`,
      ),
      "",
    ]),
  ].join("\n")}`;
}

function shown(value: unknown): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return "not set";
  return `\`${String(value)}\``;
}
