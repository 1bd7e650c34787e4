/** `vrs export`, and `vrs import` of its file. */
import { count, figure } from "../../shared/text/format.ts";
import type { Examples } from "./help.ts";

export const EXPORT_HELP = {
  summary: "Export a team's whole data from a service",
  description:
    "Exports projects, settings, ignore rules, baselines, runs, reviews, threads, and monitors of a team as one tar file. Needs an admin key. Secrets are left out, and the command lists them. `vrs import --from vrs` imports the file into another service.",
  file: "the file to write, such as acme.tar",
  team: "id of the team (default: the team of the API key)",
  force: "overwrite an existing file",
  examples: [["vrs export acme.tar", "export the team of the API key"]] satisfies Examples,
};

export const TRANSFER_TEXTS = {
  exporting: (done: number, total: number) => `${figure(done)} of ${count(total, "table")} exported`,
  receiving: (bytes: number) => `${figure(Math.round(bytes / 1024))} KiB received`,
  sending: (bytes: number, total: number) =>
    `${figure(Math.round(bytes / 1024))} of ${figure(Math.round(total / 1024))} KiB sent`,
  importing: (done: number, total: number | null) =>
    total === null ? "Importing" : `${figure(done)} of ${count(total, "part")} imported`,
  exported: (file: string, rows: number, files: number) =>
    `Exported ${count(rows, "row")} and ${count(files, "file")} to ${file}.`,
  imported: (rows: number) => `Imported ${count(rows, "new row")}.`,
  renamed: (name: string, importedAs: string) => `${name} was imported as ${importedAs}.`,
  skipped: (name: string) => `${name} was skipped, because the team has it already.`,
  leftOut: (found: number) => `The file has no secrets. Set ${count(found, "value")} again after an import:`,
  oneLeftOut: (kind: string, name: string) => `  ${kind.replaceAll("_", " ")}: ${name}`,
};

export const TRANSFER_ERRORS = {
  noTeam: "The API key has no team. Use a key of the team.",
  exists: (file: string) => `${file} already exists. Choose another name, or add --force.`,
  noFile: (file: string) => `The file ${file} can't be read. Check its path.`,
  failed: (why: string) => `The import failed. ${why}`,
  existing: (choice: string) => `--existing can't be "${choice}". Use refuse, rename, or skip.`,
  interrupted: "The download was interrupted. Run the command again.",
};
