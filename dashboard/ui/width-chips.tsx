import { commonTexts } from "../texts/common.ts";

interface WidthChipsProps {
  /** That there are, px. */
  widths: readonly number[];
  /** The one that a list is narrowed to; null for all. */
  chosen: number | null;
  onChoose: (width: number | null) => void;
  className?: string;
}

/** The widths to narrow a list to, where there is a choice, or was one. */
export function WidthChips({ widths, chosen, onChoose, className = "" }: WidthChipsProps) {
  const offered = chosen === null || widths.includes(chosen) ? widths : [chosen, ...widths];
  if (offered.length < 2 && chosen === null) return null;
  return (
    <fieldset className={`chips ${className}`}>
      <legend className="hidden">{commonTexts.width}</legend>
      {offered.map(width => (
        <button
          key={width}
          type="button"
          aria-pressed={chosen === width}
          onClick={() => onChoose(chosen === width ? null : width)}
        >
          {commonTexts.px(width)}
        </button>
      ))}
    </fieldset>
  );
}
