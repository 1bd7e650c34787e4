/** Counts the characters that matching has read: the cost of a hostile pattern on any machine. */
export interface Meter {
  steps: number;
}

/** A text between two wildcards, and the wildcard after it. */
interface Literal {
  text: string;
  /** For each prefix of the text, how much of its end is a beginning of the text (Knuth, Morris and Pratt). */
  fallbacks: Uint16Array;
  /** Whether the wildcard after it matches slashes too. */
  thenAcross: boolean;
}

/** Positions in a URL that a wildcard may reach: `[first, last, first, last, …]`, in order, without overlaps. */
type Ranges = number[];

/**
 * Compiles a pattern: a URL, or a glob in which `*` matches within a path segment and `**` across segments.
 * @returns whether a URL matches. It reads each character at most once per wildcard, except the first wildcard, and
 * adds the number of reads to the meter.
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

/** Returns how far a wildcard reaches from a position: to the end, or to the next slash. */
function rangeFrom(url: string, from: number, to: number, isAcross: boolean): [first: number, last: number] {
  if (isAcross) return [from, to];
  const slash = url.indexOf("/", from);
  return [from, slash === -1 ? to : Math.min(slash, to)];
}

/** Returns what the wildcard after a literal may reach, from all positions at which the literal may begin. */
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
  // Only numbers are used here, because a hostile glob spends its time in this loop.
  for (; at < end; at += 1) {
    const character = url.charCodeAt(at);
    while (length > 0 && character !== text.charCodeAt(length)) length = fallbacks[length - 1] ?? 0;
    if (character === text.charCodeAt(length)) length += 1;
    if (length < size) continue;
    length = fallbacks[size - 1] ?? 0;
    // This one reaches everything that an earlier one has reached.
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
