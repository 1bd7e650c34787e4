import { KEY_TEXTS } from "./render/texts.ts";

/** A key with its action in page/viewer.js or page/report.js. */
export interface KeyBinding {
  /** `KeyboardEvent.key` in lower case. */
  keys: readonly string[];
  act: string;
  /** The key's name in the key sheet. */
  shown: string;
  label: string;
}

export const VIEWER_KEYS: readonly KeyBinding[] = [
  { keys: ["1"], act: "side", shown: "1", label: KEY_TEXTS.side },
  { keys: ["2"], act: "swipe", shown: "2", label: KEY_TEXTS.swipe },
  { keys: ["3"], act: "overlay", shown: "3", label: KEY_TEXTS.overlay },
  { keys: ["4"], act: "baseline", shown: "4", label: KEY_TEXTS.baseline },
  { keys: ["5"], act: "new", shown: "5", label: KEY_TEXTS.new },
  { keys: ["6"], act: "blink", shown: "6", label: KEY_TEXTS.blink },
  { keys: ["d"], act: "mask", shown: "D", label: KEY_TEXTS.mask },
  { keys: ["h"], act: "outline", shown: "H", label: KEY_TEXTS.outline },
  { keys: ["j"], act: "next-region", shown: "J", label: KEY_TEXTS.nextRegion },
  { keys: ["k"], act: "previous-region", shown: "K", label: KEY_TEXTS.previousRegion },
  { keys: [" "], act: "fit", shown: "Space", label: KEY_TEXTS.fit },
  { keys: ["0"], act: "actual", shown: "0", label: KEY_TEXTS.actual },
  { keys: ["+", "="], act: "zoom-in", shown: "+", label: KEY_TEXTS.zoomIn },
  { keys: ["-"], act: "zoom-out", shown: "−", label: KEY_TEXTS.zoomOut },
  { keys: ["arrowup"], act: "previous", shown: "↑", label: KEY_TEXTS.previous },
  { keys: ["arrowdown"], act: "next", shown: "↓", label: KEY_TEXTS.next },
  { keys: ["arrowleft"], act: "left", shown: "←", label: KEY_TEXTS.left },
  { keys: ["arrowright"], act: "right", shown: "→", label: KEY_TEXTS.right },
  { keys: ["shift+arrowup"], act: "pan-up", shown: "⇧ ↑", label: KEY_TEXTS.panUp },
  { keys: ["shift+arrowdown"], act: "pan-down", shown: "⇧ ↓", label: KEY_TEXTS.panDown },
  { keys: ["shift+arrowleft"], act: "pan-left", shown: "⇧ ←", label: KEY_TEXTS.panLeft },
  { keys: ["shift+arrowright"], act: "pan-right", shown: "⇧ →", label: KEY_TEXTS.panRight },
  { keys: ["c"], act: "copy", shown: "C", label: KEY_TEXTS.copy },
  { keys: ["escape"], act: "close", shown: "Esc", label: KEY_TEXTS.close },
];

export const PAGE_KEYS: readonly KeyBinding[] = [
  { keys: ["f"], act: "filter", shown: "F", label: KEY_TEXTS.filter },
  { keys: ["/"], act: "find", shown: "/", label: KEY_TEXTS.find },
  { keys: ["?"], act: "keys", shown: "?", label: KEY_TEXTS.keys },
];

/** Keys of the page of `vrs dev`. */
export const LIVE_KEYS: readonly KeyBinding[] = [
  { keys: ["a"], act: "approve", shown: "A", label: KEY_TEXTS.approve },
  { keys: ["g"], act: "approve-group", shown: "G", label: KEY_TEXTS.approveGroup },
];
