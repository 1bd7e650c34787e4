import { useEffect, useRef, useState } from "react";

/** Delay after the last key press. */
const WRITTEN_MS = 250;

/**
 * Returns the text of a field that is also in the URL. The user's text wins while they type. When a link or
 * the back button changes the URL, the field follows.
 * @param value the text in the URL
 */
export function useFieldText(value: string): [text: string, setText: (text: string) => void] {
  const [field, setField] = useState({ text: value, value });
  const isOwn = field.value === value || field.text.trim() === value;
  const text = isOwn ? field.text : value;
  if (field.value !== value) setField({ text, value });
  return [text, next => setField({ text: next, value })];
}

/** Like useFieldText, but also updates the URL after typing. @param write puts a text into the URL */
export function useFollowedText(
  value: string,
  write: (text: string) => void,
): [text: string, setText: (text: string) => void] {
  const [text, setText] = useFieldText(value);
  const latest = useRef(write);
  latest.current = write;
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === value) return;
    const timer = setTimeout(() => latest.current(wanted), WRITTEN_MS);
    return () => clearTimeout(timer);
  }, [text, value]);
  return [text, setText];
}
