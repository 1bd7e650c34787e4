import { type KeyBinding, VIEWER_KEYS } from "../../shared/report/keys.ts";
import { keyLabels } from "../texts/review.ts";

const DECIDING: readonly KeyBinding[] = [
  { keys: ["a"], act: "approve", shown: "A", label: keyLabels.approve },
  { keys: ["n"], act: "approve-with-note", shown: "N", label: keyLabels.approveWithNote },
  { keys: ["r"], act: "reject", shown: "R", label: keyLabels.reject },
  { keys: ["g"], act: "approve-group", shown: "G", label: keyLabels.approveGroup },
  { keys: ["shift+g"], act: "reject-group", shown: "⇧ G", label: keyLabels.rejectGroup },
  { keys: ["u"], act: "undo", shown: "U", label: keyLabels.undo },
  { keys: ["p"], act: "prove", shown: "P", label: keyLabels.prove },
];

/** The stage has the same keys as in the report. Only Escape differs. */
export const REVIEW_KEYS: readonly KeyBinding[] = [
  ...DECIDING,
  { keys: ["m"], act: "minor", shown: "M", label: keyLabels.minor },
  { keys: ["v"], act: "next-width", shown: "V", label: keyLabels.nextWidth },
  { keys: ["f"], act: "filter", shown: "F", label: keyLabels.filter },
  { keys: ["/"], act: "find", shown: "/", label: keyLabels.find },
  { keys: ["t"], act: "comments", shown: "T", label: keyLabels.comments },
  { keys: ["i"], act: "ignore", shown: "I", label: keyLabels.ignore },
  { keys: ["q"], act: "queue", shown: "Q", label: keyLabels.queue },
  { keys: ["?"], act: "keys", shown: "?", label: keyLabels.keys },
  ...VIEWER_KEYS.map(key => (key.act === "close" ? { ...key, label: keyLabels.close } : key)),
];

const ACTIONS = new Map(REVIEW_KEYS.flatMap(({ keys, act }) => keys.map(key => [key, act] as const)));

/** A held key repeats, except for decisions and proofs. Each of them needs a press, so that it was seen. */
const ONCE: ReadonlySet<string> = new Set(DECIDING.map(({ act }) => act));

type Press = Pick<KeyboardEvent, "key" | "code" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey" | "repeat">;

/**
 * Returns the action of a key press by its character, on any keyboard layout; null for keys of the browser or
 * system, and for decisions and proofs by a held key. For non-Latin letters, and for digits that need Shift, the key's position decides.
 */
export function actionOf({ key, code, shiftKey, ctrlKey, metaKey, altKey, repeat }: Press): string | null {
  // Some systems report AltGr as both, and AltGr types characters.
  const isAltGr = ctrlKey && altKey && /^[^a-z0-9]$/i.test(key);
  if (metaKey || ((ctrlKey || altKey) && !isAltGr)) return null;
  const act = actOfKey(key.toLowerCase(), shiftKey) ?? actionOfPosition(key, code, shiftKey);
  return repeat && act !== null && ONCE.has(act) ? null : act;
}

function actOfKey(key: string, isShift: boolean): string | null {
  // Shift is part of a character, but with letters and arrows it makes another shortcut.
  const isShifted = isShift && /^(?:[a-z]|arrow\w+)$/.test(key);
  return ACTIONS.get(isShifted ? `shift+${key}` : key) ?? null;
}

function actionOfPosition(key: string, code: string, isShift: boolean): string | null {
  const digit = /^Digit(\d)$/.exec(code)?.[1];
  if (digit !== undefined && !isShift) return actOfKey(digit, false);
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  const isOtherScript = /^[^\p{Script=Latin}\p{Script=Common}]$/u.test(key);
  return letter !== undefined && isOtherScript ? actOfKey(letter.toLowerCase(), isShift) : null;
}
