import { type CreateBuildInput, createBuildBody } from "../../shared/contracts/builds/builds.ts";
import { describeInvalid, fieldError, fieldPath } from "../../shared/text/describe-invalid.ts";
import type { Commit } from "../cloud/commit.ts";
import type { History } from "../cloud/history.ts";
import { fractionOf } from "../cloud/run-body.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import { CommandError } from "../terminal.ts";
import { UPLOAD_ERRORS as ERRORS } from "../texts/upload.ts";
import type { ShardOfBuild } from "./shard-of.ts";

/** The options of `vrs upload` about the build; undefined if omitted. */
export interface BuildFlags {
  name?: string | undefined;
  project?: string | undefined;
  branch?: string | undefined;
  url?: string | undefined;
  threshold?: string | undefined;
  subset: boolean;
}

/**
 * Builds the body of a build, without its screenshots. The command line overrides the configuration.
 * @throws CommandError that names the option and says what to write
 */
export function buildBody(
  flags: BuildFlags,
  config: LoadedConfig,
  commit: Commit & { history?: History },
  shard: ShardOfBuild | null,
): CreateBuildInput {
  const { name, url, subset } = flags;
  const project = flags.project ?? config.project;
  const branch = flags.branch ?? commit.branch;
  if (project === undefined && commit.scm === null) throw new CommandError("usage", ERRORS.noProject);
  const body: CreateBuildInput = {
    ...(project !== undefined && { project }),
    ...(name !== undefined && { name }),
    ...(url !== undefined && { url }),
    ...(branch !== null && { branch }),
    ...(config.baselines.branch !== undefined && { baselineBranch: config.baselines.branch }),
    ...(commit.scm && { scm: { ...commit.scm, ...commit.history, ...(branch !== null && { branch }) } }),
    threshold: flags.threshold === undefined ? config.threshold : fractionOf(flags.threshold),
    subset,
    ...(shard && { parallel: { nonce: shard.nonce, total: shard.total }, shard: String(shard.index) }),
  };
  const checked = createBuildBody.safeParse(body, { error: describeInvalid });
  if (checked.success) return body;
  const failures = checked.error.issues.map(({ path, message }) =>
    fieldError(fieldPath(path), message, ERRORS.build),
  );
  throw new CommandError("usage", ERRORS.invalid(failures));
}

/** Returns the project of a build without its name. */
export function projectOf({ project, scm }: CreateBuildInput): string {
  return project ?? `${scm?.owner}/${scm?.repo}`;
}
