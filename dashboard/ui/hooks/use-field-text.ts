import { useEffect, useRef, useState } from "react";

/** After the last key press. */
const WRITTEN_MS = 250;

/**
 * The text of a field that the address has as well. It is the reader's while they type. Where a link or
 * the way back changes the address to another text, the field follows it.
 * @param value as the address has it
 */
export function useFieldText(value: string): [text: string, setText: (text: string) => void] {
  const [field, setField] = useState({ text: value, value });
  const isOwn = field.value === value || field.text.trim() === value;
  const text = isOwn ? field.text : value;
  if (field.value !== value) setField({ text, value });
  return [text, next => setField({ text: next, value })];
}

/** The same, where the address follows the field once something is written. @param write puts a text into the address */
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
