import type { EntityManager } from "../../../mixins/database.ts";
import { findUnknownNames } from "../../../shared/contracts/capture/plan-pages.ts";
import type { Configuration } from "../../../shared/contracts/configuration/configuration.ts";
import {
  type DefaultedField,
  type SubmitRun,
  submitRunBody,
} from "../../../shared/contracts/runs/submit-run.ts";
import { type FieldError, invalidFields } from "../../../shared/errors.ts";
import { MONITOR_PROJECTS } from "../../../shared/monitor-project.ts";
import { describeInvalid, fieldError, fieldPath } from "../../../shared/text/describe-invalid.ts";
import type { SecretOwner } from "../secrets/secret.store.ts";
import { secretOwnerOf } from "../secrets/secret-owner.rule.ts";
import { PROJECT_CONFIGURATION_ERRORS } from "../texts/projects.ts";
import { findConfiguration } from "./configuration.store.ts";
import { addNamed, mergeConfiguration } from "./merge-configuration.rule.ts";

/**
 * Completes a submission with its project's stored configuration. Monitors have their own pages, so they only get the
 * sessions and environments that they name.
 * @param defaulted fields that neither the submission nor the repository's configuration sets
 * @throws ServiceError invalid_request if the whole exceeds a limit, or names an unknown session or environment
 */
export async function applyProjectConfiguration(
  em: EntityManager,
  of: SecretOwner,
  body: SubmitRun,
  defaulted: readonly DefaultedField[],
): Promise<SubmitRun> {
  const owner = secretOwnerOf(of);
  const stored = await findConfiguration(em, owner);
  if (!stored) return refuseUnknownNames(body, {});
  const merged = of.project.startsWith(MONITOR_PROJECTS)
    ? { ...body, options: addNamed(body.options ?? {}, stored.settings, body.routes) }
    : mergeConfiguration(body, stored.settings, defaulted);
  const parsed = submitRunBody.safeParse(merged, { error: describeInvalid });
  if (parsed.success) return refuseUnknownNames(parsed.data, stored.settings);
  const errors = parsed.error.issues.map(({ path, message }) => errorAt(path, message));
  throw invalidFields(errors, PROJECT_CONFIGURATION_ERRORS.merged(owner.project));
}

/** Returns the submission if it has all sessions and environments that it names. */
function refuseUnknownNames(body: SubmitRun, { sessions }: Configuration): SubmitRun {
  const { options = {} } = body;
  // All sessions of the project, to suggest a similar one.
  const failures = findUnknownNames({ ...options, sessions: { ...sessions, ...options.sessions } });
  if (failures.length === 0) return body;
  const errors = failures.map(({ route, field, message }) =>
    errorAt(["options", ...(route === null ? [] : ["perRoute", route]), ...field], message),
  );
  throw invalidFields(errors);
}

function errorAt(at: readonly PropertyKey[], message: string): FieldError {
  const path = fieldPath(at);
  return { path, message: fieldError(path, message, PROJECT_CONFIGURATION_ERRORS.whole) };
}
