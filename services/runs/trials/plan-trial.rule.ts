import { planPages } from "../../../shared/contracts/capture/plan-pages.ts";
import { widthOf } from "../../../shared/contracts/capture/viewport.ts";
import {
  type Configuration,
  optionsOfConfiguration,
} from "../../../shared/contracts/configuration/configuration.ts";
import type { Trial } from "../../../shared/contracts/configuration/trials.ts";
import { type SubmitRun, submitRunBody } from "../../../shared/contracts/runs/submit-run.ts";
import { type PlannedScreenshot, planScreenshots } from "../submission/plan-screenshots.rule.ts";

/** What a trial captures: all states of one page in one environment and viewport. */
export interface PlannedTrial {
  body: SubmitRun;
  screenshots: PlannedScreenshot[];
}

/** Why a trial has no page. */
interface NoPage {
  field: "environment" | "viewport";
  /** Names or widths that the page has. */
  known: string[];
}

/** Plans a trial, with the options of its page only. */
export function planTrial(trial: Trial, configuration: Configuration): PlannedTrial | NoPage {
  const { url, route, environment, viewport } = trial;
  const {
    perRoute = {},
    sessions = {},
    environments = {},
    ...general
  } = optionsOfConfiguration(configuration);
  const own = perRoute[route];
  const session = own?.session ?? general.session;
  const login = session === undefined ? undefined : sessions[session];
  const body = submitRunBody.parse({
    url,
    routes: [route],
    viewports: configuration.viewports ?? [1280],
    ...(configuration.threshold !== undefined && { threshold: configuration.threshold }),
    partial: true,
    options: {
      ...general,
      environments,
      ...(own && { perRoute: { [route]: own } }),
      ...(session !== undefined && login && { sessions: { [session]: login } }),
    },
  });
  const pages = planPages(body);
  const inEnvironment = pages.filter(page => page.environment === environment);
  if (inEnvironment.length === 0)
    return { field: "environment", known: [...new Set(pages.map(page => page.environment ?? "null"))] };
  const page = inEnvironment.find(page => viewport === undefined || widthOf(page.viewport) === viewport);
  if (!page) return { field: "viewport", known: inEnvironment.map(each => String(widthOf(each.viewport))) };
  const { states } = page;
  const only = states.map(state => ({ route, state, environment, viewport: widthOf(page.viewport) }));
  return { body, screenshots: planScreenshots(body, only) };
}
