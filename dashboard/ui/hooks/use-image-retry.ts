import { useEffect, useState } from "react";
import { type Backoff, backoffMs } from "../../../shared/backoff.ts";

/** Retries of an image with a backoff, since the service creates only a few thumbnails at a time. */
const MAX_ATTEMPTS = 5;
const RETRIES: Backoff = { firstMs: 1_500, longestMs: 30_000, jitter: 0.6 };

/** Returns the source and error handler of an image that is retried. */
export function useImageRetry(address: string | null): { source: string | undefined; onError: () => void } {
  const [asked, setAsked] = useState(address);
  const [failures, setFailures] = useState(0);
  const [isResting, setResting] = useState(false);
  if (asked !== address) {
    setAsked(address);
    setFailures(0);
    setResting(false);
  }
  useEffect(() => {
    if (!isResting) return;
    const timer = setTimeout(() => setResting(false), backoffMs(failures, RETRIES));
    return () => clearTimeout(timer);
  }, [isResting, failures]);
  const onError = () => {
    if (failures >= MAX_ATTEMPTS) return;
    setFailures(failures + 1);
    setResting(true);
  };
  return { source: (!isResting && address) || undefined, onError };
}
