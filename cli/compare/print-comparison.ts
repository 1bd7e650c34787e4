import { describeRunCause, leadingCauses, withCause } from "../../shared/report/describe-explanation.ts";
import { plainText } from "../../shared/text/code-spans.ts";
import { visibleLine } from "../../shared/text/visible-text.ts";
import type { GlobalOptions } from "../commands/command.ts";
import { changesTable } from "../output/changes-table.ts";
import { tally } from "../output/format.ts";
import { minorLines } from "../output/minor-lines.ts";
import { EXIT, type ExitCode, painter, type Terminal } from "../terminal.ts";
import { COMPARE_TEXTS } from "../texts/compare.ts";
import type { ComparedPage, ComparisonResult } from "./comparison-result.ts";

/** Prints a comparison: a table of all pages that aren't identical, the causes, and the verdict. */
export function printComparison(
  terminal: Terminal,
  { base, head, data, counts, causes, report }: ComparisonResult,
  { quiet }: Pick<GlobalOptions, "quiet">,
): void {
  const code = exitCodeOf({ counts });
  if (quiet && code === EXIT.ok) return;
  const paint = painter(terminal);
  const layout = { columns: terminal.columns, paint };
  const table = changesTable(data.map(rowOf), layout);
  const minor = minorLines(
    data.filter(page => page.minor),
    layout,
  );
  const title = COMPARE_TEXTS.title(visibleLine(base.label), visibleLine(head.label));
  const { added, removed, changed, failed, unchanged } = counts;
  const all = { changed, failed, removed, unchanged, minor: counts.minor, new: added };
  const isIdentical = unchanged === data.length && counts.minor === 0;
  const lines = [
    paint("dim", title),
    ...(table.length > 0 ? [...table, ""] : []),
    ...(minor.length > 0 ? [...minor, ""] : []),
    isIdentical
      ? paint("green", `✓ ${COMPARE_TEXTS.identical(data.length)}`)
      : `${code === EXIT.ok ? paint("green", "✓") : paint("yellow", "±")} ${tally(all)}`,
    ...leadingCauses(causes).map(cause => `  ${visibleLine(plainText(describeRunCause(cause)))}`),
    ...(report === null ? [] : [`${COMPARE_TEXTS.report}  ${report}`]),
  ];
  terminal.out(`${lines.join("\n")}\n`);
}

/** Returns 0 if no page changed, 1 if pages changed, were added or removed, and 2 if a page could not be compared. */
export function exitCodeOf({ counts }: Pick<ComparisonResult, "counts">): ExitCode {
  if (counts.failed > 0) return EXIT.error;
  return counts.changed + counts.added + counts.removed > 0 ? EXIT.changed : EXIT.ok;
}

function rowOf({ status, explanation, error, ...page }: ComparedPage) {
  return { ...page, status: status === "added" ? "new" : status, note: withCause(explanation, error) };
}
