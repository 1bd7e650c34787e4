/** Name of the project whose sessions and secrets all monitors use. */
export const MONITORS = "monitors";
