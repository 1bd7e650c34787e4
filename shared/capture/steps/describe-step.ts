import type { Condition, Step } from "../../contracts/capture/steps.ts";
import { STEP_NAMES } from "../texts.ts";

/** Maximum length of what a step acts on. */
const SHOWN_CHARS = 100;

/** Returns the name of a step in texts: `Step 3 (click role=button[name="Menu"])`. Typed values are not part of it. */
export function describeStep(step: Step, index: number): string {
  return STEP_NAMES.numbered(index + 1, [step.action, ...shortened(targetOf(step))].join(" "));
}

/** Returns the name of a condition: `selector .menu`. */
export function describeCondition(condition: Condition): string {
  return shortened(conditionText(condition)).join("");
}

function targetOf(step: Step): string {
  switch (step.action) {
    case "press":
      return step.key;
    case "goto":
      return step.url.replace(/\?.*$/s, "");
    case "setViewport":
      return step.height === undefined ? String(step.width) : `${step.width} × ${step.height}`;
    case "screenshot":
      return step.name ?? "";
    case "waitFor":
      return conditionText(step);
    case "scrollTo":
      return step.selector ?? `y=${step.y ?? 0}`;
    case "drag":
      return STEP_NAMES.drag(step.selector, step.to);
    default:
      return step.selector;
  }
}

function conditionText({ selector, text, request, idle, function: expression }: Condition): string {
  if (selector !== undefined) return `selector ${selector}`;
  if (text !== undefined) return `text "${text}"`;
  if (request !== undefined) return `request ${request}`;
  return idle ? "idle" : `function ${expression ?? ""}`;
}

function shortened(text: string): string[] {
  if (text === "") return [];
  return [text.length <= SHOWN_CHARS ? text : `${text.slice(0, SHOWN_CHARS - 1)}…`];
}
