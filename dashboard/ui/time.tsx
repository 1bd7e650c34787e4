import { exactMoment, relativeTime } from "../texts/dates.ts";
import { useMinute } from "./hooks/use-minute.ts";

/** A time in the reader's zone: how long ago when that is less than a day, else its date. It goes on as time does. */
export function Time({ iso }: { iso: string }) {
  useMinute();
  const date = new Date(iso);
  return (
    <time dateTime={iso} title={exactMoment(date)}>
      {relativeTime(date.getTime(), Date.now())}
    </time>
  );
}
