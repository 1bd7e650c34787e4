/** Counts the characters that matching has looked at: what a hostile pattern costs, whatever the machine. */
export interface Meter {
  steps: number;
}

/** A text between two wildcards, and what follows it. */
interface Literal {
  text: string;
  /** For each prefix of the text, how much of its end is a beginning of the text (Knuth, Morris and Pratt). */
  fallbacks: Uint16Array;
  /** Whether the wildcard behind it matches slashes too. */
  thenAcross: boolean;
}

/** Places in a URL that a wildcard may have come to: `[first, last, first, last, …]`, in order, without overlaps. */
type Ranges = number[];

/**
 * Reads a pattern: a URL, or a glob in which `*` matches within a path segment and `**` across segments.
 * @returns whether a URL is matched. It looks at each of its characters at most once for each wildcard but the first,
 * and adds to the meter how many that were.
 */
export function urlMatcher(pattern: string): (url: string, meter?: Meter) => boolean {
  const [head = "", firstStar, ...rest] = pattern.split(/(\*+)/);
  if (firstStar === undefined) return url => url === pattern;
  const tail = rest.pop() ?? "";
  const literals = literalsOf(rest);
  return (url, meter = { steps: 0 }) => {
    const to = url.length - tail.length;
    if (to < head.length || !url.startsWith(head) || !url.endsWith(tail)) return false;
    let places: Ranges = rangeFrom(url, head.length, to, firstStar.length > 1);
    for (const literal of literals) {
      places = placesAfter(literal, { url, to, places, meter });
      if (places.length === 0) return false;
    }
    return places.at(-1) === to;
  };
}

/** @param parts literal, wildcard, literal, wildcard, … */
function literalsOf(parts: string[]): Literal[] {
  const literals: Literal[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const text = parts[at] ?? "";
    literals.push({ text, fallbacks: fallbacksOf(text), thenAcross: (parts[at + 1] ?? "").length > 1 });
  }
  return literals;
}

function fallbacksOf(text: string): Uint16Array {
  const fallbacks = new Uint16Array(text.length);
  let length = 0;
  for (let at = 1; at < text.length; at += 1) {
    while (length > 0 && text[at] !== text[length]) length = fallbacks[length - 1] ?? 0;
    if (text[at] === text[length]) length += 1;
    fallbacks[at] = length;
  }
  return fallbacks;
}

/** How far a wildcard comes from a place: to the end, or to the next slash. */
function rangeFrom(url: string, from: number, to: number, isAcross: boolean): [first: number, last: number] {
  if (isAcross) return [from, to];
  const slash = url.indexOf("/", from);
  return [from, slash === -1 ? to : Math.min(slash, to)];
}

/** Where the wildcard behind a literal may have come to, of all the places at which the literal may begin. */
function placesAfter(
  { text, fallbacks, thenAcross }: Literal,
  { url, to, places, meter }: { url: string; to: number; places: Ranges; meter: Meter },
): Ranges {
  const found: Ranges = [];
  const size = text.length;
  const [first = to] = places;
  const end = Math.min(to, (places.at(-1) ?? to) + size);
  let range = 0;
  let length = 0;
  let coveredTo = -1;
  let at = first;
  // Nothing but numbers in here: this is where a hostile glob spends its time.
  for (; at < end; at += 1) {
    const character = url.charCodeAt(at);
    while (length > 0 && character !== text.charCodeAt(length)) length = fallbacks[length - 1] ?? 0;
    if (character === text.charCodeAt(length)) length += 1;
    if (length < size) continue;
    length = fallbacks[size - 1] ?? 0;
    // What an earlier one has come to, this one comes to as well.
    if (at < coveredTo) continue;
    const begin = at + 1 - size;
    while ((places[range + 1] ?? to) < begin) range += 2;
    if ((places[range] ?? to) > begin) continue;
    const reached = rangeFrom(url, at + 1, to, thenAcross);
    coveredTo = reached[1];
    found.push(...reached);
    if (thenAcross) break;
  }
  meter.steps += at - first;
  return found;
}
