import { describeWarning, type RunWarning } from "../../../shared/contracts/runs/run-warning.ts";
import { type FieldError, ServiceError } from "../../../shared/errors.ts";
import type { ConfigFailure } from "../../../shared/project-config/failure.ts";
import { visible } from "../../../shared/text/visible-text.ts";
import { CONFIGURATION_ERRORS, RUN_WARNINGS } from "../texts.ts";

/** Why a repository's configuration can't be used for a run, which is the configuration's error or not. */
export interface ConfigurationFailure {
  kind: "invalid" | "unavailable";
  errors: RunWarning[];
}

/** Of one run: a file that is all wrong is fixed from the top. */
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

/** Returns what a run says that goes on without its configuration: what is wrong, then what it did instead. */
export function warningsOf({ errors }: ConfigurationFailure): RunWarning[] {
  const first = errors.slice(0, WARNINGS).map(({ message, place }) => ({
    // A file's own words are in it.
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
