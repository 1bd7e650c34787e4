/** Characters that stay at the end. */
const END = 10;
/** A shorter text would keep too little of its beginning, so it is cut at the end. */
const CUT_FROM = 2 * END;

/**
 * Shows a text on one line, and cuts its middle if it doesn't fit, since ends distinguish routes. Search and
 * copy use the full text.
 */
export function CutInMiddle({ text }: { text: string }) {
  const characters = [...text];
  if (characters.length < CUT_FROM) return <span className="cut-end">{text}</span>;
  return (
    <span className="cut-middle">
      <span className="cut-end">{characters.slice(0, -END).join("")}</span>
      <span className="cut-start">{characters.slice(-END).join("")}</span>
    </span>
  );
}
