import { createParser, type EventSourceMessage } from "eventsource-parser";

/** Of one event, characters: those of this service have a few hundred. */
const LONGEST = 64 * 1024;

/**
 * Reads a stream of server-sent events.
 *
 * Returns what takes the stream's bytes, part by part, and answers with the events that are whole. That throws an
 * `Error` on what is no stream of events.
 */
export function eventReader(): (part: Uint8Array | undefined) => EventSourceMessage[] {
  const decoder = new TextDecoder();
  const whole: EventSourceMessage[] = [];
  const parser = createParser({
    maxBufferSize: LONGEST,
    onEvent: event => whole.push(event),
    onError(error) {
      if (error.type === "max-buffer-size-exceeded") throw error;
    },
  });
  return part => {
    parser.feed(decoder.decode(part, { stream: true }));
    return whole.splice(0);
  };
}
