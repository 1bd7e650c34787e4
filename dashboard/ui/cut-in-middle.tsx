/** Characters that stay at the end. */
const END = 10;
/** A shorter text would have too little left of its beginning, and loses its end. */
const CUT_FROM = 2 * END;

/** Text on one line that loses its middle where there is no room: ends tell routes apart. Found and copied whole. */
export function CutInMiddle({ text }: { text: string }) {
  const characters = [...text];
  if (characters.length < CUT_FROM) return <span className="cut-end">{text}</span>;
  return (
    <span className="cut-middle">
      <span className="cut-end">{characters.slice(0, -END).join("")}</span>
      <span>{characters.slice(-END).join("")}</span>
    </span>
  );
}
