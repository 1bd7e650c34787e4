/** Texts of saved filters. */
export const savedFilterTexts = {
  title: "Saved filters",
  save: "Save filter",
  name: "Name of the filter",
  remove: (name: string) => `Remove ${name}`,
} as const;
