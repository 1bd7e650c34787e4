/** Names of characters in HTML. */
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ '"': "quot", "'": "apos", "&": "amp", "<": "lt", ">": "gt", " ": "nbsp" },
};
/** Characters with a short escape in JSON and in scripts. */
const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  "\n": "n",
  "\r": "r",
  "\t": "t",
  "\b": "b",
  "\f": "f",
};
/** Characters that no encoding escapes. */
const PLAIN = /[A-Za-z0-9]+/g;
/** An ampersand, which may be escaped itself. */
const AMPERSAND = "&(?:(?:amp|#0*38|#[xX]0*26);)*";
/** A backslash, which may be escaped too. */
const BACKSLASH = String.raw`(?:\\|%(?:25)*5[cC]|&(?:#0*92|#[xX]0*5[cC]);)`;
/** Syntax of patterns. */
const SYNTAX = /[\^$\\.*+?()[\]{}|/]/;

/**
 * Finds a secret as it is in texts, URLs, form data, HTML, JSON and scripts, also where one of them is in another, such as
 * JSON in an attribute.
 */
export class SecretPattern {
  /** A part of the secret that is in the text if the secret is, because no encoding escapes it. */
  readonly #part: string;
  readonly #pattern: RegExp;

  constructor(secret: string) {
    const parts = secret.match(PLAIN) ?? [];
    this.#part = parts.reduce((longest, part) => (part.length > longest.length ? part : longest), "");
    const pieces = secret.match(/\\{2,}|./gsu) ?? [];
    this.#pattern = new RegExp(pieces.map(formsOf).join(""), "gu");
  }

  /** Replaces the secret wherever it is in a text. */
  replaceIn(text: string, replacement: string): string {
    // Searching for a plain text is much faster, and most texts have no secret.
    return text.includes(this.#part) ? text.replace(this.#pattern, () => replacement) : text;
  }
}

/** Returns a pattern for a character, however it is escaped, or for several backslashes. */
function formsOf(character: string): string {
  // One pattern for all of them: with one for each, a text could be split among them in too many ways.
  if (/^\\{2,}$/.test(character)) return `${BACKSLASH}{${character.length},${4 * character.length}}`;
  if (/^[A-Za-z0-9]$/.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  const units = character.split("").map(unit => `${BACKSLASH}{1,4}u${hexOf(unit.charCodeAt(0), 4)}`);
  const [entity, short] = [ENTITIES[character], SHORT_ESCAPES[character]];
  const escapes = [
    ...[units.join(""), String.raw`${BACKSLASH}{1,4}u\{0*${hexOf(code, 1)}\}`],
    ...(code < 256 ? [`${BACKSLASH}{1,4}x${hexOf(code, 2)}`] : []),
    ...(short === undefined ? [] : [`${BACKSLASH}{1,4}${short}`]),
  ];
  const others = [
    `${AMPERSAND}(?:#0*${code}|#[xX]0*${hexOf(code, 1)}${entity === undefined ? "" : `|${entity}`});?`,
    [...Buffer.from(character)].map(byte => `%(?:25)*${hexOf(byte, 2)}`).join(""),
    ...(character === " " ? [String.raw`\+`] : []),
    SYNTAX.test(character) ? `\\${character}` : character,
  ];
  // Longer forms come first: the rest of one would stay. Each level of scripts or JSON doubles the backslashes.
  return `(?:${escapes.join("|")}|${BACKSLASH}{0,4}(?:${others.join("|")}))`;
}

/** Returns a pattern for a number in hex digits of either case. */
function hexOf(value: number, digits: number): string {
  return value
    .toString(16)
    .padStart(digits, "0")
    .replace(/[a-f]/g, digit => `[${digit}${digit.toUpperCase()}]`);
}
