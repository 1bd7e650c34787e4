import { createParser, type EventSourceMessage } from "eventsource-parser";

/** Of one event, characters: those of this service have a few hundred. */
const LONGEST = 64 * 1024;

/**
 * For a stream of server-sent events: a function that takes its next bytes and returns the events that they complete.
 * That throws an `Error` on an event longer than any of this service's.
 */
export function eventReader(): (part: Uint8Array) => EventSourceMessage[] {
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
