import type { TimedWords } from "../../shared/report/describe-review.ts";
import { Time } from "./time.tsx";

/** A sentence with its time in the reader's zone. */
export function Timed({ words: { before, at, after } }: { words: TimedWords }) {
  return (
    <>
      {before}
      {at !== null && <Time iso={at} />}
      {after}
    </>
  );
}
