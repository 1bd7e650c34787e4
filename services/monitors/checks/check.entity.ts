import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { sealedJson } from "../../../mixins/database.ts";
import type { MonitorOptions } from "../../../shared/contracts/capture/capture-options.ts";
import type { Viewport } from "../../../shared/contracts/capture/viewport.ts";
import type { Regression } from "../../../shared/contracts/monitors/alert-actions.ts";
import { CHECK_KINDS, CHECK_OUTCOMES } from "../../../shared/contracts/monitors/checks.ts";
import type { Drift, PageResult } from "./evaluate-check.rule.ts";

/** The monitor's settings when the check started. */
export interface CheckTarget {
  name: string;
  url: string;
  routes: string[];
  viewports: Viewport[];
  threshold: number;
  /** Removed when the check ends, because they may contain secrets. */
  options?: MonitorOptions;
  /** Namespace of the baselines. */
  project: string;
  /** Regions whose renderers capture the pages. Missing in checks of earlier versions. */
  regions?: string[];
  /** Number of regions that must see a problem. Missing in checks of earlier versions. */
  agree?: number;
}

/** A check of a monitor's site: a run of all pages, and up to two more runs that confirm problems. */
export const CheckEntity = defineEntity({
  name: "Check",
  tableName: "check",
  properties: {
    id: p.string().primary(),
    monitorId: p.string(),
    teamId: p.string(),
    kind: p.enum(CHECK_KINDS),
    target: p.type(sealedJson("capture options", "options")).$type<CheckTarget>(),
    /** Number of the attempt, from 1. */
    attempt: p.integer(),
    /** Number of runs that were submitted again because one was canceled or deleted. */
    retries: p.integer(),
    /** The run of all pages. */
    runId: p.string(),
    /** The run that the check waits for, or the last one. */
    latestRunId: p.string(),
    /** Results of the earlier attempts. Empty if this attempt covers all pages. */
    attemptResults: p.json<PageResult[][]>(),
    startedAt: p.datetime(),
    /** Time at which this attempt's run was accepted. */
    submittedAt: p.datetime().strictNullable(),
    /** Time at which a node last worked on it. */
    touchedAt: p.datetime(),

    outcome: p.enum(CHECK_OUTCOMES).strictNullable(),
    error: p.string().strictNullable(),
    drift: p.json<Drift[]>(),
    /** Largest share of changed pixels, 0–1. Null if nothing was compared. */
    worst: p.float().strictNullable(),
    /** Removed once they are reported. */
    regressions: p.json<Regression[]>(),
    /** Routes that did not respond. */
    downRoutes: p.json<string[]>(),
    /** Whether it started or ended during maintenance. Such a check is not reported and doesn't count. */
    inMaintenance: p.boolean(),
    endedAt: p.datetime().strictNullable(),
    /** Time at which the alerts service received the result, or at which no report was found necessary. */
    reportedAt: p.datetime().strictNullable(),
  },
});

export type Check = InferEntity<typeof CheckEntity>;
