import { type RefObject, useEffect, useRef } from "react";
import type { Stage } from "../../../shared/report/page/stage.js";

/** A mostly horizontal swipe of this length means the next screenshot. */
const ACROSS_PX = 70;
const MOST_SLOPE = 0.5;

/** Goes to the next or previous screenshot at a one-finger swipe, unless the swipe moves the page. */
export function useSwipe(
  frame: RefObject<HTMLElement | null>,
  stage: RefObject<Stage | null>,
  step: (by: 1 | -1) => void,
): void {
  const latest = useRef(step);
  latest.current = step;
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    let from: Touch | null = null;
    const begin = ({ touches, target }: TouchEvent) => {
      const isOwn =
        target instanceof Element && target.closest(".minimap, .divider, .picking, label, button");
      const canMove = stage.current?.isWide ?? false;
      from = touches.length === 1 && !isOwn && !canMove ? (touches[0] ?? null) : null;
    };
    const end = ({ changedTouches }: TouchEvent) => {
      const [to] = changedTouches;
      if (!from || !to) return;
      const across = to.clientX - from.clientX;
      const down = Math.abs(to.clientY - from.clientY);
      from = null;
      if (Math.abs(across) >= ACROSS_PX && down <= Math.abs(across) * MOST_SLOPE)
        latest.current(across < 0 ? 1 : -1);
    };
    element.addEventListener("touchstart", begin, { passive: true });
    element.addEventListener("touchend", end, { passive: true });
    return () => {
      element.removeEventListener("touchstart", begin);
      element.removeEventListener("touchend", end);
    };
  }, [stage, frame.current]);
}
