import type { Region } from "../../shared/compare/comparison.ts";
import type { MonitoredCorpus } from "./monitored-corpus.ts";

/** One screenshot of a check, in the order of capture. */
export interface CheckScreenshot {
  checkId: string;
  monitor: string;
  url: string;
  route: string;
  viewport: number;
  /** 1 for a screenshot of the check's first run. */
  runNumber: number;
  status: string;
  stable: boolean | null;
  attempts: number;
  diffPixels: number | null;
  /** Where its own attempts differed from each other. */
  movingRegions: Region[];
  moving: string[];
  regions: Region[];
  error: string | null;
  hash: string | null;
  baselineHash: string | null;
}

/** A check that ended. */
export interface EndedCheck {
  id: string;
  monitor: string;
  outcome: string;
  error: string | null;
  startedAt: Date;
}

/** Reads every check that ended, oldest first. */
export function readChecks(corpus: MonitoredCorpus): Promise<EndedCheck[]> {
  return corpus.query(
    `select c.id, m.name as monitor, c.outcome, c.error, c.started_at as "startedAt"
     from monitors.check c join monitors.monitor m on m.id = c.monitor_id
     where c.ended_at is not null order by c.started_at, c.id`,
  );
}

/** Reads every screenshot of every check. A check's later runs contain the pages that looked changed. */
export function readScreenshots(corpus: MonitoredCorpus): Promise<CheckScreenshot[]> {
  return corpus.query(
    `select c.id as "checkId", m.name as monitor, m.url, s.route, s.viewport, s.status, s.stable, s.attempts,
       dense_rank() over (partition by c.id order by r.id = c.run_id desc, r.id)::int as runNumber,
       s.diff_pixels as "diffPixels", s.moving_regions as "movingRegions", s.moving, s.regions, s.error, s.hash,
       s.baseline_hash as "baselineHash"
     from monitors.check c join monitors.monitor m on m.id = c.monitor_id
     join runs.run r on r.project = c.target ->> 'project'
       and r.created_at between c.started_at and c.ended_at
     join runs.screenshot s on s.run_id = r.id
     where c.ended_at is not null order by c.started_at, c.id, r.id, s.id`,
  );
}
