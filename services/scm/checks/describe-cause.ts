import { describeFirstCause } from "../../../shared/report/describe-explanation.ts";
import { provenText } from "../../../shared/report/describe-proof.ts";
import type { ReportScreenshot } from "../../../shared/report/report-model.ts";
import { PRODUCTION_TEXTS } from "../../../shared/report/texts.ts";
import { link } from "../../../shared/text/code-host-markdown.ts";
import { asMarkdown } from "../../../shared/text/code-spans.ts";
import { timeInWords } from "../../../shared/text/dates.ts";

/** Returns why a screenshot changed, as lines of a table's cell below how much it did. */
export function causeOf({ explanation, proof }: ReportScreenshot): string {
  const words = [describeFirstCause(explanation), provenText(proof)].filter(text => text !== null);
  return words.map(text => `<br>${asMarkdown(text)}`).join("");
}

/** Returns since when production has the change, with a link to the monitor. */
export function productionOf({ production }: ReportScreenshot): string {
  if (!production) return "";
  return `<br>${link(PRODUCTION_TEXTS.since(timeInWords(production.since)), production.link)}`;
}
