import type { TeamTable } from "../../../mixins/database/team-rows.ts";
import { openJson, sealJson, secretsOf } from "../../../mixins/database.ts";
import { configurationSchema } from "../../../shared/contracts/configuration/configuration.ts";
import { isPageUrl } from "../../../shared/contracts/fields.ts";
import { MIRROR_SETTINGS } from "../../../shared/contracts/reviews/mirror.ts";
import { projectOverrides } from "../../../shared/contracts/runs/projects.ts";
import { CONCLUSIONS, RUN_SOURCES } from "../../../shared/contracts/runs/runs.ts";
import { SCREENSHOT_STATUSES } from "../../../shared/contracts/runs/screenshots.ts";
import { MONITOR_PROJECTS } from "../../../shared/monitor-project.ts";

const words = (text: string) => text.trim().split(/\s+/);
const PAGE = "route state environment viewport";

const OF_PROJECT = "t.project_id in (select p.id from runs.project p where p.team_id = ?)";
const OF_RUN = "t.run_id in (select r.id from runs.run r where r.team_id = ?)";
/** Runs that an export has: trials and repetitions are only temporary. */
const isEnded = (run: string) => `${run}.completed_at is not null and ${run}.kind = 'run'`;
const WHERE_ENDED = `exists (select from runs.run e where e.id = t.run_id and ${isEnded("e")})`;
const STATUSES = ["completed", "failed", "canceled"] as const;

/** Options are left out, because they can have secrets. */
const RUN: TeamTable = {
  table: "runs.run",
  key: ["id"],
  columns:
    words(`id team_id project_id project url branch scope default_scope scm threshold status conclusion error
    body_digest tally created_by created_at started_at completed_at created_as submitter kind is_confirmation
    recaptured_at warnings screenshots_per_job source configured_by causes changed_files intent stories`),
  ofTeam: `t.team_id = ? and (t.project_id in (select p.id from runs.project p where p.team_id = t.team_id))`,
  where: isEnded("t"),
  writes: { options: "'{}'::jsonb" },
  arrays: ["warnings", "causes"],
  values: { status: STATUSES, conclusion: CONCLUSIONS, kind: ["run"], source: RUN_SOURCES },
  // Uploads have no URL.
  close: (_em, row) =>
    (row.url === "" || (typeof row.url === "string" && isPageUrl(row.url))) &&
    typeof row.completed_at === "string"
      ? row
      : null,
};

const SCREENSHOT: TeamTable = {
  table: "runs.screenshot",
  key: ["run_id", "id"],
  columns: words(`id run_id position ${PAGE} threshold status baseline_hash baseline_run_id baseline_reason
    baseline_width baseline_height baseline_browser hash width height stable moving attempts cut_from_height browser
    timings diff_pixels diff_ratio faint_pixels regions mask_hash fingerprint error review dispatches captured_at compared_at
    approvals required_approvals reviews carried_run_id carried_screenshot_id carried_by carried_at blame
    color_threshold missing flaky ignore_regions ignored_pixels flake_score moving_regions rendering
    baseline_rendering viewport_height diagnostics steps selector_regions baseline_selector_regions upload
    failure_hash explanation story production raised region`),
  ofTeam: OF_RUN,
  where: WHERE_ENDED,
  arrays: words("moving regions missing ignore_regions ignored_pixels moving_regions steps selector_regions"),
  values: {
    status: SCREENSHOT_STATUSES,
    review: ["pending", "approved", "rejected"],
    blame: ["page", "service"],
  },
};

const BASELINE: TeamTable = {
  table: "runs.baseline",
  key: ["seq"],
  columns:
    words(`seq id project_id scope ${PAGE} hash width height browser run_id screenshot_id approved_by approved_at
    fingerprint origin_run_id origin_screenshot_id approvers sha recorded_at restored_by restored_at rendering
    selector_regions story`),
  ofTeam: OF_PROJECT,
  // Later approvals come first, so the order of an import is the order of the approvals.
  generated: ["seq"],
  arrays: ["approvers", "selector_regions"],
};

const REVIEW: TeamTable = {
  table: "runs.review",
  key: ["seq"],
  columns:
    words(`seq id team_id run_id screenshot_id project_id scope ${PAGE} hash fingerprint verdict reviewer_kind
    reviewer_id reviewer_name counts_as dismisses reason at noise`),
  ofTeam: `t.run_id in (select r.id from runs.run r where r.team_id = ?)
    and t.project_id in (select r.project_id from runs.run r where r.id = t.run_id)`,
  where: WHERE_ENDED,
  generated: ["seq"],
  values: { verdict: ["approved", "rejected", "dismissed"], reviewer_kind: ["key", "user", "service"] },
};

const PURPOSE = "project configuration";

const CONFIGURATION: TeamTable = {
  table: "runs.configuration",
  key: ["id"],
  columns: words("id team_id project version settings changed_by changed_at"),
  ofTeam: "t.team_id = ?",
  open: (em, row) => ({ ...row, settings: openJson(secretsOf(em), row.settings, PURPOSE) }),
  close(em, row) {
    const { success, data } = configurationSchema.safeParse(row.settings);
    return success ? { ...row, settings: sealJson(secretsOf(em), data, PURPOSE) } : null;
  },
};

