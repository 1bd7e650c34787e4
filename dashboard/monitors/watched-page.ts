/** A page at a width, as the chart and the last look speak of it. */
export interface WatchedPage {
  route: string;
  viewport: number;
}
