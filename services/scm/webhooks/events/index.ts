import { checkRun } from "./check-run.ts";
import { checkSuite } from "./check-suite.ts";
import { deploymentStatus } from "./deployment-status.ts";
import type { EventHandler } from "./event.ts";
import { installation } from "./installation.ts";
import { installationRepositories } from "./installation-repositories.ts";
import { issueComment } from "./issue-comment.ts";
import { mergeGroup } from "./merge-group.ts";
import { pullRequest } from "./pull-request.ts";
import { status } from "./status.ts";

/** The handled events, by the code host's names. */
export const EVENTS: ReadonlyMap<string, EventHandler> = new Map(
  Object.entries({
    installation,
    installation_repositories: installationRepositories,
    pull_request: pullRequest,
    status,
    deployment_status: deploymentStatus,
    check_run: checkRun,
    check_suite: checkSuite,
    merge_group: mergeGroup,
    issue_comment: issueComment,
  }),
);
