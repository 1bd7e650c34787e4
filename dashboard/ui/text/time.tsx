import { useEffect, useState } from "react";
import type { TimedSentence } from "../../../shared/report/describe-review.ts";
import { elapsed } from "../../../shared/text/format.ts";
import { commonTexts } from "../../texts/common.ts";
import { exactMoment, relativeTime } from "../../texts/format.ts";
import { useMinute } from "../hooks/use-minute.ts";

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

/** Shows a sentence with a time in the reader's zone. */
export function Timed({ words: { before, at, after } }: { words: TimedSentence }) {
  return (
    <>
      {before}
      {at !== null && <Time iso={at} />}
      {after}
    </>
  );
}

/** Shows a duration, or the time until now. */
export function Elapsed({ from, to }: { from: string; to: string | null }) {
  const [now, setNow] = useState(() => new Date().toISOString());
  useEffect(() => {
    if (to !== null) return;
    const timer = setInterval(() => setNow(new Date().toISOString()), 1_000);
    return () => clearInterval(timer);
  }, [to]);
  // This clock may be behind the service's. Then no time has passed yet.
  return <>{elapsed(from, to ?? now) ?? commonTexts.noTime}</>;
}
