import { commonTexts } from "../texts/common.ts";

interface ChipsProps<T> {
  /** Names the group for screen readers. */
  legend: string;
  /** Available values. */
  values: readonly T[];
  /** Selected value; null for all. */
  chosen: T | null;
  label: (value: T) => string;
  onChoose: (value: T | null) => void;
  className?: string | undefined;
}

/** Shows the values to filter by, if there is a choice or a selection. */
function FilterChips<T extends string | number>({
  legend,
  values,
  chosen,
  label,
  onChoose,
  className = "",
}: ChipsProps<T>) {
  const offered = chosen === null || values.includes(chosen) ? values : [chosen, ...values];
  if (offered.length < 2 && chosen === null) return null;
  return (
    <fieldset className={`chips ${className}`}>
      <legend className="hidden">{legend}</legend>
      {offered.map(value => (
        <button
          key={value}
          type="button"
          aria-pressed={chosen === value}
          onClick={() => onChoose(chosen === value ? null : value)}
        >
          {label(value)}
        </button>
      ))}
    </fieldset>
  );
}

interface WidthChipsProps extends Pick<ChipsProps<number>, "chosen" | "onChoose" | "className"> {
  /** Available widths, px. */
  widths: readonly number[];
}

/** Shows the widths to filter by. */
export function WidthChips({ widths, ...props }: WidthChipsProps) {
  return <FilterChips {...props} legend={commonTexts.width} values={widths} label={commonTexts.px} />;
}

interface EnvironmentChipsProps extends Pick<ChipsProps<string>, "chosen" | "onChoose" | "className"> {
  /** Names of available environments. */
  environments: readonly string[];
}

/** Shows the environments to filter by. */
export function EnvironmentChips({ environments, ...props }: EnvironmentChipsProps) {
  return (
    <FilterChips {...props} legend={commonTexts.environment} values={environments} label={name => name} />
  );
}
