import { answerAdvice } from "../texts/monitors/channels.ts";

/**
 * Returns what to do about a receiver's answer. Null if it was accepted, or says it in words already.
 * @param answer begins with the HTTP status, such as `404 no_service`
 */
export function adviceFor(
  status: "queued" | "sent" | "failed" | "dropped",
  answer: string | null,
): string | null {
  if (answer === null || status === "sent" || status === "dropped") return null;
  const code = Number(/^(\d{3})\b/.exec(answer)?.[1]);
  if (code === 401 || code === 403) return answerAdvice.unauthorized;
  if (code === 404 || code === 410) return answerAdvice.gone;
  if (code === 400 || code === 413 || code === 422) return answerAdvice.refused;
  if (code === 429) return answerAdvice.tooMany;
  return code >= 500 ? answerAdvice.broken : null;
}
