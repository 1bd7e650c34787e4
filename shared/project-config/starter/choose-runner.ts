/** The action's major version, which workflows pin. */
export const ACTION_TAG = "v0";

/** How a workflow runs vrs: an action (`owner/repository`), or the project's own dependency. */
export type WorkflowRunner = { action: string } | "dependency";

/**
 * Chooses how a project's workflow runs vrs, so that it never names a missing action. The order is: the
 * configured action, a found one, the project's dependency. Null if there is none of these.
 * @param findAction finds the owner's own copy of the action
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
