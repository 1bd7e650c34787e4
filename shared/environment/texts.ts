/** Every text about environment variables that operators read in the log. */
export const VARIABLE_WARNINGS = {
  unknown: (name: string, near: string | null) =>
    `${name} is not a setting. ${near === null ? "Remove it." : `Did you mean ${near}?`}`,
};
