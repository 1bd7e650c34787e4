import { stripVTControlCharacters } from "node:util";
import type { Step } from "../../contracts/capture/steps.ts";
import { STEP_ERRORS } from "../texts.ts";
import { explainCondition } from "./await-condition.ts";
import { StepTimeout } from "./moving-clock.ts";

/** Maximum length of an error that the page or Playwright gives. */
const SHOWN_CHARS = 200;

/** Returns why a step failed, and what to do. */
export function explainStepFailure(step: Step, error: unknown, seconds: number): string {
  const text = error instanceof StepTimeout ? messageOf(error.abortError) : messageOf(error);
  if (error instanceof StepTimeout) return explainTimeout(step, text, seconds);
  const strict = /strict mode violation: .* resolved to (\d+) elements/.exec(text);
  if (strict && "selector" in step) return STEP_ERRORS.manyMatches(step.selector ?? "", strict[1] ?? "");
  return STEP_ERRORS.thrown(shortMessage(text));
}

/** Returns why the code of a plugin failed, and what to do. */
export function explainCodeFailure(error: unknown, seconds: number): string {
  if (error instanceof StepTimeout) return STEP_ERRORS.codeLate(seconds);
  return STEP_ERRORS.codeThrown(shortMessage(error instanceof Error ? messageOf(error) : String(error)));
}

/** Returns the first line of an error such as "locator.click: Error: Unknown key", without its origin. */
function shortMessage(text: string): string {
  const [line = ""] = text.split("\n");
  return shortened(line.replace(/^[\w.]+: (Error: )?/, "")).replace(/\.$/, "");
}

/** Playwright's log says what an action was waiting for last. */
function explainTimeout(step: Step, log: string, seconds: number): string {
  if (step.action === "waitFor") return explainCondition(step, seconds);
  const selector = "selector" in step ? step.selector : undefined;
  if (selector === undefined) return STEP_ERRORS.late(seconds);
  if (!/locator resolved to/.test(log)) return STEP_ERRORS.noMatch(selector, seconds);
  const covers = [...log.matchAll(/- (<.*) intercepts pointer events/g)].at(-1)?.[1];
  if (covers !== undefined) return STEP_ERRORS.covered(shortened(covers), seconds);
  const state = [...log.matchAll(/element is (not \w+|outside of the viewport)/g)].at(-1)?.[1];
  if (state !== undefined) return STEP_ERRORS.state(state, seconds);
  return STEP_ERRORS.late(seconds);
}

function shortened(text: string): string {
  return text.length <= SHOWN_CHARS ? text : `${text.slice(0, SHOWN_CHARS - 1)}…`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? stripVTControlCharacters(error.message) : "";
}
