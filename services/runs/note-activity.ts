import { emit } from "../../shared/contracts/bus.ts";
import { pageName, type ScreenshotKey } from "../../shared/contracts/capture/screenshot-key.ts";
import type { Noted } from "../../shared/contracts/events.ts";
import type { Caller } from "../../shared/contracts/teams/caller.ts";
import { newId } from "../../shared/ids.ts";
import type { RunsContext } from "./runs-context.ts";
import { ACTIVITY_TEXTS } from "./texts/projects.ts";

/** Publishes the caller's change to a run, or to a project by its name, for the team's activity log. */
export async function noteActivity(
  context: RunsContext,
  { teamId, actor }: Caller,
  type: Noted["type"],
  target: string,
  details: Noted["details"] = {},
): Promise<void> {
  await emit(context.bus, "activity.noted", { id: newId("act"), teamId, type, actor, target, details });
}

/** Returns the fields of a page for an entry of the activity log. */
export function pageDetails({ route, state, environment, viewport }: ScreenshotKey): Noted["details"] {
  return {
    ...{ route, viewport },
    ...(state !== null && { state }),
    ...(environment !== null && { environment }),
  };
}

/** Pages that an entry of the activity log names. */
const NAMED_PAGES = 3;

/** Returns the project and the first pages of decided screenshots, for an entry of the activity log. */
export function decidedDetails(project: string, screenshots: readonly ScreenshotKey[]): Noted["details"] {
  const named = screenshots
    .slice(0, NAMED_PAGES)
    .map(page => ACTIVITY_TEXTS.page(pageName(page), page.viewport));
  return { project, pages: ACTIVITY_TEXTS.pages(named, screenshots.length - named.length) };
}
