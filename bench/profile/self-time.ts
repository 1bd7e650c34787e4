import { pushSegment, type Segment, type Span } from "./spans.ts";

/** An event of one thread. Events of a thread nest: one ends before or with the event around it. */
export interface ThreadEvent<L extends string = string> extends Span {
  /** Null for an event that is part of the event around it. */
  label: L | null;
  /** Processor time including nested events, µs. */
  processorUs: number;
}

/** A thread's time by label. Nested events count for themselves only. */
export interface SelfTime<L extends string = string> {
  /** In order, without overlaps. */
  segments: Segment<L>[];
  /** Processor time by label, µs. */
  processorUs: Map<L, number>;
}

interface Open<L> {
  label: L;
  endUs: number;
  ownProcessorUs: number;
}

/** Separates nested events. Events without a label and without an event around them count as `otherwise`. */
export function selfTime<L extends string>(events: readonly ThreadEvent<L>[], otherwise: L): SelfTime<L> {
  const segments: Segment<L>[] = [];
  const processorUs = new Map<L, number>();
  const open: Open<L>[] = [];
  let atUs = 0;
  const advance = (toUs: number) => {
    const label = open.at(-1)?.label;
    if (label !== undefined && toUs > atUs) pushSegment(segments, { label, startUs: atUs, endUs: toUs });
    atUs = Math.max(atUs, toUs);
  };
  const close = (event: Open<L>) => {
    advance(event.endUs);
    open.pop();
    processorUs.set(event.label, (processorUs.get(event.label) ?? 0) + Math.max(0, event.ownProcessorUs));
  };
  const sorted = events.toSorted((a, b) => a.startUs - b.startUs || b.endUs - a.endUs);
  for (const event of sorted) {
    for (let top = open.at(-1); top !== undefined && top.endUs <= event.startUs; top = open.at(-1))
      close(top);
    advance(event.startUs);
    const parent = open.at(-1);
    if (parent !== undefined) parent.ownProcessorUs -= event.processorUs;
    open.push({
      label: event.label ?? parent?.label ?? otherwise,
      // Clocks round. An event that ends after its parent would never be closed in order.
      endUs: Math.min(event.endUs, parent?.endUs ?? event.endUs),
      ownProcessorUs: event.processorUs,
    });
  }
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) close(top);
  return { segments, processorUs };
}
