import { codeSpans } from "../../../shared/text/code-spans.ts";

/** Shows a text whose code is in backticks. */
export function CodeText({ text }: { text: string }) {
  let position = 0;
  return codeSpans(text).map(span => {
    position += span.text.length;
    return span.isCode ? <code key={position}>{span.text}</code> : <span key={position}>{span.text}</span>;
  });
}
