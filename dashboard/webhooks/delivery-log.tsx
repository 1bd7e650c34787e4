import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import type { DeliveryView } from "../../shared/contracts/webhooks/webhooks.ts";
import type { IconName } from "../../shared/report/render/icons.ts";
import { api } from "../api/client.ts";
import { loadedThings } from "../texts/common.ts";
import { deliveryStatuses, webhookTexts } from "../texts/settings/webhooks.ts";
import { More } from "../ui/more.tsx";
import { Loading, Problem } from "../ui/parts.tsx";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/text/time.tsx";
import { messageOf, useToast } from "../ui/toast.tsx";

const NO_CURSOR: string | null = null;
const REFRESH_MS = 3_000;
const ICONS: Record<DeliveryView["status"], IconName> = {
  queued: "pending",
  sent: "approved",
  failed: "failed",
  dropped: "removed",
};

/** Shows a webhook's deliveries with the receiver's answers, newest first. */
export function DeliveryLog({ webhookId, isPaused }: { webhookId: string; isPaused: boolean }) {
  const list = useInfiniteQuery({
    queryKey: ["webhooks", webhookId, "deliveries"],
    initialPageParam: NO_CURSOR,
    queryFn: ({ pageParam }) => api.webhookDeliveries(webhookId, pageParam),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: REFRESH_MS,
  });
  const { data, error, refetch } = list;
  const deliveries = data?.pages.flatMap(page => page.data);
  if (error && !deliveries) return <Problem error={error} what={loadedThings.deliveries} again={refetch} />;
  if (!deliveries) return <Loading what={loadedThings.deliveries} />;
  if (deliveries.length === 0) return <p className="quiet delivery-log">{webhookTexts.noDeliveries}</p>;
  return (
    <div className="delivery-log">
      <ul className="rows" aria-label={webhookTexts.log}>
        {deliveries.map(delivery => (
          <Delivery key={delivery.id} webhookId={webhookId} of={delivery} isPaused={isPaused} />
        ))}
      </ul>
      <More list={list}>{webhookTexts.more}</More>
    </div>
  );
}

interface DeliveryProps {
  webhookId: string;
  of: DeliveryView;
  isPaused: boolean;
}

function Delivery({ webhookId, of: delivery, isPaused }: DeliveryProps) {
  const { id, event, status, attempts, answer, isReplay, createdAt } = delivery;
  const client = useQueryClient();
  const showToast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.replayDelivery(webhookId, id),
    onSuccess: () => client.invalidateQueries({ queryKey: ["webhooks", webhookId, "deliveries"] }),
    onError: error => showToast({ text: messageOf(error), isFailure: true }),
  });
  return (
    <li>
      <Status name={ICONS[status]} word={deliveryStatuses[status]} />
      <span className="row-what">
        <code>{event}</code>
        <span className="quiet">
          {[isReplay && webhookTexts.replayOf, webhookTexts.attempts(attempts), answer]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </span>
      <span className="quiet">
        <Time iso={createdAt} />
      </span>
      <button type="button" disabled={isPending || isPaused || status === "queued"} onClick={() => mutate()}>
        {webhookTexts.replay}
        <span className="hidden"> {event}</span>
      </button>
    </li>
  );
}
