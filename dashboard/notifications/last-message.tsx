import type { NotificationView } from "../../shared/contracts/monitors/alerts.ts";
import { channelsTexts, notificationStatusNames } from "../texts/monitors/channels.ts";
import { fill } from "../ui/fill.ts";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/text/time.tsx";
import { adviceFor } from "./answer-advice.rule.ts";
import "./notifications.css";

const STATUS_ICONS = { queued: "pending", sent: "approved", failed: "failed", dropped: "removed" } as const;

interface LastMessageProps {
  /** What the message was, such as `test message`. */
  name: string;
  of: Pick<NotificationView, "status" | "answer" | "tries" | "createdAt" | "nextTryAt" | "endedAt">;
}

/** Shows the result of the last message to a receiver, and what to do if it failed. */
export function LastMessage({
  name,
  of: { status, answer, tries, createdAt, nextTryAt, endedAt },
}: LastMessageProps) {
  const advice = adviceFor(status, answer);
  return (
    <span className="last-message">
      <span>
        <Status name={STATUS_ICONS[status]} word={notificationStatusNames[status]} /> {name}{" "}
        <Time iso={endedAt ?? createdAt} />
        {status === "queued" && tries > 0 && nextTryAt && (
          <>
            {" · "}
            {fill(channelsTexts.attempts, {
              attempts: channelsTexts.attemptCount(tries),
              time: <Time iso={nextTryAt} />,
            })}
          </>
        )}
      </span>
      {advice && <span>{advice}</span>}
      {answer && <span className="quiet">{advice ? channelsTexts.answered(answer) : answer}</span>}
    </span>
  );
}
