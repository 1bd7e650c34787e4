import { secretNamesIn } from "../../../shared/contracts/configuration/secret-references.ts";
import type { DefaultedField, SubmitRun, UnsetField } from "../../../shared/contracts/runs/submit-run.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { storybookRunOptions } from "../../../shared/storybook/story-options.ts";
import { applyProjectConfiguration } from "../configuration/apply-project-configuration.ts";
import { changedFields, nameFields } from "../configuration/merge-configuration.rule.ts";
import type { Run } from "../run.entity.ts";
import type { RunsContext } from "../runs-context.ts";
import { requireSecrets } from "../secrets/require-secrets.ts";
import { applyConfiguration, type Configured } from "./apply-configuration.ts";
import { isFromFork } from "./is-from-fork.ts";
import { projectNameOf } from "./new-run.ts";

/** What configurations can set in a submission. */
export interface Completion {
  /** Fields that the repository's configuration can set. */
  unsetFields: UnsetField[];
  /** Fields with their default. The project's configuration can set them. */
  defaultedFields: DefaultedField[];
  /** Whether the run continues, with a warning, if the configuration can't be used. */
  lenient: boolean;
  /** What configurations set in the run that this one repeats. They set nothing again. Null for other submissions. */
  configuredBy: Run["configuredBy"] | null;
}

/** A submission completed by configurations. */
export type CompletedSubmission = Omit<Configured, "configured"> & Pick<Run, "configuredBy">;

/**
 * Completes a submission with its configurations, and checks the secrets that it refers to.
 * @throws ServiceError invalid_request for an unknown secret, or errors in the repository's configuration; unavailable
 */
export async function completeSubmission(
  context: RunsContext,
  caller: Caller,
  submitted: SubmitRun,
  completion: Completion,
): Promise<CompletedSubmission> {
  const { configuredBy } = completion;
  const configured = configuredBy
    ? { body: submitted, warnings: [], configuredBy }
    : await configure(context, caller, submitted, completion);
  return admitSecrets(context, caller, configured, completion.lenient);
}

/** Completes a submission with its repository's configuration, then with its project's. */
async function configure(
  context: RunsContext,
  { teamId }: Caller,
  submitted: SubmitRun,
  { unsetFields, defaultedFields, lenient }: Completion,
): Promise<CompletedSubmission> {
  const configured = await applyConfiguration(context, teamId, submitted, { unsetFields, lenient });
  const owner = { teamId, project: projectNameOf(submitted) };
  const isStorybook = submitted.storybook !== undefined;
  const defaulted = defaultedFields.filter(
    name => !configured.configured.includes(name) && !(isStorybook && name === "routes"),
  );
  const completed = await applyProjectConfiguration(context.em(), owner, configured.body, defaulted);
  // Stories have no session, so a secret of one must not be asked for.
  const { options = {} } = completed;
  const body = isStorybook ? { ...completed, options: storybookRunOptions(options) } : completed;
  const project = changedFields(configured.body, body);
  const repository = nameFields(configured.configured, configured.body);
  return { ...configured, body, configuredBy: { repository, project } };
}

/**
 * Checks the secrets that a submission refers to, and notes if it comes from a fork. In a lenient submission, the pages
 * that miss a secret fail alone.
 */
async function admitSecrets(
  context: RunsContext,
  { teamId }: Caller,
  configured: CompletedSubmission,
  lenient: boolean,
): Promise<CompletedSubmission> {
  const { options = {}, scm, url } = configured.body;
  const owner = { teamId, project: projectNameOf(configured.body) };
  if (!lenient) await requireSecrets(context.em(), owner, options);
  if (!scm || secretNamesIn(options).length === 0 || scm.fromFork !== undefined) return configured;
  const fromFork = await isFromFork(context, { teamId, url, commit: scm });
  return { ...configured, body: { ...configured.body, scm: { ...scm, fromFork } } };
}
