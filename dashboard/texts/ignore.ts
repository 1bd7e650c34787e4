import type { Recompared, RulePreview, RuleScope } from "../../shared/contracts/noise/ignore-rules.ts";
import { percent } from "../../shared/text/format.ts";
import { commonTexts } from "./common.ts";
import { number, plural } from "./format.ts";

/** Texts of the panel that makes ignore rules, and of the list of rules. */
export const ignoreTexts = {
  open: "Ignore",
  title: "Ignore noise",
  draw: "Draw a region",
  drawing: "Drag on the screenshot. Press Esc to stop.",
  region: "Region in px",
  sides: { x: "Left", y: "Top", width: "Width", height: "Height" },
  where: "What to ignore",
  here: (viewport: number) => `The region on this page at ${commonTexts.px(viewport)}`,
  widths: "The region on this page at all widths",
  project: "The region on all pages",
  raise: "Raise this page's threshold",
  threshold: "Threshold (%)",
  atAllWidths: "At all widths",
  name: "Name (optional)",
  nameHint: "Why this is noise, such as “Clock in the header”",
  expires: "Ends on (optional)",
  save: "Save rule",
  saving: "Saving…",
  noRegion: "Draw a region on the screenshot, or enter its position and size.",
  preview: "Preview",
  previewThing: "The preview",
  computing: "Computing the preview…",
  nothing: (runs: number) => `This rule would have hidden nothing in the last ${plural(runs, "run")}.`,
  noRuns: "No completed runs to preview the rule with yet.",
  approved: (count: number) =>
    count === 1
      ? "Reviewers approved one of them as a wanted change. The rule would have hidden it."
      : `Reviewers approved ${number(count)} of them as wanted changes. The rule would have hidden them.`,
  partial: (compared: number) =>
    `The preview covers only the latest ${plural(compared, "changed screenshot")}.`,
  item: (pixels: number) => `hides ${number(pixels)} px`,
  itemUnchanged: "hides it completely",
  itemReview: { approved: "approved", rejected: "rejected", noise: "rejected as noise" },
  more: (count: number) => `and ${number(count)} more`,
  manage: "Manage ignore rules",
  hereAlready: (pixels: number) => `Rules hide ${number(pixels)} changed px of this screenshot.`,
  raised: (from: number, to: number) =>
    `A rule raised the threshold from ${percent(from)} to ${percent(to)}.`,
  undone: "Rule removed.",

  rules: "Ignore rules",
  rulesAbout:
    "Reviewers add rules in a review, with Ignore, or from a suggestion. Changed pixels in an ignored region don't count. Reviews and reports show the regions hatched, with what they hid.",
  noRules: "No ignore rules yet. Rules from reviews and suggestions that you accept appear here.",
  ended: "Ended rules",
  showEnded: "Show ended rules",
  older: "Show older rules",
  scopes: {
    page: (viewport: number) => commonTexts.px(viewport),
    widths: () => "all widths",
    project: () => "all pages",
  } satisfies Record<RuleScope, (viewport: number) => string>,
  raisedTo: (threshold: number) => `threshold raised to ${percent(threshold)}`,
  madeBy: "{name}, {time}",
  until: "{name}, {time}, until {until}",
  endedAt: "{name}, {time}, ended {until}",
  allPages: "All pages",
  noEnded: "No rule has ended.",
  edit: "Edit",
  editLabel: (what: string) => `Edit rule of ${what}`,
  editTitle: "Edit ignore rule",
  appliesTo: "Applies to",
  scopeNames: { page: "This page at this width", widths: "This page at all widths", project: "All pages" },
  saveChanges: "Save changes",
  end: "End rule",
  endLabel: (what: string) => `End rule of ${what}`,
  endedNow: "Rule ended. It no longer applies from the next run on.",
  remove: "Delete",
  removeLabel: (what: string) => `Delete rule of ${what}`,
  removed: "Rule deleted.",
  exportRules: "Export to service.config.ts",
  exportTitle: "Export ignore rules",
  exportAbout:
    "Copy this into your service.config.ts. After its next run, end the rules here, so that they live in the repository only.",
  leftOut: (count: number) => `${plural(count, "rule")} can't be exported:`,
  copy: "Copy",
  copied: "Copied.",
} as const;

/** Formats as `In the last 10 runs, this rule would have hidden 2 changed screenshots and 3 changed regions.` */
export function previewText({ runs, hidden, reduced, regions }: RulePreview): string {
  if (runs === 0) return ignoreTexts.noRuns;
  if (hidden + reduced === 0) return ignoreTexts.nothing(runs);
  const start = `In the last ${plural(runs, "run")}, this rule would have hidden`;
  const parts = [
    ...(hidden > 0 ? [plural(hidden, "changed screenshot")] : []),
    ...(regions > 0 ? [plural(regions, "changed region")] : []),
  ];
  const what = parts.length > 0 ? parts.join(" and ") : "no whole region";
  return reduced === 0
    ? `${start} ${what}.`
    : `${start} ${what}. ${plural(reduced, "screenshot")} would have changed less.`;
}

/** Formats as `Rule saved. 2 screenshots of this run are unchanged now.` */
export function savedText(recompared: Recompared | null): string {
  if (!recompared || recompared.screenshots === 0) return "Rule saved. It applies from the next run on.";
  const { unchanged, screenshots } = recompared;
  return unchanged === 0
    ? `Rule saved. ${plural(screenshots, "screenshot")} of this run changed less.`
    : `Rule saved. ${plural(unchanged, "screenshot")} of this run ${unchanged === 1 ? "is" : "are"} unchanged now.`;
}
