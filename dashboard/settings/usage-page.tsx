import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import type { Checkout } from "../place.ts";
import { Problem, useTitle, Waiting } from "../ui/parts.tsx";
import { BillingSection } from "./billing-section.tsx";
import { day } from "./billing-words.ts";

const ROWS = [
  { name: "runs", label: "Runs this month" },
  { name: "screenshots", label: "Screenshots this month" },
  { name: "members", label: "Members and invitations" },
  { name: "monitors", label: "Monitors" },
] as const;

/** From here on the bar says that it is getting tight. */
const TIGHT = 0.8;

/** What the team has used of its plan, and how it pays for that. @param checkout how somebody has come back from paying */
export function UsagePage({ checkout = null }: { checkout?: Checkout | null }) {
  useTitle("Plan and usage");
  const { data, error, refetch } = useQuery({ queryKey: ["usage"], queryFn: api.usage });
  return (
    <>
      <h1>Plan and usage</h1>
      {error && !data && <Problem error={error} what="The usage" again={refetch} />}
      {!data && !error && <Waiting what="the usage" />}
      {data && (
        <>
          <p className="detail">
            Plan <strong>{data.plan}</strong>. Counts start again on {day(data.period.end)} (UTC). Runs are
            kept for {data.retentionDays} days.
          </p>
          <dl className="usage">
            {ROWS.map(({ name, label }) => (
              <Allowance key={name} label={label} {...data[name]} />
            ))}
          </dl>
        </>
      )}
      <BillingSection checkout={checkout} />
    </>
  );
}

function Allowance({ label, used, limit }: { label: string; used: number; limit: number | null }) {
  const share = limit === null || limit === 0 ? 0 : used / limit;
  const standing = share >= 1 ? "failed" : share >= TIGHT ? "changed" : "approved";
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <strong>{used.toLocaleString("en")}</strong>{" "}
        <span className="quiet">{limit === null ? "· no limit" : `of ${limit.toLocaleString("en")}`}</span>
        {limit !== null && (
          <svg className="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
            <rect data-standing="pending" width="100" height="1" />
            <rect data-standing={standing} width={Math.min(100, share * 100)} height="1" />
          </svg>
        )}
        {share >= 1 && <p className="fault">Used up: what would need more is refused.</p>}
      </dd>
    </div>
  );
}
