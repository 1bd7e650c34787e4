import { useEffect, useRef } from "react";
import { actionOf } from "./keys.ts";

/** Elements with their own keys. */
const OWN_KEYS = "input:not([type=range]), textarea, select, [contenteditable]";
/** Elements that Space and Enter press after Tab moved the focus there. */
const PRESSABLE = "button, a[href], summary";

/** Runs the actions of keys, except in text fields and under dialogs. */
export function useKeys(actions: Record<string, () => void>): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { target } = event;
      if (!(target instanceof Element) || event.defaultPrevented || event.isComposing) return;
      if (target.closest("input") && /^Arrow/.test(event.key)) return;
      if (target.closest(OWN_KEYS) || document.querySelector("dialog[open]")) return;
      if ((event.key === " " || event.key === "Enter") && target.closest(PRESSABLE)) return;
      const act = actionOf(event);
      const run = act === null ? undefined : latest.current[act];
      if (!run) return;
      event.preventDefault();
      run();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
