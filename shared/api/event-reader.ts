import { createParser, type EventSourceMessage } from "eventsource-parser";

/** Characters of one event. The service's events have a few hundred. */
const MAX_EVENT_CHARS = 64 * 1024;

/**
 * Returns a reader of server-sent events. It takes the stream's next bytes and returns the events that they
 * complete. It throws an Error if an event is longer than any of this service's.
 */
export function eventReader(): (part: Uint8Array) => EventSourceMessage[] {
  const decoder = new TextDecoder();
  const whole: EventSourceMessage[] = [];
  const parser = createParser({
    maxBufferSize: MAX_EVENT_CHARS,
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
