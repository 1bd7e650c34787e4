import { count, figure } from "../../shared/text/format.ts";

/** Texts of `vrs compare`. */
export const COMPARE_TEXTS = {
  title: (base: string, head: string) => `${head} compared with ${base}`,
  progress: (compared: number, total: number) => `Comparing ${figure(compared)} of ${count(total, "page")}`,
  identical: (pages: number) => `All ${count(pages, "page")} are identical.`,
  timeout: (minutes: number) =>
    `The comparison took longer than ${count(minutes, "minute")}. Repeat the command to continue it, or set a longer --timeout.`,
  report: "Report",
  imagesOmitted: "The images are omitted, because the report would be too large. Compare fewer pages.",
  reportField: "Path of the HTML report. Null without --report, or if it could not be written",
  baselineReason: "the base side of the comparison",
};

export const COMPARE_ERRORS = {
  mixed: (folder: string) =>
    `${folder} is a folder, and the other side isn't. Compare two folders, or two sides that the service has.`,
  localOptions:
    "--base-environment, --head-environment, --route, --viewport and --timeout need two sides that the service has. Remove them to compare folders.",
  tooMany: (folder: string, most: number) =>
    `${folder} has more than ${count(most, "PNG file")}. Compare a smaller folder.`,
  unreadable: (file: string, why: string) => `${file} can't be read: ${why}`,
  viewport: (value: string) => `--viewport must be a width in px, not ${value}.`,
};
