import type { TimedWords } from "../../shared/report/describe-review.ts";
import { Time } from "./time.tsx";

/** Shows a sentence with a time in the reader's zone. */
export function Timed({ words: { before, at, after } }: { words: TimedWords }) {
  return (
    <>
      {before}
      {at !== null && <Time iso={at} />}
      {after}
    </>
  );
}
