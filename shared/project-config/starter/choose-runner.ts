/** The major version of the action that workflows pin. */
export const ACTION_TAG = "v0";

/** How a workflow runs vrs: by an action, as `owner/repository`, or from the project's own dependencies. */
export type WorkflowRunner = { action: string } | "dependency";

/**
 * Chooses how a project's workflow runs vrs, so that it never names an action that does not exist: the action that was
 * configured, else one that was found, else the project's dependency. Null where there is none of these.
 * @param findAction looks for the owner's own copy of the action
 */
export async function chooseRunner(
  configured: string | null,
  { hasVrs }: { hasVrs: boolean },
  findAction: () => Promise<string | null>,
): Promise<WorkflowRunner | null> {
  const action = configured ?? (await findAction());
  if (action !== null) return { action };
  return hasVrs ? "dependency" : null;
}
