import {
  type MonitorOptions,
  monitorOptionsSchema,
} from "../../../shared/contracts/capture/capture-options.ts";
import type {
  ClientCertificateInput,
  Session,
  SessionView,
} from "../../../shared/contracts/capture/sessions.ts";
import type { LoginStepView, Step } from "../../../shared/contracts/capture/steps.ts";
import { isSecretReference } from "../../../shared/contracts/configuration/secret-references.ts";
import type { OptionChanges, OptionsView } from "../../../shared/contracts/monitors/monitors.ts";

/**
 * Returns the options after a change. Null, an empty text, list or object removes an option. Options that the change
 * doesn't name stay.
 */
export function changeOptions(before: MonitorOptions, changes: OptionChanges): MonitorOptions {
  const options = Object.entries({ ...before, ...changes });
  return monitorOptionsSchema.parse(Object.fromEntries(options.filter(([, value]) => !isEmpty(value))));
}

function isEmpty(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === null || value === undefined || value === "";
}

/** Returns the options as they are shown: only the names of headers, and sessions without credentials. */
export function viewOfOptions({ headers, sessions, perRoute, ...rest }: MonitorOptions): OptionsView {
  return {
    ...rest,
    ...(headers && { headers: Object.keys(headers) }),
    ...(sessions && { sessions: mapValues(sessions, viewOfSession) }),
    ...(perRoute && {
      perRoute: mapValues(perRoute, ({ headers, ...own }) => ({
        ...own,
        ...(headers && { headers: Object.keys(headers) }),
      })),
    }),
  };
}

/** Returns a session without passwords, typed texts and cookie values, unless these are references to secrets. */
function viewOfSession({ steps, cookies, basicAuth, clientCertificates, ...rest }: Session): SessionView {
  return {
    ...rest,
    ...(steps && { steps: steps.map(viewOfStep) }),
    ...(cookies && {
      cookies: cookies.map(({ value, ...cookie }) => ({
        ...cookie,
        ...(isSecretReference(value) && { value }),
      })),
    }),
    ...(basicAuth && { basicAuth: viewOfBasicAuth(basicAuth) }),
    ...(clientCertificates && { clientCertificates: clientCertificates.map(viewOfCertificate) }),
  };
}

function viewOfStep(step: Step): LoginStepView {
  if (step.action !== "fill" || isSecretReference(step.value)) return step;
  const { value: _typed, ...rest } = step;
  return rest;
}

function viewOfBasicAuth({ username, password }: NonNullable<Session["basicAuth"]>) {
  return { username, ...(isSecretReference(password) && { password }) };
}

function viewOfCertificate({ key, passphrase, ...rest }: ClientCertificateInput) {
  return {
    ...rest,
    ...(key !== undefined && isSecretReference(key) && { key }),
    ...(passphrase !== undefined && isSecretReference(passphrase) && { passphrase }),
  };
}

/** A field with credentials that answers don't show. */
interface KeptCredentials {
  field: string;
  kind: "headers" | "sessions";
}

/** Returns the first field whose hidden credentials a change keeps. Null if the change keeps none. */
export function keptCredentials(before: MonitorOptions, changes: OptionChanges = {}): KeptCredentials | null {
  if (before.headers && changes.headers === undefined) return { field: "options.headers", kind: "headers" };
  const areOwn = Object.values(before.perRoute ?? {}).some(
    ({ headers = {} }) => Object.keys(headers).length > 0,
  );
  if (areOwn && changes.perRoute === undefined) return { field: "options.perRoute", kind: "headers" };
  const areHidden = Object.values(before.sessions ?? {}).some(hasHiddenValues);
  return areHidden && changes.sessions === undefined ? { field: "options.sessions", kind: "sessions" } : null;
}

function hasHiddenValues({ steps = [], cookies = [], basicAuth, clientCertificates = [] }: Session): boolean {
  const typed = steps.flatMap(step => (step.action === "fill" ? [step.value] : []));
  const keys = clientCertificates.flatMap(({ key = [], passphrase = [] }) => [key, passphrase].flat());
  const passwords = basicAuth ? [basicAuth.password] : [];
  const values = [...typed, ...cookies.map(({ value }) => value), ...passwords, ...keys];
  return values.some(value => !isSecretReference(value));
}

function mapValues<Value, Result>(
  record: Record<string, Value>,
  map: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
