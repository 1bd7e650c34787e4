import { isSecretReference } from "../configuration/secret-references.ts";
import type { RunOptions } from "./capture-options.ts";
import type { ClientCertificateInput } from "./sessions.ts";
import type { Step } from "./steps.ts";

/** A problem of a field, to follow its name. */
interface FieldFailure {
  path: (string | number)[];
  message: string;
}

const NOT_A_REFERENCE =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the notation of references.
  "must be a reference to a secret, such as ${secret.EDITOR_PASSWORD}. Everyone in the team can read it otherwise";
const FILE_ONLY = "is a file, which only the command line reads";

/** Headers whose values give access. */
const CREDENTIAL_HEADER = /auth|cookie|token|secret|password|api-?key/i;
/** Fields that show dots for what is typed. The type of a field is not known before the page is open. */
const PASSWORD_FIELD = /passw|pwd|secret|passcode|one-time|otp/i;

/** Returns the fields with credentials that are written out, and the fields that only the command line reads. */
export function literalCredentials({
  headers,
  steps,
  network,
  sessions = {},
  perRoute = {},
}: RunOptions): FieldFailure[] {
  const ofPages = [
    ...ofPage([], { headers, steps, network }),
    ...Object.entries(perRoute).flatMap(([route, own]) => ofPage(["perRoute", route], own)),
  ];
  const ofSessions = Object.entries(sessions).flatMap(([name, session]) => {
    const { steps = [], cookies = [], basicAuth, clientCertificates = [], storageState } = session;
    const path = ["sessions", name];
    return [
      ...ofSteps([...path, "steps"], steps),
      ...cookies.flatMap(({ value }, index) => unlessReference([...path, "cookies", index, "value"], value)),
      ...(basicAuth ? unlessReference([...path, "basicAuth", "password"], basicAuth.password) : []),
      ...clientCertificates.flatMap((certificate, index) =>
        ofCertificate([...path, "clientCertificates", index], certificate),
      ),
      ...(storageState === undefined ? [] : [{ path: [...path, "storageState"], message: FILE_ONLY }]),
    ];
  });
  return [...ofPages, ...ofSessions];
}

function ofCertificate(
  path: FieldFailure["path"],
  { key, passphrase, certPath, keyPath }: ClientCertificateInput,
): FieldFailure[] {
  return [
    ...(key === undefined ? [] : unlessReference([...path, "key"], key)),
    ...(passphrase === undefined ? [] : unlessReference([...path, "passphrase"], passphrase)),
    ...(certPath === undefined ? [] : [{ path: [...path, "certPath"], message: FILE_ONLY }]),
    ...(keyPath === undefined ? [] : [{ path: [...path, "keyPath"], message: FILE_ONLY }]),
  ];
}

function ofPage(
  path: FieldFailure["path"],
  { headers = {}, steps = [], network = [] }: Pick<RunOptions, "headers" | "steps" | "network">,
): FieldFailure[] {
  const ofHeaders = Object.entries(headers)
    .filter(([name]) => CREDENTIAL_HEADER.test(name))
    .flatMap(([name, value]) => withoutReference([...path, "headers", name], value));
  const ofRules = network.flatMap((rule, index) =>
    "file" in rule && rule.file !== undefined
      ? [{ path: [...path, "network", index, "file"], message: FILE_ONLY }]
      : [],
  );
  return [...ofHeaders, ...ofSteps([...path, "steps"], steps), ...ofRules];
}

function ofSteps(path: FieldFailure["path"], steps: readonly Step[]): FieldFailure[] {
  return steps.flatMap((step, index) =>
    step.action === "fill" && PASSWORD_FIELD.test(step.selector)
      ? unlessReference([...path, index, "value"], step.value)
      : [],
  );
}

function unlessReference(path: FieldFailure["path"], value: string): FieldFailure[] {
  return value === "" || isSecretReference(value) ? [] : [{ path, message: NOT_A_REFERENCE }];
}

/** Header values have a scheme beside the secret, as in `Bearer ${secret.TOKEN}`. */
function withoutReference(path: FieldFailure["path"], value: string): FieldFailure[] {
  return /\$\{secret\.[^}]+\}/.test(value) ? [] : [{ path, message: NOT_A_REFERENCE }];
}
