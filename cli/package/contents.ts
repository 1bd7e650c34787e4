/** Entries of the command-line tool's package. Its other files follow from their imports. */

/** The entry of the tool. */
export const TOOL = "cli/main.ts";
/** The entry for a project's own files. */
export const LIBRARY = "cli/package/index.ts";

/** Folders that files of the tool read at run time. */
export const ASSETS = ["shared/report/page"];

/** The Node versions that the tool and its packages support. */
export const NODE_VERSIONS = ">=22.17.0";
