import { exactMoment, relativeTime } from "../texts/dates.ts";
import { useMinute } from "./hooks/use-minute.ts";

/** Shows a time in the reader's zone: relative if less than a day ago, otherwise a date. Updates itself. */
export function Time({ iso }: { iso: string }) {
  useMinute();
  const date = new Date(iso);
  return (
    <time dateTime={iso} title={exactMoment(date)}>
      {relativeTime(date.getTime(), Date.now())}
    </time>
  );
}
