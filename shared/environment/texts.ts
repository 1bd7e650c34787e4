/** Texts about environment variables in the log, for operators. */
export const VARIABLE_WARNINGS = {
  unknown: (name: string, near: string | null) =>
    `${name} is not a setting. ${near === null ? "Remove it." : `Did you mean ${near}?`}`,
};
