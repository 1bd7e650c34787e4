import { isDownFingerprint } from "../../../shared/alerts/fingerprint.rule.ts";
import { pageName } from "../../../shared/contracts/capture/screenshot-key.ts";
import { plainText } from "../../../shared/text/code-spans.ts";
import { EXPLANATIONS, HEADLINES, MESSAGE_TEXTS } from "../texts.ts";
import type { AlertMessage } from "./message.ts";

type NamedRegression = AlertMessage["regressions"][number];

/** Returns what happened, where, and how much, in one line. */
export function headline(message: AlertMessage): string {
  const { kind, monitor, count: many, regressions, about, down } = message;
  const [worst] = regressions;
  if (message.title !== null) return message.title;
  if (kind === "test") return HEADLINES.test(monitor.name);
  if (kind === "down") return downHeadline(monitor.name, down);
  if (kind === "recovered" && message.resolvedBy !== null) return HEADLINES.resolved(monitor.name);
  if (kind === "recovered") return HEADLINES[isDownFingerprint(about) ? "up" : "recovered"](monitor.name);
  if (kind === "replaced" || worst === undefined) return HEADLINES.changed(monitor.name);
  const [page, ratio] = [pageOf(worst), worst.diffRatio];
  return many > 1
    ? HEADLINES.pagesChanged(monitor.name, page, ratio, many - 1)
    : HEADLINES.pageChanged(monitor.name, page, ratio);
}

/** Returns what it means, in a few sentences. */
export function explanation(message: AlertMessage): string {
  const { kind, count: many, otherRenderers, reason, since, at, resolvedBy } = message;
  const checked = EXPLANATIONS.checked(at);
  const drawn = otherRenderers > 0 && EXPLANATIONS.otherRenderers(otherRenderers);
  if (message.title !== null && reason !== null) return reason;
  if (kind === "test") return EXPLANATIONS.test;
  if (kind === "replaced") return EXPLANATIONS.replaced;
  if (kind === "down") {
    const { noResponse, twice, alsoChanged } = EXPLANATIONS;
    return joined(reason ?? noResponse, twice, many > 0 && alsoChanged(many), drawn, checked);
  }
  if (kind === "recovered" && resolvedBy !== null)
    return joined(
      EXPLANATIONS.resolvedBy(plainText(resolvedBy)),
      since !== null && EXPLANATIONS.since(since),
    );
  if (kind === "recovered")
    return joined(EXPLANATIONS.recovered, since !== null && EXPLANATIONS.since(since), checked);
  return joined(EXPLANATIONS.changed(many), seenFrom(message), becauseOf(message), drawn, checked);
}

/** Returns what is wrong, in a few sentences without the time. */
export function problemText(message: AlertMessage): string {
  const { kind, count: many, reason } = message;
  if (kind !== "down") return joined(EXPLANATIONS.changed(many), seenFrom(message), becauseOf(message));
  return joined(reason ?? EXPLANATIONS.noResponse, many > 0 && EXPLANATIONS.alsoChanged(many));
}

/** Returns from where the changes are seen. False without regions. */
function seenFrom({ regressions }: AlertMessage): string | false {
  const regions = [...new Set(regressions.flatMap(({ regions = [] }) => regions))];
  return regions.length > 0 && EXPLANATIONS.seenFrom(regions.toSorted());
}

/** Returns the cause of the largest difference. */
function becauseOf({ regressions: [worst] }: AlertMessage): string | false {
  return worst?.cause !== undefined && EXPLANATIONS.because(plainText(worst.cause));
}

/** Returns `/pricing at 1440 px`, or `/pricing › menu open (dark) at 1440 px`. */
export function pageOf(regression: NamedRegression): string {
  return MESSAGE_TEXTS.page(pageName(regression), regression.viewport);
}

function downHeadline(monitor: string, down: AlertMessage["down"]): string {
  const [first] = down?.routes ?? [];
  if (!down || down.isWhole || first === undefined) return HEADLINES.down(monitor);
  return down.count === 1
    ? HEADLINES.pageDown(monitor, first)
    : HEADLINES.pagesDown(monitor, first, down.count - 1);
}

function joined(...sentences: (string | false)[]): string {
  return sentences.filter(sentence => sentence !== false).join(" ");
}
