import { createHash } from "node:crypto";
import type { z } from "zod";
import { scmInput } from "../../../shared/contracts/code-host/scm.ts";
import { text } from "../../../shared/contracts/fields.ts";
import type { SubmitRunInput } from "../../../shared/contracts/runs/submit-run.ts";
import type { PreviewRoutes } from "../../../shared/environment/platform-variables.ts";
import type { PlatformEvent } from "./platform-event.rule.ts";

type Meta = PlatformEvent["deployment"]["meta"];

/** A run as the Cloud API is asked for it. */
export interface RunRequest {
  body: SubmitRunInput;
  /** The same for a repeat, so that the API knows it where nothing here does. */
  idempotencyKey: string | null;
}

/** What a preview's run is to capture. */
interface Asked extends PreviewRoutes {
  url: string;
  metaPrefix: string;
}

/** The run of a deployment. @param url of its preview @param metaPrefix what the platform's names of git metadata begin with */
export function runRequest(
  event: PlatformEvent,
  { url, routes, routesFromConfig, metaPrefix }: Asked,
): RunRequest {
  const { scm, branch } = gitMetadata(event.deployment.meta, metaPrefix);
  const project = text(200).safeParse(event.projectName ?? event.projectId).data;
  const body = {
    url,
    ...routesOf(routes, routesFromConfig),
    // Without a repository the API would name the project after the host, which every preview has its own of.
    ...(scm ? { scm } : { ...(project && { project }), ...(branch && { branch }) }),
  };
  // The API knows a repeat by URL and commit; without a commit, the two events of one deployment are still one run.
  const origin = (scm ? null : event.deployment.id) ?? event.id;
  return { body, idempotencyKey: origin === null ? null : `platform-${digest(origin, body)}` };
}

/** Nothing where the repository's configuration says them. A single `/` is not all pages: the others weren't removed. */
function routesOf(routes: string[], routesFromConfig: boolean): Pick<SubmitRunInput, "routes" | "partial"> {
  if (routes.length > 0) return { routes };
  return routesFromConfig ? {} : { routes: ["/"], partial: true };
}

interface GitMetadata {
  /** Null where the repository or the commit is not known. */
  scm: z.input<typeof scmInput> | null;
  branch: string | null;
}

/** What is known of a deployment's commit: each value from the first field that has it, as text or as a number. */
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
