import { timeInWords } from "./time-in-words.ts";
import { useMinute } from "./use-minute.ts";

const FULL = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });

/** A time in the reader's zone: how long ago when that is less than a day, else its date. It goes on as time does. */
export function Time({ iso }: { iso: string }) {
  useMinute();
  const date = new Date(iso);
  return (
    <time dateTime={iso} title={FULL.format(date)}>
      {timeInWords(date.getTime(), Date.now())}
    </time>
  );
}
