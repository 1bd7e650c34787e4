import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { type BillingView, PAID_PLANS } from "../../../shared/contracts/billing/billing.ts";
import { DEFAULT_TEAM_ID } from "../../../shared/ids.ts";
import { api } from "../../api/client.ts";
import type { Checkout } from "../../app-location.ts";
import { useMe } from "../../session.tsx";
import { loadedThings } from "../../texts/common.ts";
import { subscriptionSentences, usageTexts } from "../../texts/settings/usage.ts";
import { Problem } from "../../ui/parts.tsx";
import { messageOf, useToast } from "../../ui/toast.tsx";
import { isSubscribed } from "../account-rules.ts";

/** The provider usually notifies the service within seconds. */
const CONFIRMED_MS = 3_000;

/**
 * Shows the team's subscription, if this service takes payments. @param checkout the outcome of the checkout
 */
export function BillingSection({ checkout }: { checkout: Checkout | null }) {
  const { session, may, isOperator } = useMe();
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: ["billing"],
    queryFn: api.billing,
    refetchInterval: ({ state }) =>
      checkout === "done" && state.data && !isSubscribed(state.data) ? CONFIRMED_MS : false,
  });
  const plan = data?.plan;
  useEffect(() => {
    if (plan) void client.invalidateQueries({ queryKey: ["usage"] });
  }, [client, plan]);
  if (error && !data) return <Problem error={error} what={loadedThings.subscription} again={refetch} />;
  if (!data?.enabled) return null;
  const isOwn = session.team?.id === DEFAULT_TEAM_ID;
  return (
    <section aria-labelledby="subscription" className="section">
      <h2 id="subscription">{usageTexts.subscription}</h2>
      {checkout && <p className="banner">{checkoutText(checkout, data)}</p>}
      <p className="about">{isOwn ? operatorText(isOperator) : subscriptionSentences(data).join(" ")}</p>
      {!isOwn && (may("admin") ? <Paying view={data} /> : <p>{usageTexts.adminsManage}</p>)}
    </section>
  );
}

function checkoutText(checkout: Checkout, view: BillingView): string {
  if (checkout === "canceled") return usageTexts.checkoutCanceled;
  return isSubscribed(view) ? usageTexts.subscribed(view.subscribedPlan ?? view.plan) : usageTexts.confirming;
}

/** Only operators see texts about settings of the service. */
function operatorText(isOperator: boolean): string {
  const { operatorTeam, operatorPlan } = usageTexts;
  return isOperator ? `${operatorTeam} ${operatorPlan}` : operatorTeam;
}

function Paying({ view }: { view: BillingView }) {
  const showToast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: (open: () => Promise<{ url: string }>) => open(),
    onSuccess: ({ url }) => location.assign(url),
    onError: error => showToast({ text: messageOf(error), isFailure: true }),
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
          {isSubscribed(view) ? usageTexts.change(plan) : usageTexts.subscribe(plan)}
        </button>
      ))}
      {view.status !== "none" && (
        <button type="button" disabled={isPending} onClick={() => mutate(api.portal)}>
          {usageTexts.manage}
        </button>
      )}
    </div>
  );
}
