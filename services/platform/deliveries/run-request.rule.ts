import { createHash } from "node:crypto";
import type { z } from "zod";
import { scmInput } from "../../../shared/contracts/code-host/scm.ts";
import { text } from "../../../shared/contracts/fields.ts";
import type { SubmitRunInput } from "../../../shared/contracts/runs/submit-run.ts";
import type { PreviewRoutes } from "../../../shared/environment/platform-variables.ts";
import type { PlatformEvent } from "./platform-event.rule.ts";

type Meta = PlatformEvent["deployment"]["meta"];

/** A request for a run of the Cloud API. */
export interface RunRequest {
  body: SubmitRunInput;
  /** Equal for repeats, so that the API recognizes those that are unknown here. */
  idempotencyKey: string | null;
}

/** The options of a preview's run. */
interface RunOptions extends PreviewRoutes {
  url: string;
  metaPrefix: string;
}

/**
 * Returns the run of a deployment.
 * @param options.url the preview's URL
 * @param options.metaPrefix the prefix of the platform's git metadata
 */
export function runRequest(
  event: PlatformEvent,
  { url, routes, routesFromConfig, metaPrefix }: RunOptions,
): RunRequest {
  const { scm, branch } = gitMetadata(event.deployment.meta, metaPrefix);
  const project = text(200).safeParse(event.projectName ?? event.projectId).data;
  const body = {
    url,
    ...routesOf(routes, routesFromConfig),
    // Without a repository, the API would name the project after the host, which is new for every preview.
    ...(scm ? { scm } : { ...(project && { project }), ...(branch && { branch }) }),
  };
  // The API recognizes a repeat by URL and commit. Without a commit, both events of one deployment are still one run.
  const origin = (scm ? null : event.deployment.id) ?? event.id;
  return { body, idempotencyKey: origin === null ? null : `platform-${digest(origin, body)}` };
}

/**
 * Returns no routes if the repository's configuration has them. A run of only `/` is partial, so that other pages don't
 * count as removed.
 */
function routesOf(routes: string[], routesFromConfig: boolean): Pick<SubmitRunInput, "routes" | "partial"> {
  if (routes.length > 0) return { routes };
  return routesFromConfig ? {} : { routes: ["/"], partial: true };
}

interface GitMetadata {
  /** Null if the repository or the commit is unknown. */
  scm: z.input<typeof scmInput> | null;
  branch: string | null;
}

/** Returns a deployment's commit. Each value comes from the first field that has it, as text or as a number. */
export function gitMetadata(meta: Meta, prefix: string): GitMetadata {
  const { owner, repo, sha, pr, branch, author } = scmInput.shape;
  const first = (...names: string[]) =>
    names.map(name => (Object.hasOwn(meta, name) ? textOf(meta[name]) : "")).find(value => value !== "");
  const branchName = branch.safeParse(first(`${prefix}CommitRef`, "gitCommitRef")).data;
  const number = pr.safeParse(numberOf(first(`${prefix}PrId`))).data;
  const login = author.safeParse(
    first(`${prefix}CommitAuthorLogin`, `${prefix}CommitAuthorName`, "gitCommitAuthorName"),
  ).data;
  const scm = {
    owner: owner.safeParse(first(`${prefix}Org`, `${prefix}CommitOrg`)).data,
    repo: repo.safeParse(first(`${prefix}Repo`, `${prefix}CommitRepo`)).data,
    sha: sha.safeParse(first(`${prefix}CommitSha`, "gitCommitSha")).data,
  };
  const known = isKnown(scm)
    ? {
        ...scm,
        ...(number && { pr: number }),
        ...(branchName && { branch: branchName }),
        ...(login && { author: login }),
      }
    : null;
  return { scm: known, branch: branchName ?? null };
}

type Commit = Pick<z.input<typeof scmInput>, "owner" | "repo" | "sha">;

function isKnown(commit: Partial<Record<keyof Commit, string | undefined>>): commit is Commit {
  return commit.owner !== undefined && commit.repo !== undefined && commit.sha !== undefined;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : Number.isSafeInteger(value) ? String(value) : "";
}

function numberOf(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

function digest(...parts: unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
