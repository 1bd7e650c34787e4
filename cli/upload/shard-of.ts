import { BUILD_BOUNDS } from "../../shared/contracts/builds/builds.ts";
import { CommandError, type Terminal } from "../terminal.ts";
import { UPLOAD_ERRORS as ERRORS } from "../texts/upload.ts";

/** The part of a build that one CI job uploads. */
export interface ShardOfBuild {
  /** Equal for all jobs of the build. */
  nonce: string;
  /** Number of jobs. */
  total: number;
  /** Position of this job, from 1. */
  index: number;
}

/** Variables of a CI service about jobs that run in parallel. */
interface CiVariables {
  /** Variables that together identify the build. */
  nonce: readonly string[];
  index?: string;
  /** Position of the first job. */
  firstIndex?: 0 | 1;
  total?: string;
}

/** By the variable that only this CI service sets. Each service documents them under "predefined variables". */
const CI_SERVICES: Record<string, CiVariables> = {
  // A repeated workflow has the same run id. Its matrix isn't in variables.
  GITHUB_ACTIONS: { nonce: ["GITHUB_RUN_ID", "GITHUB_RUN_ATTEMPT"] },
  GITLAB_CI: { nonce: ["CI_PIPELINE_ID"], index: "CI_NODE_INDEX", firstIndex: 1, total: "CI_NODE_TOTAL" },
  CIRCLECI: {
    nonce: ["CIRCLE_WORKFLOW_ID"],
    index: "CIRCLE_NODE_INDEX",
    firstIndex: 0,
    total: "CIRCLE_NODE_TOTAL",
  },
  BUILDKITE: {
    nonce: ["BUILDKITE_BUILD_ID"],
    index: "BUILDKITE_PARALLEL_JOB",
    firstIndex: 0,
    total: "BUILDKITE_PARALLEL_JOB_COUNT",
  },
  BITBUCKET_BUILD_NUMBER: {
    nonce: ["BITBUCKET_REPO_FULL_NAME", "BITBUCKET_BUILD_NUMBER"],
    index: "BITBUCKET_PARALLEL_STEP",
    firstIndex: 0,
    total: "BITBUCKET_PARALLEL_STEP_COUNT",
  },
  SEMAPHORE: {
    nonce: ["SEMAPHORE_WORKFLOW_ID"],
    index: "SEMAPHORE_JOB_INDEX",
    firstIndex: 1,
    total: "SEMAPHORE_JOB_COUNT",
  },
  TF_BUILD: {
    nonce: ["BUILD_BUILDID"],
    index: "SYSTEM_JOBPOSITIONINPHASE",
    firstIndex: 1,
    total: "SYSTEM_TOTALJOBSINPHASE",
  },
  JENKINS_URL: { nonce: ["BUILD_TAG"] },
};

/**
 * Reads `--parallel`: the position and number of this job such as `2/4`, or `auto` for the variables of the CI service.
 * @throws CommandError that says what to write instead
 */
export function shardOf(parallel: string, nonce: string | undefined, env: Terminal["env"]): ShardOfBuild {
  const [, variables] = Object.entries(CI_SERVICES).find(([name]) => env[name]) ?? [];
  const position = parallel === "auto" ? positionIn(variables, env) : positionOf(parallel);
  const found = nonce ?? nonceIn(variables, env);
  if (found === null) throw new CommandError("usage", ERRORS.noNonce);
  return { nonce: found, ...position };
}

function nonceIn(variables: CiVariables | undefined, env: Terminal["env"]): string | null {
  const values = variables?.nonce.map(name => env[name]) ?? [];
  return values.length > 0 && values.every(Boolean) ? values.join("-") : null;
}

function positionOf(text: string): Pick<ShardOfBuild, "index" | "total"> {
  const [, index, total] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  return checked(Number(index), Number(total), ERRORS.parallel(text));
}

function positionIn(
  variables: CiVariables | undefined,
  env: Terminal["env"],
): Pick<ShardOfBuild, "index" | "total"> {
  const { index = "", total = "", firstIndex = 1 } = variables ?? {};
  const position = env[index] ? Number(env[index]) + 1 - firstIndex : Number.NaN;
  return checked(position, Number(env[total] ?? Number.NaN), ERRORS.noPosition);
}

function checked(index: number, total: number, message: string): Pick<ShardOfBuild, "index" | "total"> {
  const isValid =
    Number.isInteger(index) &&
    Number.isInteger(total) &&
    index >= 1 &&
    index <= total &&
    total <= BUILD_BOUNDS.shards;
  if (isValid) return { index, total };
  throw new CommandError("usage", message);
}
