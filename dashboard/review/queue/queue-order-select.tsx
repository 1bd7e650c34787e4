import { QUEUE_ORDERS, type QueueOrder } from "../../location-filters.ts";
import { reviewTexts } from "../../texts/review.ts";

interface QueueOrderSelectProps {
  order: QueueOrder;
  onOrder: (order: QueueOrder) => void;
}

/** Selects the order of the queue. */
export function QueueOrderSelect({ order, onOrder }: QueueOrderSelectProps) {
  return (
    <select
      className="queue-order"
      aria-label={reviewTexts.order}
      value={order}
      onChange={({ currentTarget }) => {
        const chosen = QUEUE_ORDERS.find(name => name === currentTarget.value);
        if (chosen) onOrder(chosen);
        // Returns the keyboard to the review.
        currentTarget.blur();
      }}
    >
      {QUEUE_ORDERS.map(name => (
        <option key={name} value={name}>
          {reviewTexts.orders[name]}
        </option>
      ))}
    </select>
  );
}
