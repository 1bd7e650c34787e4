/** Returns all widths, px, the narrowest first. */
export function widthsOf(pages: readonly { viewport: number }[]): number[] {
  return [...new Set(pages.map(({ viewport }) => viewport))].sort((one, other) => one - other);
}
