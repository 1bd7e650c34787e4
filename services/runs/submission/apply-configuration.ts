import { withTimeout } from "../../../shared/async.ts";
import { call } from "../../../shared/contracts/bus.ts";
import type {
  ForwardedRun,
  RepositoryRun,
  RunConfig,
} from "../../../shared/contracts/code-host/scm-actions.ts";
import type { RunWarning } from "../../../shared/contracts/runs/run-warning.ts";
import type { StorybookOptions } from "../../../shared/contracts/runs/stories.ts";
import { type SubmitRun, submitRunBody, type UnsetField } from "../../../shared/contracts/runs/submit-run.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { storybookRunOptions } from "../../../shared/storybook/story-options.ts";
import { describeInvalid, fieldError, fieldPath } from "../../../shared/text/describe-invalid.ts";
import type { RunsContext } from "../runs-context.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import { CONFIGURATION_ERRORS } from "../texts/projects.ts";
import {
  type ConfigurationFailure,
  failureOf,
  refusalOf,
  unavailableFailure,
  warningsOf,
} from "./configuration-failure.ts";
import { optionsOfRoutes } from "./options-of-routes.rule.ts";

interface ConfigurationOptions {
  /** Fields that the repository's configuration can set. */
  unsetFields: UnsetField[];
  /** Whether the run continues, with a warning, if the configuration can't be used. */
  lenient: boolean;
}

/** A submission completed by its repository's configuration, with warnings. */
export interface Configured {
  body: SubmitRun;
  warnings: RunWarning[];
  /** Fields that the repository's configuration set. */
  configured: readonly UnsetField[];
}

/**
 * Completes a submission with its repository's configuration.
 * If that fails, a lenient submission stays as it is, with warnings. It is partial then: its pages and widths are
 * unknown, so no page counts as removed.
 * @throws ServiceError if it isn't lenient: invalid_request for a configuration with errors; unavailable if it can't be
 *   read now
 */
export async function applyConfiguration(
  context: Pick<RunsContext, "bus" | "warn">,
  teamId: string,
  body: SubmitRun,
  { unsetFields, lenient }: ConfigurationOptions,
): Promise<Configured> {
  if (!body.scm || unsetFields.length === 0) return { body, warnings: [], configured: [] };
  const { owner, repo, sha, pr } = body.scm;
  const of = { teamId, url: body.url, commit: { owner, repo, sha, ...(pr !== undefined && { pr }) } };
  const read = lenient ? readWithTimeout(context, of) : readConfiguration(context, of);
  const completed = complete(body, unsetFields, await read);
  if ("body" in completed) return { ...completed, warnings: [] };
  if (!lenient) throw refusalOf(completed);
  return { body: { ...body, partial: true }, warnings: warningsOf(completed), configured: [] };
}

function complete(
  body: SubmitRun,
  unsetFields: UnsetField[],
  config: RunConfig | ConfigurationFailure | null,
): Pick<Configured, "body" | "configured"> | ConfigurationFailure {
  if (config === null) return { body, configured: [] };
  if ("errors" in config) return config;
  if ("faults" in config) return failureOf(config);
  const run = body.storybook ? runOfStories(config) : config.run;
  const configured = unsetFields.filter(name => run[name] !== undefined);
  const merged = {
    ...body,
    ...(body.storybook && {
      storybook: { ...storybookOptionsFor(body, config.storybook), ...body.storybook },
    }),
    ...Object.fromEntries(unsetFields.map(name => [name, run[name] ?? body[name]])),
  };
  const parsed = submitRunBody.safeParse(
    { ...merged, options: optionsOfRoutes(merged) },
    { error: describeInvalid },
  );
  if (parsed.success) return { body: parsed.data, configured };
  const errors = parsed.error.issues.map(({ path, message }) =>
    fieldError(fieldPath(path), message, CONFIGURATION_ERRORS.whole),
  );
  return { kind: "invalid", errors: errors.map(message => ({ message, place: null })) };
}

/** Returns the configuration of a run of stories, which has no routes. Its own settings replace those of pages. */
function runOfStories({
  run: { routes: _routes, options, ...run },
  storybook,
}: Extract<RunConfig, { run: RepositoryRun }>): RepositoryRun {
  return { ...run, ...storybook?.settings, ...(options && { options: storybookRunOptions(options) }) };
}

/** Returns the configured options of a Storybook. Only the files of an archive are known. */
function storybookOptionsFor(
  { archive }: Pick<SubmitRun, "archive">,
  storybook: Extract<RunConfig, { run: RepositoryRun }>["storybook"],
): StorybookOptions {
  const { onlyChanged, ...options } = storybook?.options ?? {};
  return archive === undefined || onlyChanged === undefined ? options : { ...options, onlyChanged };
}

/** Reads the configuration. Without a node that has the service `scm`, there is no code host either. */
async function readConfiguration(
  { bus }: Pick<RunsContext, "bus">,
  of: ForwardedRun,
): Promise<RunConfig | null> {
  try {
    return await call(bus, "scm.configuration", of);
  } catch (error) {
    if (error instanceof Error && error.name === "ServiceNotFoundError") return null;
    throw error;
  }
}

/** Longer than the code host's timeout, and shorter than the timeout of the deployment platform's integration. */
const READ_TIMEOUT_MS = 6_000;

async function readWithTimeout(
  context: Pick<RunsContext, "bus" | "warn">,
  of: ForwardedRun,
): Promise<RunConfig | ConfigurationFailure | null> {
  const timeoutError = () => new ServiceError("unavailable", CONFIGURATION_ERRORS.timeout);
  try {
    return await withTimeout(readConfiguration(context, of), READ_TIMEOUT_MS, timeoutError);
  } catch (error) {
    context.warn(error, LOG_MESSAGES.withoutConfiguration);
    return unavailableFailure;
  }
}
