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
/** Characters that no encoding escapes, backslashes, or another character. */
const PIECES = /[A-Za-z0-9]+|\\+|./gsu;
const PLAIN = /^[A-Za-z0-9]/;
const SEVERAL_BACKSLASHES = /^\\{2,}$/;
/** An ampersand, which may be escaped itself. */
const AMPERSAND = "&(?:(?:amp|#0*38|#[xX]0*26);)*";
/** A backslash, which may be escaped too. */
const BACKSLASH = String.raw`(?:\\|%(?:25)*5[cC]|&(?:#0*92|#[xX]0*5[cC]);)`;
/** Characters that are escaped as the start of their own escapes. Escaped once, for texts that continue like another escape. */
const ESCAPED_ONCE: Readonly<Record<string, string>> = { "&": "&(?:amp|#0*38|#[xX]0*26);?", "%": "%25" };
/** Syntax of patterns. */
const SYNTAX = /[\^$\\.*+?()[\]{}|/]/;

/** Pieces that one expression finds. More of them have too many combinations of escapes. */
const FIRST_PIECES = 2;
/** Characters of a long piece that the expression finds. More of them would be compared at each place of a text. */
const FIRST_CHARS = 32;
/**
 * Limit for the pieces that are read in one text. It takes a fraction of a second. Only a text that repeats the start
 * of a secret all over needs more.
 */
const MAX_READS = 500_000;
/** Characters of a piece that count as one read. */
const READ_CHARS = 64;

/** A part of a secret. Returns where it ends in a text if it starts at an index. Escapes can end it in several places. */
type Piece = (text: string, start: number) => number[];

/**
 * Finds a secret as it is in texts, URLs, form data, HTML, JSON and scripts, also where one of them is in another, such as
 * JSON in an attribute. It reads each piece of the secret from all places where the previous one can end. One pattern
 * for the whole secret could try all combinations of escapes.
 */
export class SecretPattern {
  /** A part of the secret that is in the text if the secret is, because no encoding escapes it. */
  readonly #part: string;
  /** Finds where the secret can start, by its first pieces. */
  readonly #start: RegExp;
  readonly #pieces: readonly { read: Piece; cost: number }[];

  constructor(secret: string) {
    const pieces = secret.match(PIECES) ?? [];
    const plain = pieces.filter(piece => PLAIN.test(piece));
    this.#part = plain.reduce((longest, part) => (part.length > longest.length ? part : longest), "");
    this.#start = new RegExp(startOf(pieces), "gu");
    // A private key has hundreds of special characters, but few different ones.
    const known = new Map(
      [...new Set(pieces)].map(piece => {
        return [piece, { read: pieceOf(piece), cost: Math.ceil(piece.length / READ_CHARS) }] as const;
      }),
    );
    this.#pieces = pieces.flatMap(piece => known.get(piece) ?? []);
  }

