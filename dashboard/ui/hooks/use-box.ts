import { useLayoutEffect, useState } from "react";

/** Returns an element's position in the page and its width, px. */
export function useBox(ref: { current: HTMLElement | null }): { width: number; top: number } {
  const [box, setBox] = useState({ width: 0, top: 0 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => {
      const { width, top } = element.getBoundingClientRect();
      const next = { width, top: Math.round(top + scrollY) };
      setBox(before => (before.width === next.width && before.top === next.top ? before : next));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    // Content above it may grow.
    observer.observe(document.body);
    measure();
    return () => observer.disconnect();
  }, [ref]);
  return box;
}
