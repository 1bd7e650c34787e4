import { describeWarning, type RunWarning } from "../../../shared/contracts/runs/run-warning.ts";
import { type FieldError, ServiceError } from "../../../shared/errors.ts";
import type { ConfigFailure } from "../../../shared/project-config/failure.ts";
import { visible } from "../../../shared/text/visible-text.ts";
import { CONFIGURATION_ERRORS } from "../texts/projects.ts";
import { RUN_WARNINGS } from "../texts/runs.ts";

/** Why a repository's configuration can't be used: it has errors, or it can't be read. */
export interface ConfigurationFailure {
  kind: "invalid" | "unavailable";
  errors: RunWarning[];
}

/** Warnings per run. Users fix a broken file from the top. */
const WARNINGS = 20;
const MESSAGE_CHARS = 500;

/** The failure of a configuration that can't be read now. */
export const unavailableFailure: ConfigurationFailure = {
  kind: "unavailable",
  errors: [{ message: RUN_WARNINGS.configurationUnavailable, place: null }],
};

/** Returns the failure of a configuration file with errors. */
export function failureOf({ path, faults }: { path: string; faults: ConfigFailure[] }): ConfigurationFailure {
  const errors = faults.map(({ line, column, endLine, endColumn, message }) => ({
    message,
    place: { path, line, column, endLine, endColumn },
  }));
  return { kind: "invalid", errors };
}

/** Returns the warnings of a run that continues without its configuration: the errors, then the consequence. */
export function warningsOf({ errors }: ConfigurationFailure): RunWarning[] {
  const first = errors.slice(0, WARNINGS).map(({ message, place }) => ({
    // The message contains text of the file.
    message: visible(message).slice(0, MESSAGE_CHARS).toWellFormed(),
    place,
  }));
  return [...first, { message: RUN_WARNINGS.withoutConfiguration, place: null }];
}

/** Returns the error for a submission whose configuration can't be used. */
export function refusalOf({ errors: all }: ConfigurationFailure): ServiceError {
  const errors: FieldError[] = all.map(error => ({ path: "scm", message: describeWarning(error) }));
  return new ServiceError("invalid_request", CONFIGURATION_ERRORS.invalid(errors[0]?.message ?? ""), {
    errors,
  });
}
