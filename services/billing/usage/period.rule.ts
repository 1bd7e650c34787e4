/** A calendar month, UTC; `end` is the first moment of the next one. */
export interface Period {
  start: Date;
  end: Date;
}

/** The period that a moment is in. */
export function periodAt(at: Date): Period {
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  return { start: new Date(Date.UTC(year, month)), end: new Date(Date.UTC(year, month + 1)) };
}

/** The period before. */
export function periodBefore({ start }: Period): Period {
  return periodAt(new Date(start.getTime() - 1));
}
