/** What a key does; `act` is the name of an action in page/viewer.js or page/report.js. */
export interface KeyBinding {
  /** As `KeyboardEvent.key`, lower case. */
  keys: readonly string[];
  act: string;
  /** As the key sheet prints it. */
  shown: string;
  label: string;
}

export const VIEWER_KEYS: readonly KeyBinding[] = [
  { keys: ["1"], act: "side", shown: "1", label: "Side by side" },
  { keys: ["2"], act: "swipe", shown: "2", label: "Swipe" },
  { keys: ["3"], act: "overlay", shown: "3", label: "Overlay" },
  { keys: ["4"], act: "baseline", shown: "4", label: "Baseline only" },
  { keys: ["5"], act: "new", shown: "5", label: "New only" },
  { keys: ["6"], act: "blink", shown: "6", label: "Blink between the two" },
  { keys: ["d"], act: "mask", shown: "D", label: "Difference mask" },
  { keys: ["h"], act: "outline", shown: "H", label: "Outline of the changed and ignore regions" },
  { keys: ["j"], act: "next-region", shown: "J", label: "Next changed region" },
  { keys: ["k"], act: "previous-region", shown: "K", label: "Previous changed region" },
  { keys: [" "], act: "fit", shown: "Space", label: "Fit the page, again for its width" },
  { keys: ["0"], act: "actual", shown: "0", label: "True size, 100 %" },
  { keys: ["+", "="], act: "zoom-in", shown: "+", label: "Zoom in (also Ctrl and wheel, or pinch)" },
  { keys: ["-"], act: "zoom-out", shown: "−", label: "Zoom out" },
  { keys: ["arrowup"], act: "previous", shown: "↑", label: "Previous screenshot" },
  { keys: ["arrowdown"], act: "next", shown: "↓", label: "Next screenshot" },
  { keys: ["arrowleft"], act: "left", shown: "←", label: "To the baseline" },
  { keys: ["arrowright"], act: "right", shown: "→", label: "To the new side" },
  { keys: ["shift+arrowup"], act: "pan-up", shown: "⇧ ↑", label: "Move up (also drag, or the wheel)" },
  { keys: ["shift+arrowdown"], act: "pan-down", shown: "⇧ ↓", label: "Move down" },
  { keys: ["shift+arrowleft"], act: "pan-left", shown: "⇧ ←", label: "Move left" },
  { keys: ["shift+arrowright"], act: "pan-right", shown: "⇧ →", label: "Move right" },
  { keys: ["c"], act: "copy", shown: "C", label: "Copy a link to this view" },
  { keys: ["escape"], act: "close", shown: "Esc", label: "Back to the list" },
];

export const PAGE_KEYS: readonly KeyBinding[] = [
  { keys: ["f"], act: "filter", shown: "F", label: "Filter" },
  { keys: ["/"], act: "find", shown: "/", label: "Find a route" },
  { keys: ["?"], act: "keys", shown: "?", label: "This sheet" },
];
