import { SECRET_REFERENCE } from "../../contracts/runs/secrets.ts";
import { CaptureError } from "../capture-types.ts";
import { STEP_ERRORS } from "../texts.ts";
import { nextCode } from "./one-time-code.ts";

const MASKED = "•••";

/** Secrets of a visit. It replaces references by values, and masks the values in texts that people read. */
export class SecretValues {
  readonly #values: Readonly<Record<string, string>>;
  /** Values and codes that must not be shown. */
  readonly #shown: Set<string>;
  readonly #signal: AbortSignal | undefined;

  constructor(values: Readonly<Record<string, string>> = {}, signal?: AbortSignal) {
    this.#values = values;
    this.#signal = signal;
    this.#shown = new Set(Object.values(values).filter(value => value !== ""));
  }

  /**
   * Replaces the references in a text. A one-time code may have to wait for its next period.
   * @throws CaptureError for a secret that does not exist
   */
  async resolve(text: string): Promise<string> {
    let resolved = "";
    let end = 0;
    for (const match of text.matchAll(SECRET_REFERENCE)) {
      const [reference, kind, name = ""] = match;
      const value = Object.hasOwn(this.#values, name) ? this.#values[name] : undefined;
      if (value === undefined) throw new CaptureError("step_failed", STEP_ERRORS.noSecret(name));
      resolved += text.slice(end, match.index) + (kind === "totp" ? await this.#codeOf(value) : value);
      end = match.index + reference.length;
    }
    return resolved + text.slice(end);
  }

  /** Replaces the references in the values of a record. */
  async resolveAll(texts: Readonly<Record<string, string>>): Promise<Record<string, string>> {
    const resolved: Record<string, string> = {};
    for (const [name, text] of Object.entries(texts)) resolved[name] = await this.resolve(text);
    return resolved;
  }

  /** Replaces every secret in a text. */
  mask(text: string): string {
    // A secret may be part of a longer one.
    const values = [...this.#shown].sort((a, b) => b.length - a.length);
    return values
      .flatMap(value => [value, encodeURIComponent(value)])
      .reduce((masked, value) => masked.replaceAll(value, MASKED), text);
  }

  /** Returns the error with secrets masked. */
  maskError(error: CaptureError): CaptureError {
    return new CaptureError(error.code, this.mask(error.message), error.retryable);
  }

  async #codeOf(secret: string): Promise<string> {
    const code = await nextCode(secret, this.#signal);
    this.#shown.add(code);
    return code;
  }
}
