import type { Cause, Explanation } from "../../../shared/contracts/runs/explanation.ts";
import type { IntentInput } from "../../../shared/contracts/runs/intent.ts";
import type { ScreenshotStatus } from "../../../shared/contracts/runs/screenshots.ts";
import { matchesRoute } from "../people/match-routes.rule.ts";
import { isMinorChange } from "../reviews/reviewable.rule.ts";

/** A screenshot as its intent is decided. */
interface DecidedScreenshot {
  status: ScreenshotStatus;
  route: string;
  diffPixels: number | null;
  faintPixels: number;
  explanation: Explanation | null;
}

/**
 * Returns whether a screenshot differs as its run was meant to. A changed one, minor changes too, does if its route is
 * meant, and if each of its causes has a selector or a word of the intent. One other cause makes it unintended, and so does an
 * unknown cause. New and removed pages have no causes, so only the route counts. Null if there is nothing to decide.
 */
export function isIntended(intent: IntentInput, screenshot: DecidedScreenshot): boolean | null {
  const { status, route, explanation } = screenshot;
  const isChanged = status === "changed" || isMinorChange(screenshot);
  if (!isChanged && (status === "unchanged" || status === "pending")) return null;
  if (status === "failed") return false;
  const { routes, selectors, words } = intent;
  if (routes.length > 0 && !routes.some(pattern => matchesRoute(pattern, route))) return false;
  const namesCauses = selectors.length + words.length > 0;
  if (!isChanged) return routes.length > 0;
  if (!namesCauses) return true;
  const causes = explanation?.causes ?? [];
  return causes.length > 0 && causes.every(cause => matchesCause(intent, cause));
}

function matchesCause({ selectors, words }: IntentInput, cause: Cause): boolean {
  const places = [cause.selector, cause.rule].filter(place => place !== null);
  if (selectors.some(selector => places.some(place => hasSelector(place, selector)))) return true;
  const texts = [cause.text, cause.property, cause.before, cause.after, cause.file?.url, cause.file?.source];
  const said = texts.flatMap(text => text?.toLowerCase() ?? []);
  return words.some(word => said.some(text => text.includes(word.toLowerCase())));
}

/** Characters that continue a name in a selector, so that `.btn` is not in `.btn-group`. */
const NAME = /[\w\u0080-\uffff-]/u;

/** Returns whether a selector has this one in it as a whole: `.btn` is in `nav .btn:hover`, not in `.btn-group`. */
function hasSelector(place: string, selector: string): boolean {
  for (let at = place.indexOf(selector); at !== -1; at = place.indexOf(selector, at + 1)) {
    const before = place[at - 1] ?? "";
    const after = place[at + selector.length] ?? "";
    const startsName = NAME.test(selector[0] ?? "");
    // A tag name must not be the end of a class or an id.
    const isWhole = !(startsName && (NAME.test(before) || before === "." || before === "#"));
    if (isWhole && !NAME.test(after)) return true;
  }
  return false;
}
