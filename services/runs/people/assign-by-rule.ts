import type { EntityManager } from "../../../mixins/database.ts";
import { projectOfBuildBase } from "../../../shared/contracts/builds/builds.ts";
import { REVIEWER_BOUNDS } from "../../../shared/contracts/reviews/reviewers.ts";
import type { Run } from "../run.entity.ts";
import { reviewersOf } from "./match-routes.rule.ts";
import { findOpenRoutes, findReviewers, findRules, insertReviewers } from "./reviewer.store.ts";

/**
 * Assigns the reviewers that the project's rules name for the pages that need review. Belongs into the transaction that
 * ends the run. @returns the ids of all reviewers of the run
 */
export async function assignByRule(tx: EntityManager, run: Run): Promise<string[]> {
  const rules = await findRules(tx, run.teamId, projectOfBuildBase(run.project));
  if (rules.length > 0) {
    const routes = await findOpenRoutes(tx, run.id);
    const of = { except: run.createdAs, limit: REVIEWER_BOUNDS.perRun };
    await insertReviewers(tx, run.id, reviewersOf(rules, routes, of), null);
  }
  return ((await findReviewers(tx, [run.id])).get(run.id) ?? []).map(({ id }) => id);
}
