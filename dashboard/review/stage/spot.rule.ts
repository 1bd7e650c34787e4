/** A spot of a screenshot, for links. */
export interface Spot {
  zoom: number;
  /** Center of the view, px of the page. */
  x: number;
  y: number;
}

/** Parses `1.5,120,340`. Null for anything else. */
export function spotIn(text: string | undefined): Spot | null {
  const match = /^(\d{1,2}(?:\.\d{1,4})?),(\d{1,6}),(\d{1,6})$/.exec(text ?? "");
  const [, zoom, x, y] = match?.map(Number) ?? [];
  if (zoom === undefined || x === undefined || y === undefined || zoom === 0) return null;
  return { zoom, x, y };
}

/** Formats as `1.5,120,340`. */
export function formatSpot({ zoom, x, y }: Spot): string {
  return [Math.round(zoom * 10_000) / 10_000, Math.max(0, Math.round(x)), Math.max(0, Math.round(y))].join(
    ",",
  );
}
