import { commonTexts } from "../texts/common.ts";

interface WidthChipsProps {
  /** Available widths, px. */
  widths: readonly number[];
  /** Selected width; null for all. */
  chosen: number | null;
  onChoose: (width: number | null) => void;
  className?: string;
}

/** Shows the widths to filter by, if there is a choice or a selection. */
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
