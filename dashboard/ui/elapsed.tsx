import { useEffect, useState } from "react";
import { elapsed } from "../../shared/report/figures.ts";
import { commonTexts } from "../texts/common.ts";

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
