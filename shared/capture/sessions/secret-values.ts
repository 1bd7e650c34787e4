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
  /** Find them. Null until they are used. */
  #finders: SecretFinders | null = null;
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
    this.#finders ??= findersOf([...this.#shown]);
    const { patterns, forms } = this.#finders;
    const masked = patterns.reduce((left, pattern) => pattern.replaceIn(left, MASKED), text);
    return masked.includes(CUT) ? forms.reduce(maskRests, masked) : masked;
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
    this.#finders = null;
    return code.code;
  }
}

interface SecretFinders {
  patterns: SecretPattern[];
  /** The secrets as they appear in texts. */
  forms: string[];
}

/** Returns what finds these secrets, the longest first: a secret may be part of a longer one. */
function findersOf(values: string[]): SecretFinders {
  const longestFirst = (texts: string[]) => texts.toSorted((a, b) => b.length - a.length);
  return {
    patterns: longestFirst(values).map(value => new SecretPattern(value)),
    forms: longestFirst(values.flatMap(formsOf)).filter(form => form.length > MIN_REST_CHARS),
  };
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
  const first = value.slice(0, MIN_REST_CHARS);
  const last = value.slice(-MIN_REST_CHARS);
  // Most texts have neither.
  if (!text.includes(first) && !text.includes(last)) return text;
  return text
    .split(CUT)
    .map((part, index, parts) => {
      const endChars = index > 0 ? endAtStart(part, value, last) : 0;
      const rest = part.slice(endChars);
      const isBeforeCut = index < parts.length - 1;
      const beginningChars = isBeforeCut ? beginningAtEnd(rest, value, first) : 0;
      const kept = rest.slice(0, rest.length - beginningChars);
      return (endChars > 0 ? MASKED : "") + kept + (beginningChars > 0 ? MASKED : "");
    })
    .join(CUT);
}

/** Returns how many of the secret's last characters a text starts with. @param last the fewest that count */
function endAtStart(text: string, value: string, last: string): number {
  const start = text.slice(0, value.length - 1);
  // The longest one first.
  for (let at = start.lastIndexOf(last); at !== -1; at = at === 0 ? -1 : start.lastIndexOf(last, at - 1)) {
    const chars = at + last.length;
    if (value.endsWith(start.slice(0, chars))) return chars;
  }
  return 0;
}

/** Returns how many of the secret's first characters a text ends with. @param first the fewest that count */
function beginningAtEnd(text: string, value: string, first: string): number {
  const end = text.slice(1 - value.length);
  for (let at = end.indexOf(first); at !== -1; at = end.indexOf(first, at + 1))
    if (value.startsWith(end.slice(at))) return end.length - at;
  return 0;
}
