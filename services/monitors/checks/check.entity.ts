import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { sealedJson } from "../../../mixins/database.ts";
import type { Regression } from "../../../shared/contracts/monitors/alert-actions.ts";
import { CHECK_KINDS, CHECK_OUTCOMES } from "../../../shared/contracts/monitors/monitors.ts";
import type { MonitorOptions } from "../../../shared/contracts/runs/capture-options.ts";
import type { Drift, Look } from "./judge-check.rule.ts";

/** What a check looks at: the monitor as it was when the check began. */
export interface CheckTarget {
  name: string;
  url: string;
  routes: string[];
  viewports: number[];
  threshold: number;
  /** Until it ends: they may hold secrets. */
  options?: MonitorOptions;
  /** The namespace of its baselines. */
  project: string;
}

/** One look after a monitor's site: a run, and up to two more of the pages that were not fine. */
export const CheckEntity = defineEntity({
  name: "Check",
  tableName: "check",
  properties: {
    id: p.string().primary(),
    monitorId: p.string(),
    teamId: p.string(),
    kind: p.enum(CHECK_KINDS),
    target: p.type(sealedJson("capture options", "options")).$type<CheckTarget>(),
    /** 1 for the first run. */
    attempt: p.integer(),
    /** Runs that were submitted again because one was canceled or deleted. */
    retries: p.integer(),
    /** The one of all pages. */
    runId: p.string(),
    /** The run that is waited for, or was last. */
    latestRunId: p.string(),
    /** What the attempts before this one found; nothing where this one is of all pages. */
    looks: p.json<Look[][]>(),
    startedAt: p.datetime(),
    /** When this attempt's run was accepted. */
    submittedAt: p.datetime().strictNullable(),
    /** When somebody last saw to it. */
    touchedAt: p.datetime(),

    outcome: p.enum(CHECK_OUTCOMES).strictNullable(),
    error: p.string().strictNullable(),
    drift: p.json<Drift[]>(),
    /** The largest difference, 0–1; null where nothing was compared. */
    worst: p.float().strictNullable(),
    /** Until they are reported. */
    regressions: p.json<Regression[]>(),
    /** The pages that did not answer. */
    downRoutes: p.json<string[]>(),
    endedAt: p.datetime().strictNullable(),
    /** When whoever alerts was told, or it was seen that nobody is to be. */
    reportedAt: p.datetime().strictNullable(),
  },
});

export type Check = InferEntity<typeof CheckEntity>;
