import { starterWorkflow, WORKFLOW_PATH } from "../../shared/project-config/starter-workflow.ts";

/** Where the repository's settings for this service are; one of them on the default branch and it needs no bootstrap. */
export const CONFIG_PATHS = ["service.config.ts", ".github/service.yml"] as const;
export const BOOTSTRAP_BRANCH = "service/bootstrap-config";

export const PULL_TITLE = "Add the configuration of the visual checks";

/** @param hasWorkflow whether the app was let write it */
export function pullBody(action: string, hasWorkflow: boolean): string {
  const workflow = hasWorkflow
    ? `- \`${WORKFLOW_PATH}\` checks in your own CI, against baselines in the repository. It is optional: deleted, pull requests are checked all the same. If you keep it, say in it how the application is started.`
    : `The app may not write workflows here, so that one is left out. It is optional; to check in your own CI too, against baselines in the repository, add \`${WORKFLOW_PATH}\`:\n\n\`\`\`yaml\n${starterWorkflow(action)}\`\`\``;
  return `From now on every pull request of this repository with a preview is looked at page by page, and compared with what was approved before.

- \`service.config.ts\` says which pages, at which widths. Correct it here, then merge.
${workflow}

This is proposed once. Close it if you do not want it; to have it proposed again, delete the branch \`${BOOTSTRAP_BRANCH}\` and give the app access to the repository anew.
`;
}