  /** Replaces the secret wherever it is in a text. Where that would take too long, replaces the rest of the text. */
  replaceIn(text: string, replacement: string): string {
    // Searching for a plain text is much faster, and most texts have no secret.
    if (!text.includes(this.#part)) return text;
    let replaced = "";
    let last = 0;
    const reads = { left: MAX_READS };
    this.#start.lastIndex = 0;
    for (let found = this.#start.exec(text); found !== null; found = this.#start.exec(text)) {
      const end = this.#endOf(text, found.index, reads);
      if (reads.left < 0) return replaced + text.slice(last, found.index) + replacement;
      this.#start.lastIndex = end ?? found.index + unitsOf(found[0]);
      if (end === null) continue;
      replaced += text.slice(last, found.index) + replacement;
      last = end;
    }
    return replaced + text.slice(last);
  }

  /** Returns the last index at which the secret can end if it starts at an index; null if it does not start there. */
  #endOf(text: string, start: number, reads: { left: number }): number | null {
    let ends = [start];
    for (const { read, cost } of this.#pieces) {
      reads.left -= cost * ends.length;
      if (reads.left < 0) return null;
      ends = [...new Set(ends.flatMap(end => read(text, end)))];
      if (ends.length === 0) return null;
    }
    return Math.max(...ends);
  }
}

/** Returns how many units the first character of a text has. */
function unitsOf(text: string): number {
  return (text.codePointAt(0) ?? 0) > 0xffff ? 2 : 1;
}

/** Returns a pattern for the first pieces of a secret. */
function startOf(pieces: readonly string[]): string {
  const [first = ""] = pieces;
  if (PLAIN.test(first) && first.length > FIRST_CHARS) return first.slice(0, FIRST_CHARS);
  return pieces.slice(0, FIRST_PIECES).map(patternOf).join("");
}

/** Returns a pattern for a piece. */
function patternOf(piece: string): string {
  if (PLAIN.test(piece)) return piece;
  if (SEVERAL_BACKSLASHES.test(piece)) return `${BACKSLASH}{${piece.length},${4 * piece.length}}`;
  return `(?:${formsOf(piece).join("|")})`;
}

function pieceOf(piece: string): Piece {
  if (PLAIN.test(piece))
    return (text, start) => (text.startsWith(piece, start) ? [start + piece.length] : []);
  if (SEVERAL_BACKSLASHES.test(piece)) return backslashes(piece.length, 4 * piece.length);
  const forms = formsOf(piece).map(form => new RegExp(form, "uy"));
  const escaped: Piece = (text, start) => forms.flatMap(form => endOf(form, text, start) ?? []);
  if (piece !== "\\") return escaped;
  const plain = backslashes(1, 5);
  return (text, start) => [...escaped(text, start), ...plain(text, start)];
}

/** Returns a piece for backslashes. Each level of scripts or JSON doubles them. */
function backslashes(min: number, max: number): Piece {
  const backslash = new RegExp(BACKSLASH, "uy");
  return (text, start) => {
    const ends: number[] = [];
    let end: number | null = start;
    for (let count = 1; count <= max; count++) {
      end = endOf(backslash, text, end);
      if (end === null) break;
      if (count >= min) ends.push(end);
    }
    return ends;
  };
}

function endOf(pattern: RegExp, text: string, start: number): number | null {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : null;
}

/** Returns patterns for a character, however it is escaped. Each of them ends in one place. */
function formsOf(character: string): string[] {
  const code = character.codePointAt(0) ?? 0;
  const units = character.split("").map(unit => `${BACKSLASH}{1,4}u${hexOf(unit.charCodeAt(0), 4)}`);
  const [entity, short, once] = [ENTITIES[character], SHORT_ESCAPES[character], ESCAPED_ONCE[character]];
  const escapes = [
    ...[units.join(""), String.raw`${BACKSLASH}{1,4}u\{0*${hexOf(code, 1)}\}`],
    ...(code < 256 ? [`${BACKSLASH}{1,4}x${hexOf(code, 2)}`] : []),
    ...(short === undefined ? [] : [`${BACKSLASH}{1,4}${short}`]),
  ];
  const others = [
    `${AMPERSAND}(?:#0*${code}|#[xX]0*${hexOf(code, 1)}${entity === undefined ? "" : `|${entity}`});?`,
    [...Buffer.from(character)].map(byte => `%(?:25)*${hexOf(byte, 2)}`).join(""),
    ...(character === " " ? [String.raw`\+`] : []),
  ];
  const literal = SYNTAX.test(character) ? `\\${character}` : character;
  // Each level of scripts or JSON doubles the backslashes.
  const after = (form: string) => `${BACKSLASH}{0,4}${form}`;
  return [
    escapes.join("|"),
    ...[after(`(?:${others.join("|")})`), after(literal)],
    ...(once === undefined ? [] : [after(once)]),
  ];
}

/** Returns a pattern for a number in hex digits of either case. */
function hexOf(value: number, digits: number): string {
  return value
    .toString(16)
    .padStart(digits, "0")
    .replace(/[a-f]/g, digit => `[${digit}${digit.toUpperCase()}]`);
}
