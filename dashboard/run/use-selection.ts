import { useCallback, useMemo, useRef, useState } from "react";
import type { Screenshot } from "../api/screenshot.ts";

export interface Selection {
  ids: ReadonlySet<string>;
  /** Selects or deselects a card's screenshots. With `isRange`, also those since the last toggled card. */
  toggle: (ids: readonly string[], isRange: boolean) => void;
  clear: () => void;
  /** Sets the order of the visible screenshots, for ranges. */
  setOrder: (ids: readonly string[]) => void;
}

/** Returns the screenshots that the reader selected to decide on together. Those that vanish are deselected. */
export function useSelection(shots: readonly Screenshot[]): Selection {
  const [wanted, setWanted] = useState<ReadonlySet<string>>(new Set());
  const order = useRef<readonly string[]>([]);
  const last = useRef<string | null>(null);
  const ids = useMemo(
    () => new Set(shots.flatMap(({ id }) => (wanted.has(id) ? [id] : []))),
    [shots, wanted],
  );
  const toggle = useCallback((some: readonly string[], isRange: boolean) => {
    const [first] = some;
    // Here, since the updater runs later, when this card is already the last one.
    const affected = isRange ? rangeOf(order.current, last.current, some) : some;
    setWanted(before => {
      const isOn = !before.has(first ?? "");
      const after = new Set(before);
      for (const id of affected)
        if (isOn) after.add(id);
        else after.delete(id);
      return after;
    });
    last.current = first ?? null;
  }, []);
  const clear = useCallback(() => setWanted(new Set()), []);
  const setOrder = useCallback((visible: readonly string[]) => {
    order.current = visible;
  }, []);
  return useMemo(() => ({ ids, toggle, clear, setOrder }), [ids, toggle, clear, setOrder]);
}

/** Returns the ids between the last toggled one and these, with both. */
export function rangeOf(
  order: readonly string[],
  last: string | null,
  some: readonly string[],
): readonly string[] {
  const from = order.indexOf(last ?? "");
  const places = some.map(id => order.indexOf(id)).filter(place => place >= 0);
  if (from < 0 || places.length === 0) return some;
  return order.slice(Math.min(from, ...places), Math.max(from, ...places) + 1);
}
