/** Every text about configuration files that their authors read. */

export const CONFIG_ERRORS = {
  whole: "The configuration",
  unknownField: (field: string, near: string | null, known: readonly string[]) =>
    `"${field}" is not a known field. ${near === null ? `Known fields: ${known.join(", ")}.` : `Did you mean "${near}"?`}`,
};
