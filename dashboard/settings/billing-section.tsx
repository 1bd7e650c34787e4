import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { type BillingView, PAID_PLANS } from "../../shared/contracts/billing.ts";
import { DEFAULT_TEAM_ID } from "../../shared/ids.ts";
import { api } from "../api/client.ts";
import type { Checkout } from "../place.ts";
import { useMe } from "../session.tsx";
import { Problem } from "../ui/parts.tsx";
import { useSay, wordsOf } from "../ui/say.tsx";
import { billingInWords, isSubscribed } from "./billing-words.ts";

/** The provider tells the service by itself, most often within seconds. */
const TOLD_MS = 3_000;

/** How the team pays, where this service takes payments. @param checkout how somebody has just come back from paying */
export function BillingSection({ checkout }: { checkout: Checkout | null }) {
  const { session, may } = useMe();
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: ["billing"],
    queryFn: api.billing,
    refetchInterval: ({ state }) =>
      checkout === "done" && state.data && !isSubscribed(state.data) ? TOLD_MS : false,
  });
  const plan = data?.plan;
  useEffect(() => {
    if (plan) void client.invalidateQueries({ queryKey: ["usage"] });
  }, [client, plan]);
  if (error && !data) return <Problem error={error} what="The subscription" again={refetch} />;
  if (!data?.enabled) return null;
  const isOwn = session.team?.id === DEFAULT_TEAM_ID;
  return (
    <section aria-labelledby="subscription" className="section">
      <h2 id="subscription">Subscription</h2>
      {checkout && <p className="banner">{checkoutInWords(checkout, data)}</p>}
      <p className="about">
        {isOwn
          ? "This team runs the service and pays nothing: its plan is set with SERVICE_PLAN."
          : billingInWords(data).join(" ")}
      </p>
      {!isOwn && (may("admin") ? <Paying view={data} /> : <p>Admins of the team manage it.</p>)}
    </section>
  );
}

function checkoutInWords(checkout: Checkout, view: BillingView): string {
  if (checkout === "canceled") return "The checkout was left. Nothing was charged and nothing has changed.";
  return isSubscribed(view)
    ? `Thank you: the team has subscribed to ${view.subscribedPlan ?? view.plan}.`
    : "Thank you. The plan changes as soon as the payment provider has told this service; this page shows it.";
}

function Paying({ view }: { view: BillingView }) {
  const say = useSay();
  const { mutate, isPending } = useMutation({
    mutationFn: (open: () => Promise<{ url: string }>) => open(),
    onSuccess: ({ url }) => location.assign(url),
    onError: error => say({ text: wordsOf(error), isFault: true }),
  });
  const others = PAID_PLANS.filter(plan => plan !== view.subscribedPlan);
  return (
    <div className="actions">
      {others.map(plan => (
        <button
          key={plan}
          type="button"
          className={isSubscribed(view) ? "" : "primary"}
          disabled={isPending || view.paymentFailed}
          onClick={() => mutate(() => api.checkout(plan))}
        >
          {isSubscribed(view) ? `Change to ${plan}` : `Subscribe to ${plan}`}
        </button>
      ))}
      {view.status !== "none" && (
        <button type="button" disabled={isPending} onClick={() => mutate(api.portal)}>
          Cards, invoices, cancellation
        </button>
      )}
    </div>
  );
}
