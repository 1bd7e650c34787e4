import { databaseTime, type EntityManager } from "../../../mixins/database.ts";
import { pickPage } from "../../../shared/contracts/capture/page-fields.ts";
import { keyOf, type ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import type {
  IgnoreRegionList,
  ListIgnoreRegionsQuery,
  RuleConfiguration,
} from "../../../shared/contracts/noise/ignore-rules.ts";
import { RULE_BOUNDS } from "../../../shared/contracts/noise/ignore-rules.ts";
import type { NoiseQuery, NoiseView } from "../../../shared/contracts/noise/noise.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { notFound } from "../../../shared/errors.ts";
import { decodeCursor, pageOf } from "../../../shared/pagination.ts";
import type { Project } from "../project.entity.ts";
import { findProject } from "../run.store.ts";
import type { RunsContext } from "../runs-context.ts";
import { addDays, flakeScore, SCORED_DAYS, scoreHistory } from "./flake-score.rule.ts";
import { groupRules, rulesOf } from "./ignore-rule.rule.ts";
import { findImages, findNoisyPages, findObservations, findPageDays, type NoisyPage } from "./noise.store.ts";
import { findActiveRules, findDismissedRegions, listRules } from "./noise-region.store.ts";
import { dayOf } from "./note-noise.ts";
import { listNullReruns } from "./null-rerun.store.ts";
import { viewOfRule, viewOfSuggestion } from "./present-noise.ts";
import { rulesAsConfig } from "./rules-as-config.rule.ts";
import { type SuggestedRegion, suggestRegions } from "./suggest-regions.rule.ts";

/** Pages whose observations are read: those with the most. */
const PAGES_READ = 100;
const PAGES_SHOWN = 50;
const SUGGESTIONS_SHOWN = 100;
const HISTORY_DAYS = 30;

/** Returns how flaky a project's pages are, and suggests ignore regions. @throws ServiceError not_found */
export async function readNoise(
  context: RunsContext,
  { teamId }: Caller,
  { project: name }: NoiseQuery,
): Promise<NoiseView> {
  const em = context.em();
  const project = await findProject(em, teamId, name);
  if (!project) throw notFound("project", name);
  const pages = await findNoisyPages(em, project.id, PAGES_READ);
  const suggested = await suggestFor(em, project.id, pages);
  const images = await findImages(
    em,
    suggested.map(({ screenshotId }) => screenshotId),
  );
  const imageOf = new Map(images.map(image => [image.id, image]));
  return {
    project: name,
    projectId: project.id,
    pages: await scoredPages(em, project.id, pages),
    suggestions: suggested.map(suggestion =>
      viewOfSuggestion(suggestion, imageOf.get(suggestion.screenshotId), teamId, context.links),
    ),
    nullReruns: await readNullReruns(em, project),
  };
}

async function readNullReruns(em: EntityManager, project: Project): Promise<NoiseView["nullReruns"]> {
  const reruns = await listNullReruns(em, project.id, HISTORY_DAYS);
  const compared = reruns.reduce((sum, rerun) => sum + (rerun.compared ?? 0), 0);
  const falseAlarms = reruns.reduce((sum, rerun) => sum + (rerun.falseAlarms ?? 0), 0);
  return {
    enabled: project.nullReruns,
    compared,
    falseAlarms,
    rate: compared === 0 ? null : falseAlarms / compared,
    history: reruns.map(({ at, ...rerun }) => ({ ...rerun, at: at.toISOString() })),
  };
}

/** Lists a project's ignore rules, latest first. @throws ServiceError for an invalid cursor */
export async function listIgnoreRegions(
  { em }: RunsContext,
  { teamId }: Caller,
  { project, limit, cursor, state = "active" }: ListIgnoreRegionsQuery,
): Promise<IgnoreRegionList> {
  const before = decodeCursor("ignore-regions", cursor);
  const rows = await listRules(em(), teamId, project, { limit, before, isActive: state === "active" });
  return pageOf("ignore-regions", rows, limit, viewOfRule);
}

/** Returns a project's active rules as a part of `service.config.ts`. @throws ServiceError not_found */
export async function readRuleConfiguration(
  context: RunsContext,
  { teamId }: Caller,
  { project }: { project: string },
): Promise<RuleConfiguration> {
  const em = context.em();
  if (!(await findProject(em, teamId, project))) throw notFound("project", project);
  const limit = RULE_BOUNDS.regionsOfProject;
  const rules = await listRules(em, teamId, project, { limit, before: undefined, isActive: true });
  return rulesAsConfig(project, rules);
}

/** Returns the pages of a project with the highest flake scores. */
export async function readFlakiest(
  em: EntityManager,
  projectId: string,
  limit: number,
): Promise<NoiseView["pages"]> {
  const pages = await findNoisyPages(em, projectId, PAGES_READ);
  return (await scoredPages(em, projectId, pages)).slice(0, limit);
}

async function scoredPages(
  em: EntityManager,
  projectId: string,
  pages: NoisyPage[],
): Promise<NoiseView["pages"]> {
  const today = dayOf(await databaseTime(em));
  const since = addDays(today, -SCORED_DAYS - HISTORY_DAYS);
  const days = Map.groupBy(await findPageDays(em, projectId, pages, since), keyOf);
  return pages
    .map(({ lastAt, ...page }) => {
      const own = days.get(keyOf(page)) ?? [];
      const history = scoreHistory(own, today, HISTORY_DAYS);
      const total = (name: "captures" | "noisy") => history.reduce((sum, day) => sum + day[name], 0);
      const counts = { captures: total("captures"), noisy: total("noisy") };
      return {
        ...page,
        score: flakeScore(own, today),
        ...counts,
        lastAt: lastAt.toISOString(),
        history,
      };
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, PAGES_SHOWN);
}

async function suggestFor(
  em: EntityManager,
  projectId: string,
  pages: ScreenshotKey[],
): Promise<(SuggestedRegion & ScreenshotKey)[]> {
  const observations = Map.groupBy(await findObservations(em, projectId, pages), keyOf);
  const rules = groupRules(await findActiveRules(em, projectId));
  const dismissals = Map.groupBy(await findDismissedRegions(em, projectId), keyOf);
  return pages
    .map(pickPage)
    .flatMap(page => {
      const accepted = rulesOf(page, rules).flatMap(({ region }) => region ?? []);
      const dismissed = (dismissals.get(keyOf(page)) ?? []).map(({ at, ...region }) => ({ region, at }));
      const suggested = suggestRegions(observations.get(keyOf(page)) ?? [], { accepted, dismissed });
      return suggested.map(region => ({ ...page, ...region }));
    })
    .sort((one, other) => other.observations - one.observations)
    .slice(0, SUGGESTIONS_SHOWN);
}
