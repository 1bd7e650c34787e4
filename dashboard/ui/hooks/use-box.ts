import { useLayoutEffect, useState } from "react";

/** Where an element is in the page, px, and how wide it is. */
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
    // What stands above it may grow.
    observer.observe(document.body);
    measure();
    return () => observer.disconnect();
  }, [ref]);
  return box;
}
