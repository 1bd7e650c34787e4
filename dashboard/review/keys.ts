import { type KeyBinding, VIEWER_KEYS } from "../../shared/report/keys.ts";

const DECIDING = [
  { keys: ["a"], act: "approve", shown: "A", label: "Approve, and go on" },
  { keys: ["r"], act: "reject", shown: "R", label: "Reject, with the reason" },
  { keys: ["g"], act: "approve-group", shown: "G", label: "Approve the whole group of equal changes" },
  { keys: ["shift+g"], act: "reject-group", shown: "⇧ G", label: "Reject the whole group" },
  { keys: ["u"], act: "undo", shown: "U", label: "Undo" },
  { keys: ["v"], act: "next-width", shown: "V", label: "The same page at its next width" },
  { keys: ["f"], act: "filter", shown: "F", label: "All screenshots, or those in question" },
  { keys: ["/"], act: "find", shown: "/", label: "Find a route" },
  { keys: ["?"], act: "keys", shown: "?", label: "This sheet" },
] as const;

/** How one looks at a screenshot is the same as in the report; only the way out leads elsewhere. */
export const REVIEW_KEYS: readonly KeyBinding[] = [
  ...DECIDING,
  ...VIEWER_KEYS.map(key => (key.act === "close" ? { ...key, label: "Back to the run" } : key)),
];

const ACTS = new Map(REVIEW_KEYS.flatMap(({ keys, act }) => keys.map(key => [key, act] as const)));

/** What a key press means; null for what is the browser's or the system's. */
export function actOf(
  event: Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">,
): string | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const key = event.key.toLowerCase();
  // Shift makes the character of a sign, and with letters and arrows a key of its own.
  const isShifted = event.shiftKey && /^(?:[a-z]|arrow\w+)$/.test(key);
  return ACTS.get(isShifted ? `shift+${key}` : key) ?? null;
}
