import { useEffect, useState } from "react";

/** Settings for highlighting differences, stored in the browser: color, opacity, and blink interval. */
export interface Marks {
  mask: boolean;
  outline: boolean;
  /** Such as `#rrggbb`. */
  color: string;
  /** Opacity of the difference mask, 0.1–1. */
  opacity: number;
  /** Display time of each side. */
  blinkMs: number;
}

const STORAGE_KEY = "vrs-marks";
/** More than three flashes per second may be harmful. */
export const BLINK_MS = { least: 350, most: 2_000 };
const FIRST: Marks = { mask: false, outline: true, color: "#ff00ff", opacity: 1, blinkMs: 700 };

export function useMarks(): [Marks, (part: Partial<Marks>) => void] {
  const [marks, setMarks] = useState<Marks>(() => ({
    ...FIRST,
    ...marksIn(localStorage.getItem(STORAGE_KEY)),
  }));
  const { color, opacity, blinkMs } = marks;
  useEffect(() => {
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ color, opacity, blinkMs }));
  }, [color, opacity, blinkMs]);
  return [marks, part => setMarks(before => ({ ...before, ...part }))];
}

/** Parses stored settings, and keeps the valid ones. */
export function marksIn(text: string | null): Partial<Marks> {
  let stored: unknown = null;
  try {
    stored = JSON.parse(text ?? "null");
  } catch {
    return {};
  }
  if (typeof stored !== "object" || stored === null) return {};
  const color = "color" in stored && typeof stored.color === "string" ? stored.color : "";
  const opacity = "opacity" in stored ? Number(stored.opacity) : Number.NaN;
  const blinkMs = "blinkMs" in stored ? Number(stored.blinkMs) : Number.NaN;
  return {
    ...(/^#[0-9a-f]{6}$/i.test(color) && { color }),
    ...(opacity >= 0.1 && opacity <= 1 && { opacity }),
    ...(blinkMs >= BLINK_MS.least && blinkMs <= BLINK_MS.most && { blinkMs }),
  };
}
