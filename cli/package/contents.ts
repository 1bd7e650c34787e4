/** What the package of the command-line tool is made of; its other files follow from what these import. */

/** The tool. */
export const TOOL = "cli/main.ts";
/** What a project's own files import from it. */
export const LIBRARY = "cli/package/index.ts";

/** Folders that are read as they are, by files of the tool. */
export const ASSETS = ["shared/report/page"];

/** What the tool and its packages need. */
export const NODE_VERSIONS = ">=22.17.0";
