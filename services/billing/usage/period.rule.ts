/** A calendar month, UTC. `end` is the start of the next one. */
export interface Period {
  start: Date;
  end: Date;
}

/** Returns the period of a time. */
export function periodAt(at: Date): Period {
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  return { start: new Date(Date.UTC(year, month)), end: new Date(Date.UTC(year, month + 1)) };
}

/** Returns the previous period. */
export function periodBefore({ start }: Period): Period {
  return periodAt(new Date(start.getTime() - 1));
}