const PROJECT: TeamTable = {
  table: "runs.project",
  key: ["id"],
  columns:
    words(`id team_id name default_branch created_at required_approvals allow_self_approval retention_days
    link_days mirror_threads`),
  ofTeam: "t.team_id = ?",
  values: { mirror_threads: MIRROR_SETTINGS },
  // Exports of the version before have no settings of projects.
  close: (_em, row) =>
    projectOverrides.safeParse({
      requiredApprovals: row.required_approvals,
      allowSelfApproval: row.allow_self_approval,
      retentionDays: row.retention_days,
      linkDays: row.link_days,
    }).success
      ? { ...row, mirror_threads: row.mirror_threads ?? "private" }
      : null,
};

/** A table of a project. */
function ofProject(name: string, key: string, columns: string, more: Partial<TeamTable> = {}): TeamTable {
  const all = [...new Set(words(`${key} ${columns}`))];
  return { table: `runs.${name}`, key: words(key), columns: all, ofTeam: OF_PROJECT, ...more };
}

/** A table of an ended run. */
function ofRun(name: string, key: string, columns: string, more: Partial<TeamTable> = {}): TeamTable {
  return { ...ofProject(name, key, columns), ofTeam: OF_RUN, where: WHERE_ENDED, ...more };
}

/** Returns a URL that can be a link. Null for anything else. */
function webAddress(value: unknown): string | null {
  return typeof value === "string" && isPageUrl(value) ? value : null;
}

/** The tables of this service in an export, by their name there. Storybook records are only a cache. */
export const RUN_TABLES: Readonly<Record<string, TeamTable>> = {
  project: PROJECT,
  configuration: CONFIGURATION,
  reviewer_rules: {
    table: "runs.reviewer_rules",
    key: ["team_id", "project"],
    columns: words("team_id project rules"),
    ofTeam: "t.team_id = ?",
    arrays: ["rules"],
  },
  run: RUN,
  screenshot: SCREENSHOT,
  baseline: BASELINE,
  review: REVIEW,
  comment: ofRun(
    "comment",
    "id",
    `team_id run_id thread_id screenshot_id region text author_kind author_id author_name counts_as created_at edited_at
     resolved_by resolved_at mentions external_url`,
    {
      arrays: ["mentions"],
      values: { author_kind: ["key", "user", "service"] },
      // It becomes a link.
      close: (_em, row) => ({ ...row, external_url: webAddress(row.external_url) }),
    },
  ),
  assigned_reviewer: ofRun("assigned_reviewer", "run_id user_id", "login assigned_by assigned_at"),
  noise_region: ofProject(
    "noise_region",
    "id",
    `project_id ${PAGE} x y width height verdict reason decided_by decided_at applies_to threshold scale expires_at
     changed_by changed_at`,
    { values: { verdict: ["accepted", "dismissed"] } },
  ),
  noise_observation: ofProject(
    "noise_observation",
    "screenshot_id kind",
    `run_id project_id ${PAGE} day image_height image_width regions noted_at`,
    { arrays: ["regions"] },
  ),
  page_day: ofProject("page_day", `project_id ${PAGE} day`, "captures"),
  look: ofProject(
    "look",
    "id",
    `project_id ${PAGE} hash width height browser run_id screenshot_id baseline_hash fingerprint came_at seen_at checks
     first_check_id last_check_id`,
  ),
  build: ofRun(
    "build",
    "run_id",
    "project_id name total subset compared_with touched_at closed_at finalized_at",
  ),
  build_shard: ofRun("build_shard", "run_id name", "finalized_at"),
  build_screenshot: ofRun("build_screenshot", "run_id name environment width", "shard hash retry metadata"),
  attachment: ofProject("attachment", "project_id hash", "kind bytes"),
  run_attachment: ofRun("run_attachment", "run_id hash", "shard"),
  capsule: ofProject("capsule", `project_id ${PAGE} image_hash`, "capsule_hash"),
  kept_body: {
    table: "runs.kept_body",
    key: ["body_hash"],
    columns: words("body_hash team_id bytes"),
    ofTeam: "t.team_id = ?",
  },
  capsule_body: {
    table: "runs.capsule_body",
    key: words("capsule_hash body_hash"),
    columns: words("capsule_hash body_hash"),
    ofTeam: `exists (select from runs.capsule c join runs.project p on p.id = c.project_id
      where c.capsule_hash = t.capsule_hash and p.team_id = ?)`,
  },
};

/** Columns with the hashes of files, by table and kind. */
export const FILE_COLUMNS: Readonly<Record<string, Readonly<Record<string, "image" | "capsule" | "file">>>> =
  {
    screenshot: { hash: "image", baseline_hash: "image", mask_hash: "image", failure_hash: "image" },
    baseline: { hash: "image" },
    look: { hash: "image", baseline_hash: "image" },
    capsule: { capsule_hash: "capsule" },
    kept_body: { body_hash: "capsule" },
    attachment: { hash: "file" },
  };

/** Whether a project holds the baselines of a monitor. Its name has an id, so it never meets another one. */
export function isOfMonitor(project: string): boolean {
  return project.startsWith(MONITOR_PROJECTS);
}
