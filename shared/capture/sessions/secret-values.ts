import { codeNamesIn, SECRET_REFERENCE } from "../../contracts/configuration/secret-references.ts";
import { CaptureError } from "../capture-types.ts";
import { STEP_ERRORS } from "../texts.ts";
import { nextCode, type OneTimeCode, withUnusedCodes } from "./one-time-code.ts";
import { SecretPattern } from "./secret-pattern.ts";

const MASKED = "•••";
/** Where a text was cut. */
const CUT = "…";
/** A shorter rest of a cut secret says nothing. */
const MIN_REST_CHARS = 4;

/** Secrets of a visit. It replaces references by values, and masks the values in texts that people read. */
export class SecretValues {
  readonly #values: Readonly<Record<string, string>>;
  /** Values and codes that must not be shown. */
  readonly #shown: Set<string>;
  /** Finds them. Null until it is used. */
  #patterns: SecretPattern[] | null = null;
  readonly #signal: AbortSignal | undefined;
  /** Codes of the last text. */
  #lastCodes: OneTimeCode[] = [];
  #usedCodes = 0;

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
    this.#lastCodes = [];
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

  /**
   * Runs a login while no other one uses its one-time codes.
   * @param login texts of the login, at any depth
   */
  async withCodes<T>(login: unknown, work: () => Promise<T>): Promise<T> {
    this.#usedCodes = 0;
    const secrets = codeNamesIn(login).flatMap(name => this.#values[name] ?? []);
    return await withUnusedCodes(secrets, work, this.#signal);
  }

  /** Returns whether the login has typed one-time codes. */
  get hasUsedCodes(): boolean {
    return this.#usedCodes > 0;
  }

  /** Makes the codes of the last text available again, because it was not typed. */
  giveBackCodes(): void {
    this.#usedCodes -= this.#lastCodes.length;
    for (const code of this.#lastCodes.splice(0)) code.giveBack();
  }

  /** Replaces every secret in a text, and what is left of one where the text was cut. */
  mask(text: string): string {
    if (this.#shown.size === 0) return text;
    // A secret may be part of a longer one.
    this.#patterns ??= [...this.#shown]
      .sort((a, b) => b.length - a.length)
      .map(value => new SecretPattern(value));
    const masked = this.#patterns.reduce((left, pattern) => pattern.replaceIn(left, MASKED), text);
    if (!masked.includes(CUT)) return masked;
    const values = [...this.#shown].flatMap(formsOf).sort((a, b) => b.length - a.length);
    return values.reduce(maskRests, masked);
  }

  /** Returns the error with secrets masked. */
  maskError(error: CaptureError): CaptureError {
    return new CaptureError(error.code, this.mask(error.message), error.retryable);
  }

  async #codeOf(secret: string): Promise<string> {
    const code = await nextCode(secret, this.#signal);
    this.#lastCodes.push(code);
    this.#usedCodes++;
    this.#shown.add(code.code);
    this.#patterns = null;
    return code.code;
  }
}

/** Returns a secret as it appears in texts, URLs, form data and JSON, without rarer escapes. */
function formsOf(value: string): string[] {
  const form = new URLSearchParams({ value }).toString().slice("value=".length);
  return [
    ...new Set([
      value,
      encodeURIComponent(value),
      encodeURI(value),
      form,
      JSON.stringify(value).slice(1, -1),
    ]),
  ];
}

/** Masks the end of a secret after a cut, and its beginning before one. */
function maskRests(text: string, value: string): string {
  return text
    .split(CUT)
    .map((part, index, parts) => {
      let masked = part;
      for (let length = Math.min(value.length - 1, part.length); length >= MIN_REST_CHARS; length--) {
        const [beginning, end] = [value.slice(0, length), value.slice(-length)];
        if (index > 0 && masked.startsWith(end)) masked = MASKED + masked.slice(length);
        if (index < parts.length - 1 && masked.endsWith(beginning))
          masked = masked.slice(0, -length) + MASKED;
      }
      return masked;
    })
    .join(CUT);
}
