import type { EntityManager } from "../../../mixins/database.ts";
import { type ComparisonSide, sideText } from "../../../shared/contracts/comparisons/comparison-side.ts";
import type { ComparedSideView } from "../../../shared/contracts/comparisons/comparisons.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { monitorOfProject } from "../../../shared/monitor-project.ts";
import { branchOrPullRequestOf, branchScope, commitOf } from "../baselines/scope.rule.ts";
import { findProject, findRun } from "../run.store.ts";
import { COMPARISON_ERRORS, COMPARISON_TEXTS } from "../texts/runs.ts";
import {
  findLookSide,
  findMonitorProjects,
  hasBaselines,
  listPagesOfBranch,
  listPagesOfMonitor,
  listPagesOfRun,
  type SidePage,
} from "./side.store.ts";

/** A side of a comparison with its pages. */
export interface ResolvedSide {
  view: ComparedSideView;
  pages: SidePage[];
}

type SideOf<K extends ComparisonSide["kind"]> = Extract<ComparisonSide, { kind: K }>;

/** Returns a side of the team. @throws ServiceError not_found, also for another team's; conflict for an unfinished run */
export function resolveSide(em: EntityManager, teamId: string, side: ComparisonSide): Promise<ResolvedSide> {
  switch (side.kind) {
    case "run":
      return resolveRun(em, teamId, side);
    case "branch":
      return resolveBranch(em, teamId, side);
    case "monitor":
      return resolveMoment(em, teamId, side);
    case "look":
      return resolveLook(em, teamId, side);
  }
}

async function resolveRun(em: EntityManager, teamId: string, side: SideOf<"run">): Promise<ResolvedSide> {
  const run = await findRun(em, teamId, side.id);
  if (!run) throw missing(COMPARISON_ERRORS.noRun(side.id));
  if (run.completedAt === null) throw new ServiceError("conflict", COMPARISON_ERRORS.notEnded(run.id));
  const { branch, pr } = branchOrPullRequestOf(run.scope);
  const view = viewOf(side, run.project, {
    label: COMPARISON_TEXTS.run(run.project, branch ?? COMPARISON_TEXTS.pullRequest(pr ?? 0)),
    runId: run.id,
    branch,
    at: run.createdAt.toISOString(),
    commit: commitOf(run.scm),
    monitorId: monitorOfProject(run.project)?.id ?? null,
  });
  return { view, pages: await listPagesOfRun(em, run.id) };
}

async function resolveBranch(
  em: EntityManager,
  teamId: string,
  side: SideOf<"branch">,
): Promise<ResolvedSide> {
  const project = await findProject(em, teamId, side.project);
  if (!project) throw missing(COMPARISON_ERRORS.noProject(side.project));
  const scope = branchScope(side.branch);
  if (!(await hasBaselines(em, project.id, scope)))
    throw missing(COMPARISON_ERRORS.noBranch(side.project, side.branch));
  const defaultScope = branchScope(project.defaultBranch);
  const label = COMPARISON_TEXTS.branch(side.project, side.branch);
  return {
    view: viewOf(side, side.project, { label, branch: side.branch }),
    pages: await listPagesOfBranch(em, project.id, { scope, defaultScope }),
  };
}

async function resolveMoment(
  em: EntityManager,
  teamId: string,
  side: SideOf<"monitor">,
): Promise<ResolvedSide> {
  const [project] = await findMonitorProjects(em, teamId, side.id, side);
  if (!project) throw missing(COMPARISON_ERRORS.noMoment(side.id, side.at ?? side.checkId));
  const label = COMPARISON_TEXTS.moment(side.id, side.at ?? side.checkId);
  return {
    view: viewOf(side, project.name, { label, monitorId: side.id, at: side.at }),
    pages: await listPagesOfMonitor(em, project.id, side),
  };
}

async function resolveLook(em: EntityManager, teamId: string, side: SideOf<"look">): Promise<ResolvedSide> {
  const look = await findLookSide(em, teamId, side.id);
  if (!look) throw missing(COMPARISON_ERRORS.noLook(side.id));
  const { project, page } = look;
  const monitorId = monitorOfProject(project.name)?.id ?? null;
  const at = page.at?.toISOString() ?? null;
  const label = COMPARISON_TEXTS.moment(monitorId ?? project.name, at);
  return { view: viewOf(side, project.name, { label, monitorId, at }), pages: [page] };
}

function viewOf(
  side: ComparisonSide,
  project: string,
  facts: Partial<ComparedSideView> & Pick<ComparedSideView, "label">,
): ComparedSideView {
  const none = { runId: null, branch: null, monitorId: null, at: null, commit: null };
  return { kind: side.kind, text: sideText(side), project, ...none, ...facts };
}

function missing(message: string): ServiceError {
  return new ServiceError("not_found", message);
}
