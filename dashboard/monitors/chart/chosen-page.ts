/** A page at a width that the chart and the latest screenshot show. */
export interface ChosenPage {
  route: string;
  viewport: number;
}
