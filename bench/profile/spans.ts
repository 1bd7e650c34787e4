/** A period of time, µs on one clock. */
export interface Span {
  startUs: number;
  endUs: number;
}

/** A period of time with what was done in it. */
export interface Segment<L extends string = string> extends Span {
  label: L;
}

/** What to look for in a period: earlier layers hide later ones. */
export interface Layer<L extends string = string> {
  label: L;
  spans: readonly Span[];
}

/** Joins spans that touch or overlap, in order. */
export function merge(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const { startUs, endUs } of spans.toSorted((a, b) => a.startUs - b.startUs)) {
    if (endUs <= startUs) continue;
    const last = merged.at(-1);
    if (last !== undefined && startUs <= last.endUs) last.endUs = Math.max(last.endUs, endUs);
    else merged.push({ startUs, endUs });
  }
  return merged;
}

/** Splits merged spans by other merged spans, into what both have and what only the first have. */
export function split(spans: readonly Span[], by: readonly Span[]): { both: Span[]; rest: Span[] } {
  const both: Span[] = [];
  const rest: Span[] = [];
  let next = 0;
  for (const { startUs, endUs } of spans) {
    let atUs = startUs;
    while (next < by.length && (by[next]?.endUs ?? 0) <= startUs) next++;
    for (let index = next; index < by.length; index++) {
      const other = by[index];
      if (other === undefined || other.startUs >= endUs) break;
      const from = Math.max(atUs, other.startUs);
      const to = Math.min(endUs, other.endUs);
      if (from > atUs) rest.push({ startUs: atUs, endUs: from });
      both.push({ startUs: from, endUs: to });
      atUs = to;
    }
    if (atUs < endUs) rest.push({ startUs: atUs, endUs });
  }
  return { both, rest };
}

function lengthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { startUs, endUs }) => sum + endUs - startUs, 0);
}

/**
 * Assigns each moment of a window to the first layer that has it, otherwise to `otherwise`. Returns µs by label, which
 * sum to the window's length.
 */
export function cover<L extends string>(
  window: readonly Span[],
  layers: readonly Layer<L>[],
  otherwise: L,
): Map<L, number> {
  const shares = new Map<L, number>();
  const add = (label: L, us: number) => us > 0 && shares.set(label, (shares.get(label) ?? 0) + us);
  let left = merge(window);
  for (const { label, spans } of layers) {
    const { both, rest } = split(left, merge(spans));
    add(label, lengthOf(both));
    left = rest;
  }
  add(otherwise, lengthOf(left));
  return shares;
}

/** Makes a layer of each of these labels, in their order. */
export function layersOf<L extends string>(
  segments: readonly Segment<L>[],
  labels: readonly L[],
): Layer<L>[] {
  return labels.map(label => ({ label, spans: segments.filter(segment => segment.label === label) }));
}

/** Clips segments to a window, and drops those outside. */
export function within<S extends Span>(segments: readonly S[], { startUs, endUs }: Span): S[] {
  return segments
    .filter(segment => segment.startUs < endUs && segment.endUs > startUs)
    .map(segment => ({
      ...segment,
      startUs: Math.max(segment.startUs, startUs),
      endUs: Math.min(segment.endUs, endUs),
    }));
}

/** Adds a segment to the previous ones, and joins it with the last one of the same label. */
export function pushSegment<L extends string>(segments: Segment<L>[], segment: Segment<L>): void {
  const last = segments.at(-1);
  if (last !== undefined && last.label === segment.label && last.endUs === segment.startUs)
    last.endUs = segment.endUs;
  else segments.push(segment);
}
