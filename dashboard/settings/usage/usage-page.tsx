import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import type { Checkout } from "../../app-location.ts";
import { loadedThings } from "../../texts/common.ts";
import { number } from "../../texts/format.ts";
import { planNames, usageTexts } from "../../texts/settings/usage.ts";
import { fill } from "../../ui/fill.ts";
import { Loading, Problem, useTitle } from "../../ui/parts.tsx";
import { BillingSection } from "./billing-section.tsx";
import { UsageHistory } from "./usage-history.tsx";

const LIMITS = ["runs", "screenshots", "members", "monitors"] as const;

/** From this ratio on, the bar is a warning. */
const TIGHT = 0.8;

/** Shows the plan's usage and the subscription. @param checkout the outcome of the checkout */
export function UsagePage({ checkout = null }: { checkout?: Checkout | null }) {
  useTitle(usageTexts.title);
  const { data, error, refetch } = useQuery({ queryKey: ["usage"], queryFn: api.usage });
  return (
    <>
      <h1>{usageTexts.title}</h1>
      {error && !data && <Problem error={error} what={loadedThings.usage} again={refetch} />}
      {!data && !error && <Loading what={loadedThings.usage} />}
      {data && (
        <>
          <p className="detail">
            {fill(usageTexts.about, {
              plan: <strong>{planNames[data.plan]}</strong>,
              day: usageTexts.day(data.period.end),
              days: usageTexts.days(data.retentionDays),
            })}
          </p>
          <dl className="usage">
            {LIMITS.map(name => (
              <Allowance key={name} name={name} {...data[name]} />
            ))}
          </dl>
        </>
      )}
      <UsageHistory />
      <BillingSection checkout={checkout} />
    </>
  );
}

interface AllowanceProps {
  name: (typeof LIMITS)[number];
  used: number;
  limit: number | null;
}

function Allowance({ name, used, limit }: AllowanceProps) {
  const share = limit === null || limit === 0 ? 0 : used / limit;
  const standing = share >= 1 ? "failed" : share >= TIGHT ? "changed" : "approved";
  return (
    <div>
      <dt>{usageTexts.limits[name]}</dt>
      <dd>
        <strong>{number(used)}</strong> <span className="quiet">{usageTexts.limit(limit)}</span>
        {limit !== null && (
          <svg className="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
            <rect data-standing="pending" width="100" height="1" />
            <rect data-standing={standing} width={Math.min(100, share * 100)} height="1" />
          </svg>
        )}
        {share >= 1 && <p className="fault">{usageTexts.reached[name]}</p>}
      </dd>
    </div>
  );
}
